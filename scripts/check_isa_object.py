#!/usr/bin/env python3
"""Fails if an object that was compiled for a wider instruction set shares functions with others.

usage: check_isa_object.py NM SOURCE ARCHIVE

A weak function (an inline or template one that was emitted) in the object of SOURCE could be the copy
that the linker keeps for every other source, and would crash a CPU without those instructions.
"""
import pathlib
import subprocess
import sys

# What clang emits where a noexcept function may be left by an exception: one call, no vectors.
CLANG_TERMINATE = "__clang_call_terminate"


def weak_functions(nm, source, archive):
    listing = subprocess.run([nm, "-C", archive], check=True, capture_output=True, text=True).stdout
    member = f"{pathlib.Path(source).name}.o"  # archives keep no folders
    inside = found = False
    weak = []
    for line in listing.splitlines():
        if line.endswith(".o:"):
            inside = line == f"{member}:"
            found |= inside
        elif inside and line[17:18] in ("W", "u") and line[19:] != CLANG_TERMINATE:
            weak.append(line[19:])
    if not found:
        sys.exit(f"{archive} has no member {member}")
    return weak


def main():
    weak = weak_functions(*sys.argv[1:4])
    for name in weak:
        print(f"{sys.argv[2]}: {name} is emitted here and may be shared")
    sys.exit(bool(weak))


if __name__ == "__main__":
    main()
