#!/usr/bin/env bash
# Runs all Google Benchmark programs of a build, one after the other.
#
# usage: scripts/bench.sh BUILD_FOLDER [benchmark options]
set -euo pipefail
build=$1
shift
find "$build/src/belfry" -name '*_bench' -type f -executable -print0 | sort -z |
  while IFS= read -r -d '' program; do
    echo "== $(basename "$program")"
    "$program" "$@"
  done
