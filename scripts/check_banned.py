#!/usr/bin/env python3
"""Fails on what the house style forbids and a compiler lets pass.

usage: check_banned.py REPOSITORY_ROOT
Looks at src, tests, bench, fuzz, scripts, tools, cmake and the files at the top; each rule below
says where it holds. Comments and string literals are blanked before code rules are matched.
"""
import pathlib
import re
import sys
from typing import NamedTuple

CODE = {".h", ".cpp", ".cu", ".cuh"}
TEXT = CODE | {".py", ".sh", ".cmake", ".txt", ".json", ".yml"}
FOLDERS = ("src", "tests", "bench", "fuzz", "scripts", "tools", "cmake")
MAX_LINES = 450  # the house aims at 400
MAX_README_LINES = 40


class Rule(NamedTuple):
    pattern: str
    why: str
    allowed: tuple = ()  # path prefixes where it does not hold


OWNERSHIP = "resources are RAII types"
LIBRARY_RULES = [
    Rule(r"\b(?:f|s|sn|v|vf)?printf\s*\(|\bputs\s*\(", "logs go through trace::Log, results through cli/output",
         ()),
    Rule(r"\bstd::(?:cout|cerr|clog)\b", "logs go through trace::Log, results through cli/output",
         ()),
    Rule(r"\b(?:secure_)?getenv\s*\(|\b(?:set|put|unset)env\s*\(|\benviron\b",
         "the environment is read in one place at the top", ("src/belfry/cli/environment.cpp",)),
    Rule(r"(?<!operator )\bnew\b(?!\s*[(>])|(?<!operator )\bdelete\b(?!\s*[;,)])",
         OWNERSHIP),
    Rule(r"\b(?:malloc|calloc|realloc|free|alloca)\s*\(", OWNERSHIP),
    Rule(r"\bcuda(?:Malloc|Free|Memcpy|Memset|DeviceSynchronize|SetDevice|DeviceReset|MemPoolTrimTo|MemGetInfo)\w*",
         "raw CUDA calls live in gpu/", ("src/belfry/gpu/",)),
    Rule(r"(?<!static_)\bassert\s*\(", "BELFRY_ASSERT for our bugs, Result for input"),
    Rule(r"\bthrow\b", "failures are values (Result)", ("src/belfry/gpu/",)),
    Rule(r"\bstd::(?:thread|jthread|async)\b", "threads start in engine, server and cli only",
         ("src/belfry/engine/", "src/belfry/server/", "src/belfry/cli/")),
    Rule(r"\busing\s+namespace\b", "names say where they come from"),
    Rule(r"\b(?:std::)?(?:exit|abort|_exit|terminate)\s*\(", "only a broken invariant ends the process",
         ("src/belfry/base/assert.cpp", "src/belfry/cli/main.cpp")),
    Rule(r"\bsteady_clock\b|\bhigh_resolution_clock\b", "durations are taken by trace::Span",
         ("src/belfry/trace/", "src/belfry/cli/")),
]
TEST_RULES = [
    # Only what this CPU can not run may be left out.
    Rule(r"^(?!.*\bbest_isa\(\)).*\bGTEST_SKIP\b|\bDISABLED_\w", "a test runs or is not there"),
]
# In comments too. Written in pieces, so that this file passes its own check.
TEXT_RULES = [
    Rule(r"\b(?:TO" r"DO|FIX" r"ME|X" r"XX|HA" r"CK)\b", "promises nothing: open an issue"),
    Rule(r"\.\./sha" r"red|/work/(?:sha" r"red|main)", "the project stands alone"),
]


def blank_comments_and_strings(text):
    """The same text, same lines, with the insides of comments and literals replaced by blanks."""
    token = re.compile(
        r'R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"'
        r'|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'',
        re.DOTALL)
    return token.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def broken(rules, name, text, raw=""):
    """`raw` is the text with its comments: a NOLINTNEXTLINE about memory, with its reason, counts."""
    raw_lines = raw.splitlines()
    for number, line in enumerate(text.splitlines(), 1):
        reasoned = raw and number > 1 and "owning-memory): " in raw_lines[number - 2]
        for rule in rules:
            if reasoned and rule.why == OWNERSHIP:
                continue
            if re.search(rule.pattern, line) and not name.startswith(rule.allowed or ("\0",)):
                yield f"{name}:{number}: {line.strip()[:80]!r}: {rule.why}"


def check_file(root, path):
    name = path.relative_to(root).as_posix()
    text = path.read_text(encoding="utf-8", errors="replace")
    yield from broken(TEXT_RULES, name, text)
    if path.suffix not in CODE:
        return
    code = blank_comments_and_strings(text)
    if name.startswith("src/"):
        yield from broken(LIBRARY_RULES, name, code, text)
        lines = text.count("\n")
        if lines > MAX_LINES and not path.stem.endswith("_gen"):
            yield f"{name}: {lines} lines, at most {MAX_LINES}"
    if name.startswith("tests/"):
        yield from broken(TEST_RULES, name, code)
    if path.suffix in {".h", ".cuh"} and not re.match(r"\s*#pragma once\b", code):
        yield f"{name}: does not begin with #pragma once"


def check_readmes(root):
    for rules in sorted(root.glob("src/belfry/*/CMakeLists.txt")):
        readme = rules.parent / "README.md"
        name = readme.relative_to(root).as_posix()
        if not readme.exists():
            yield f"{name}: the room has none"
        elif readme.read_text(encoding="utf-8").count("\n") > MAX_README_LINES:
            yield f"{name}: more than {MAX_README_LINES} lines"


def files_of(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            relative = path.relative_to(root).as_posix()
            if path.suffix in TEXT and path.is_file() and not relative.startswith("tests/vectors/"):
                yield path
    yield from (root / name for name in ("CMakeLists.txt", "Makefile", ".ci/run") if (root / name).exists())


def main():
    root = pathlib.Path(sys.argv[1])
    files = list(files_of(root))
    faults = [fault for path in files for fault in check_file(root, path)]
    faults += check_readmes(root)
    print("\n".join(faults) or f"banned ok: {len(files)} files")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
