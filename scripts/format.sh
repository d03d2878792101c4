#!/usr/bin/env bash
# Formats all C++ sources with clang-format 19, or tells which are not formatted.
#
# usage: scripts/format.sh --write | --check
set -euo pipefail
cd "$(dirname "$0")/.."

folders=()
for folder in src tests bench fuzz; do
  [ -d "$folder" ] && folders+=("$folder")
done
# Generated tables are written by tools/gen and left as they are.
mapfile -d '' files < <(find "${folders[@]}" \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' \
  -o -name '*.cuh' \) -not -name '*_gen.*' -print0 | sort -z)

case "${1:-}" in
  --write) clang-format-19 -i "${files[@]}" ;;
  --check)
    bad=$(clang-format-19 --dry-run --Werror --ferror-limit=1 "${files[@]}" 2>&1 |
      grep -o '^[^ :]*:[0-9]*' || true)
    if [ -n "$bad" ]; then
      printf 'not formatted, run make format:\n%s\n' "$bad"
      exit 1
    fi
    echo "format ok: ${#files[@]} files"
    ;;
  *)
    echo "usage: scripts/format.sh --write | --check" >&2
    exit 2
    ;;
esac
