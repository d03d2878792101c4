#!/usr/bin/env python3
"""Fails when a file includes a room that its own room does not list in DEPENDS.

usage: check_rooms.py SRC_ROOT
The order of the rooms is that of the foreach in SRC_ROOT/CMakeLists.txt, the allowed edges stand in
each room's CMakeLists.txt, so build and check can not disagree. Also fails on an edge to a later
room, and on a room that lists a dependency that it never includes.
"""
import pathlib
import re
import sys

SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}


def read_rooms(root):
    """Room name -> rooms that it may include, in the order of the rooms."""
    order = re.search(r"foreach\(room ([^)]*)\)", (root / "CMakeLists.txt").read_text())
    allowed = {}
    for room in order.group(1).split():
        rules = root / room / "CMakeLists.txt"
        if not rules.exists():
            continue
        body = re.search(r"belfry_room\(" + room + r"\b([^)]*)\)", rules.read_text()).group(1)
        depends = re.search(r"\bDEPENDS((?:\s+[a-z]\w*)*)", body)
        allowed[room] = depends.group(1).split() if depends else []
    return allowed


def check_order(allowed):
    order = list(allowed)
    for room, depends in allowed.items():
        for other in depends:
            if other not in allowed:
                yield f"{room} depends on {other}, which is no room"
            elif order.index(other) >= order.index(room):
                yield f"{room} depends on {other}, which is declared later: no way back"


def check_includes(root, allowed):
    used = {room: set() for room in allowed}
    for path in sorted(root.rglob("*")):
        if path.suffix not in SUFFIXES:
            continue
        room = path.relative_to(root).parts[0]
        if room not in allowed:
            yield f"{path}: folder {room} is no room"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*[<"]belfry/(\w+)/', line)
            if not match or match.group(1) == room:
                continue
            used[room].add(match.group(1))
            if match.group(1) not in allowed[room]:
                yield f"{path}:{number}: room {room} may not include {match.group(1)}"
    for room, depends in allowed.items():
        for other in sorted(set(depends) - used[room]):
            yield f"{room} lists {other} but never includes it"


def main():
    root = pathlib.Path(sys.argv[1])
    allowed = read_rooms(root)
    faults = [*check_order(allowed), *check_includes(root, allowed)]
    print("\n".join(faults) or f"rooms ok: {len(allowed)} rooms")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
