#!/usr/bin/env bash
# From a clean checkout to a real proof: builds belfry, makes test parameters once, turns the C1
# output of a real 2 KiB sector into a Groth16 proof and verifies it. Everything stays below build/demo.
set -euo pipefail
cd "$(dirname "$0")/.."
root=build/demo
sector=tests/vectors/porep-2kib-v1_1

say() { printf '\n== %s\n' "$*"; }
shown() {
  printf '$ %s\n' "$*"
  "$@"
}
field() {
  python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$sector/sector.json" "$1"
}

say "1/4 build (the first time a few minutes, later seconds)"
scripts/deps.sh build
cmake --preset release -B "$root" -DBELFRY_TESTS=OFF >/dev/null
cmake --build "$root" --parallel "$(nproc)" --target belfry
belfry=$root/belfry
common=(--params "$root/params" --cache "$root/cache")

say "2/4 parameters of the 2 KiB circuit, FOR TESTS ONLY (once; the real ones come from a ceremony)"
if ls "$root"/params/*.params >/dev/null 2>&1; then
  echo "already in $root/params"
else
  shown "$belfry" setup porep-2KiB --test-trapdoor tests/vectors/trapdoor.json \
    --out "$root/params" "${common[@]}"
fi

say "3/4 prove: the C1 output of a real sector becomes 192 bytes"
shown "$belfry" prove porep --c1 "$sector/c1.json" --miner "$(field miner)" \
  --sector "$(field sector_number)" --out "$root/proof.bin" "${common[@]}"

say "4/4 verify: as the chain would, from public values alone"
shown "$belfry" verify porep --proof "$root/proof.bin" --proof-type "$(field registered_proof)" \
  --comm-r "$(field comm_r)" --comm-d "$(field comm_d)" --miner "$(field miner)" \
  --sector "$(field sector_number)" --ticket "$(field ticket)" --seed "$(field seed)" "${common[@]}"

say "done: the proof is in $root/proof.bin; next: $belfry --help, and README.md"
