#!/usr/bin/env bash
# Runs clang-tidy 19 on every source below src/, one process a file, and fails if any complains.
#
# usage: scripts/tidy.sh BUILD_FOLDER JOBS [CHECKS]
# CHECKS are added to those of .clang-tidy.
# BUILD_FOLDER holds compile_commands.json of a clang build (preset tidy). A source whose verdict was
# good is skipped while neither it, nor a header of the project, nor a rule has changed.
set -euo pipefail
build=$1
jobs=$2
checks=${3:-}
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
mkdir -p "$build/tidy-passed"

# One digest over all headers and rules: coarse, but it can't be wrong.
context=$({ find src -name '*.h' -print0 | sort -z | xargs -0 cat; cat .clang-tidy; echo "$checks"; } | sha256sum)
export build checks context

check() {
  local verdict
  verdict=$build/tidy-passed/$( (echo "$context"; cat "$1") | sha256sum | cut -c1-32)
  [ -e "$verdict" ] && return 0
  if ! clang-tidy-19 --quiet --checks="$checks" -p "$build" "$1" 2>"$verdict.err"; then
    grep -E 'error|warning: ' "$verdict.err" | grep -v 'warnings generated' >&2 || true
    rm -f "$verdict.err"
    echo "tidy: $1" >&2
    return 1
  fi
  mv "$verdict.err" "$verdict"
}
export -f check

# Only what this build compiles: sources of other platforms have no compile command.
python3 - "$build/compile_commands.json" "$root/src/" <<'PYTHON' |
import json, sys
files = {entry["file"] for entry in json.load(open(sys.argv[1]))}
print("\n".join(sorted(f for f in files if f.startswith(sys.argv[2]))))
PYTHON
  xargs --no-run-if-empty --max-procs="$jobs" --max-args=1 bash -c 'check "$0"'
echo "tidy ok"
