#!/usr/bin/env bash
# Installs what Belfry needs to build, test and lint on Debian 12. Asks apt only for what is missing,
# so a second run does nothing. Works as root, or through sudo.
#
# usage: scripts/deps.sh [build|test|all]
#   build  what `make demo` needs: compiler, CMake, libraries
#   test   also what `make test` needs: GoogleTest and clang-format
#   all    also what .ci/run and `make bench` need: clang 19, clang-tidy, libFuzzer, Google Benchmark
set -euo pipefail

build=(
  g++ cmake ninja-build ccache make python3 ca-certificates
  libtbb-dev libssl-dev libsimdjson-dev libcli11-dev libspdlog-dev libfmt-dev libexpected-dev
  libtomlplusplus-dev
)
test=(libgtest-dev libgmock-dev clang-format-19)
checks=(libbenchmark-dev clang-19 clang-tidy-19 libclang-rt-19-dev)

case "${1:-all}" in
  build) wanted=("${build[@]}") ;;
  test) wanted=("${build[@]}" "${test[@]}") ;;
  all) wanted=("${build[@]}" "${test[@]}" "${checks[@]}") ;;
  *)
    echo "usage: scripts/deps.sh [build|test|all]" >&2
    exit 2
    ;;
esac

is_installed() {
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=()
for package in "${wanted[@]}"; do
  is_installed "$package" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "deps: all ${#wanted[@]} packages are there"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "deps: as root, run: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "deps: installing ${missing[*]}"
install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --quiet --no-install-recommends "${missing[@]}"
}
# The package lists may be older than the mirror: fetch them only if the first try fails.
install || { "${as_root[@]}" apt-get update --quiet && install; }
