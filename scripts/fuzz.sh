#!/usr/bin/env bash
# Runs every fuzz target for a while, three at a time. A crash leaves its input below BUILD_FOLDER/crashes.
#
# usage: scripts/fuzz.sh BUILD_FOLDER SECONDS
set -euo pipefail
build=$(cd "$1" && pwd)
seconds=$2
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$build/crashes"

python3 "$root/fuzz/make_corpus.py" "$root/tests/vectors" "$build"

run() {
  local target=$1 name
  name=$(basename "$target")
  mkdir -p "$build/corpus/$name"
  # -rss_limit_mb: a parser that allocates by a count in the file is stopped here.
  if ! "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
    -artifact_prefix="$build/crashes/$name-" "$build/corpus/$name" "$build/seeds/$name" \
    >"$build/$name.log" 2>&1; then
    tail -n 40 "$build/$name.log" >&2
    echo "fuzz: $name failed" >&2
    return 1
  fi
  echo "fuzz: $name $(sed -n 's/^stat::number_of_executed_units: */runs /p' "$build/$name.log")"
}
export -f run
export build root seconds

find "$build/fuzz" -maxdepth 1 -name 'fuzz_*' ! -name 'fuzz_seed_*' -type f -executable -print0 | sort -z |
  xargs -0 --no-run-if-empty --max-procs=3 --max-args=1 bash -c 'run "$0"'
