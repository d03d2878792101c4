#!/usr/bin/env bash
# Runs clang-tidy 19 on every source below src/, one process a unit, and fails if any complains. A
# unit holds several sources of a room (BELFRY_UNITS in cmake/room.cmake): most of the time goes into
# the headers, and so they are looked at once.
#
# usage: scripts/tidy.sh BUILD_FOLDER JOBS [CHECKS]
# CHECKS are added to those of .clang-tidy.
# BUILD_FOLDER holds compile_commands.json of a clang build (preset tidy). A unit whose verdict was
# good is skipped while neither its sources, nor a header of the project, nor a rule, a compile
# command or the linter has changed.
set -euo pipefail
build=$1
jobs=$2
checks=${3:-}
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
mkdir -p "$build/tidy-passed"

# One digest over all of that: coarse, but it can't be wrong.
context=$({ find src -name '*.h' -print0 | sort -z | xargs -0 cat; cat .clang-tidy "$build/compile_commands.json"
  clang-tidy-19 --version; echo "$checks"; } | sha256sum)
export build checks context

# The sources of a unit, or the one source that is a unit of its own.
sources_of() {
  sed -n 's/^#include "\(\/.*\.cpp\)"$/\1/p' "$1" | grep . || echo "$1"
}
check() {
  local verdict
  verdict=$build/tidy-passed/$( (echo "$context"; sources_of "$1" | xargs cat) | sha256sum | cut -c1-32)
  [ -e "$verdict" ] && return 0
  if ! clang-tidy-19 --quiet --checks="$checks" -p "$build" "$1" >"$verdict.err" 2>&1; then
    grep -E 'error|warning: ' "$verdict.err" | grep -v 'warnings generated' >&2 || true
    rm -f "$verdict.err"
    echo "tidy: $(sources_of "$1" | sed "s|^$PWD/||" | tr '\n' ' ')" >&2
    return 1
  fi
  mv "$verdict.err" "$verdict"
}
export -f check sources_of

# Only what this build compiles: sources of other platforms have no compile command. The units with
# most text come first, so that no long one is left for the end.
python3 - "$build/compile_commands.json" "$root" <<'PYTHON' |
import json, os, re, sys
commands, root = sys.argv[1:]
files = {entry["file"] for entry in json.load(open(commands))}
units = [f for f in files if re.search(r"/src/belfry/(?!.*_tests\.dir/)", f)]
def size(unit):
    sources = re.findall(r'^#include "(/.*\.cpp)"$', open(unit).read(), re.M) or [unit]
    return sum(os.path.getsize(source) for source in sources)
print("\n".join(sorted(units, key=lambda unit: (-size(unit), unit))))
PYTHON
  xargs --no-run-if-empty --max-procs="$jobs" --max-args=1 bash -c 'check "$0"'
echo "tidy ok"
