#!/usr/bin/env python3
"""Groups C++ sources that can be compiled as one, for cmake/room.cmake.

usage: scripts/units.py [--headers FOLDER] SOURCE...

Prints the number of the unit of each source, in their order, joined by semicolons. Two sources share
a unit unless both give one name to something without linkage, or one gives a name that a header of
FOLDER declares too. A scan of the text finds those names, so it may keep apart what would go together;
what it misses ends in the compiler's "redefinition".
"""
import argparse
import pathlib
import re

# With sanitizers, a unit takes some twenty seconds of one core.
MAX_UNIT_BYTES = 64 << 10

STRIPPED = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\])\'|^[ \t]*#.*?$',
    re.S | re.M)
TYPE = re.compile(r'\b(?:struct|class|union|enum(?:\s+class)?)\s+(?:\[\[[^\]]*\]\]\s*)?(\w+)')
ALIAS = re.compile(r'^using\s+(\w+)\s*=\s*(.*)$', re.S)
FUNCTION = re.compile(r'(\w+)\s*\(')
VARIABLE = re.compile(r'(\w+)\s*(?:\[[^\]]*\]\s*)*(?:=|$)')
MACRO = re.compile(r'^[A-Z][A-Z0-9_]+\s*\(')


def declared_name(statement):
    """The name that a declaration introduces, with the text of an alias; None for what has none."""
    text = re.sub(r'^template\s*<[^{;]*?>\s*(?=struct|class|using|concept|inline|constexpr|[\w:])', '',
                  statement.strip())
    if not text or MACRO.match(text) or re.match(r'^(namespace|static_assert|friend|extern)\b', text):
        return None
    alias = ALIAS.match(text)
    if alias:
        return alias.groups()
    if text.startswith('using'):
        return None
    before_value = text.split('=')[0] if '(' not in text.split('=')[0] else text
    kind = TYPE.search(before_value.split('(')[0])
    if kind:
        return kind.group(1), None
    function = FUNCTION.search(before_value)
    name = function or VARIABLE.search(before_value)
    return (name.group(1), None) if name and not name.group(1).isdigit() else None


def names_of(path, with_linkage):
    """Names at namespace scope: all, or those of unnamed namespaces."""
    text = STRIPPED.sub(' ', path.read_text())
    found = set()
    scopes = []
    statement = ''
    for token in re.split(r'([{};])', text):
        if token not in '{};' or not token:
            statement += token
            continue
        inside = all(scope != 'other' for scope in scopes)
        wanted = inside and ('unnamed' in scopes or with_linkage)
        name = declared_name(statement) if wanted else None
        if name:
            found.add(name)
        if token == '{':
            head = re.search(r'\bnamespace\b([\w:\s]*)$', statement)
            scopes.append('other' if not head else 'named' if head.group(1).strip() else 'unnamed')
        elif token == '}' and scopes:
            scopes.pop()
        statement = ''
    return found


def clashes(own, other):
    """An alias may be repeated, anything else may not."""
    plain = {name for name, alias in own if alias is None}
    texts = {name: alias for name, alias in own if alias is not None}
    return any(name in plain or texts.get(name, alias) != alias for name, alias in other)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--headers', type=pathlib.Path)
    parser.add_argument('sources', nargs='+', type=pathlib.Path)
    arguments = parser.parse_args()

    public = set()
    for header in sorted(arguments.headers.rglob('*.h')) if arguments.headers else []:
        public |= {(name, alias) for name, alias in names_of(header, with_linkage=True) if alias is None}

    units = []  # [bytes, names, may grow]
    numbers = []
    for source in arguments.sources:
        size = source.stat().st_size
        names = names_of(source, with_linkage=False)
        alone = clashes(names, public)
        for number, (used, taken, may_grow) in enumerate(units):
            if may_grow and not alone and used + size <= MAX_UNIT_BYTES and not clashes(names, taken):
                units[number] = [used + size, taken | names, True]
                break
        else:
            number = len(units)
            units.append([size, names, not alone])
        numbers.append(str(number))
    print(';'.join(numbers), end='')


if __name__ == '__main__':
    main()
