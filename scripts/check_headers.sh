#!/usr/bin/env bash
# Compiles every header of src/ and tests/ alone, and fails if one needs what another has included
# before it: builds in units, and with the tests' precompiled header, do not find that.
#
# usage: scripts/check_headers.sh JOBS [FOLDER ...]
set -euo pipefail
jobs=$1
shift
cd "$(dirname "$0")/.."

check() {
  local complaint
  # Sources name their headers from src/ or tests/.
  complaint=$(printf '#include "%s"\n' "${0#*/}" |
    ${CXX:-g++} -x c++ -std=c++20 -fsyntax-only -Isrc -Itests -isystem "${CUDA_INCLUDE:-/usr/local/cuda/include}" \
      -mavx512f -mavx512dq -mavx512vl -mavx512bw -mavx512ifma -mbmi2 -madx \
      -DBELFRY_TEST_VECTORS='""' -DBELFRY_BINARY='""' - 2>&1) && return 0
  echo "$0: $(grep -m1 error <<<"$complaint")" >&2
  return 1
}
export -f check
if [ $# -eq 0 ]; then set -- src tests; fi
find "$@" -name '*.h' -print0 | sort -z |
  xargs -0 --no-run-if-empty --max-procs="$jobs" --max-args=1 bash -c 'check "$0"'
echo "headers ok"
