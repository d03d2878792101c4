#!/usr/bin/env bash
# From a clean checkout through the life of a storage sector: builds belfry, makes test parameters
# once, seals 2 KiB, proves that (PoRep), wins a block (WinningPoSt), proves that the sector is still
# there (WindowPoSt), and replaces its data (SnapDeals). Every proof is real, and verified as the
# chain would. Everything stays below build/demo.
set -euo pipefail
cd "$(dirname "$0")/.."
root=build/demo
belfry=$root/belfry
export FIL_PROOFS_PARAMETER_CACHE=$root/params XDG_CACHE_HOME=$PWD/$root/cache

say() { printf '\n== %s\n' "$*"; }
shown() {
  printf '$ %s\n' "$*"
  "$@"
}
# The value behind a name in what a command answered.
value() { sed -n "s/^$1 //p" "$root/answer"; }
make_parameters() {
  local files
  files=$("$belfry" params list)
  # Derived files are for a GPU alone: the demo needs none.
  if grep -Eq "^$1 +missing .*[.](params|vk)$" <<<"$files"; then
    shown "$belfry" setup "$1" --test-trapdoor tests/vectors/trapdoor.json --out "$root/params"
  else
    echo "$1: already in $root/params"
  fi
}

# The vanilla proof of the sector, its PoSt of one kind (winning or window), and the verdict.
prove_post() {
  local kind=$1 post=(--miner f01000 --randomness "$randomness" --proof-type "$2")
  shown "$belfry" vanilla "$kind" --dir "$root/sector" --randomness "$randomness" \
    --proof-type "$2" --out "$proofs/$kind"
  shown "$belfry" prove "$kind" --vanilla "$proofs/$kind/vanilla-1.bin" "${post[@]}" \
    --out "$proofs/$kind.bin"
  shown "$belfry" verify "$kind" --proof "$proofs/$kind.bin" "${post[@]}" --sector "1=$comm_r"
}

say "1/6 build (the first time a few minutes, later seconds)"
scripts/deps.sh build
cmake --preset release -B "$root" -DBELFRY_TESTS=OFF -DBELFRY_UNITS=all >/dev/null
cmake --build "$root" --parallel "$(nproc)" --target belfry

say "2/6 parameters of the 2 KiB circuits, FOR TESTS ONLY (once; the real ones come from a ceremony)"
for circuit in porep-2KiB winning-2KiB window-2KiB update-2KiB; do make_parameters "$circuit"; done

# What the chain would say: a ticket before sealing, a seed after it, randomness for each PoSt.
ticket=$(printf '01%.0s' {1..32})
seed=$(printf '02%.0s' {1..32})
randomness=$(printf '03%.0s' {1..32})
identity=(--miner f01000 --sector 1 --ticket "$ticket")
rm -rf "$root/sector" "$root/updated" "$root/proofs"
mkdir "$root/proofs"
proofs=$root/proofs

say "3/6 seal the licence, and prove it (PoRep: C1, then C2)"
shown "$belfry" seal --proof-type StackedDrg2KiBV1_1 --data LICENSE-MIT "${identity[@]}" \
  --out "$root/sector" | tee "$root/answer"
comm_r=$(value comm_r) comm_d=$(value comm_d)
shown "$belfry" c1 --dir "$root/sector" --seed "$seed" --out "$proofs/c1.json"
shown "$belfry" prove porep --c1 "$proofs/c1.json" --miner f01000 --sector 1 --out "$proofs/porep.bin"
shown "$belfry" verify porep --proof "$proofs/porep.bin" --proof-type StackedDrg2KiBV1_1 \
  --comm-r "$comm_r" --comm-d "$comm_d" "${identity[@]}" --seed "$seed"

say "4/6 the sector wins a block (WinningPoSt)"
prove_post winning StackedDrgWinning2KiBV1

say "5/6 a day later it is still there (WindowPoSt)"
prove_post window StackedDrgWindow2KiBV1_2

say "6/6 it gets other data: the beginning of the other licence (SnapDeals)"
head -c 2032 LICENSE-APACHE > "$root/data"
shown "$belfry" update --dir "$root/sector" --data "$root/data" --out "$root/updated" |
  tee "$root/answer"
update=(--comm-r-old "$comm_r" --comm-r-new "$(value comm_r_new)" --comm-d-new "$(value comm_d_new)"
  --proof-type StackedDrg2KiBV1)
shown "$belfry" vanilla update --old "$root/sector" --new "$root/updated" --out "$proofs/update"
shown "$belfry" prove update --vanilla "$proofs/update/vanilla-0.bin" "${update[@]}" \
  --out "$proofs/update.bin"
shown "$belfry" verify update --proof "$proofs/update.bin" "${update[@]}"

say "done in $SECONDS s: sector and proofs are in $root, all of them valid
To go on by hand, as README.md does:
  export PATH=\$PWD/$root:\$PATH FIL_PROOFS_PARAMETER_CACHE=\$PWD/$root/params"
