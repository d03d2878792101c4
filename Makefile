# The README's commands. Everything is built below build/, nothing outside the tree is written.
JOBS ?= $(shell nproc)
# Address and thread sanitizers slow tests down five to fifteen times.
TEST_JOBS ?= 2
FUZZ_SECONDS ?= 30

.PHONY: help demo build test test-slow tidy tidy-deep asan tsan ubsan fuzz measure bench format check-format deps clean

help:
	@sed -n 's/^## //p' Makefile

## make demo          the life of a 2 KiB sector: sealed, proved in four ways, updated, verified
demo:
	@scripts/demo.sh

## make test          build, then every test that is quick enough for each change
test: build
	ctest --preset release --label-regex '^(unit|vectors)$$' --parallel $(TEST_JOBS)

build:
	@scripts/deps.sh test
	cmake --preset release -DCMAKE_BUILD_TYPE=Release
	cmake --build --preset release --parallel $(JOBS)

## make test-slow     what takes more than a minute, each header alone, then make tsan and make ubsan
test-slow: build
	scripts/check_headers.sh $(JOBS)
	ctest --preset release --label-regex '^slow$$' --parallel 1
	$(MAKE) tsan
	$(MAKE) ubsan

# The unit tests that are programs; the others look at sources and at objects of a release build.
UNIT_PROGRAMS = --label-regex '^unit$$' --exclude-regex '^(architecture|style)[.]'
# All of them, or those of the rooms named in ROOMS.
UNIT_TARGETS = $(if $(ROOMS),$(ROOMS:=_tests),unit_programs)
UNIT_ROOMS = $(if $(ROOMS),--tests-regex '^($(subst $(space),|,$(strip $(ROOMS))))[.]tests$$')
space := $(subst ,, )

## make asan          unit tests under the address and undefined behaviour sanitizers (ROOMS: some)
## make tsan          the same under the thread sanitizer, each source compiled on its own
## make ubsan         the same under all checks for undefined behaviour
asan tsan ubsan:
	@scripts/deps.sh all
	cmake --preset $@
	cmake --build --preset $@ --target $(UNIT_TARGETS) --parallel $(JOBS)
	ctest --preset $@ $(UNIT_PROGRAMS) $(UNIT_ROOMS) --parallel $(TEST_JOBS)

## make tidy          clang-tidy 19 over all sources
tidy:
	@scripts/deps.sh all
	cmake --preset tidy
	scripts/tidy.sh build/tidy $(JOBS)

## make tidy-deep     the same with clang's static analyzer and slow checks, three times slower
tidy-deep:
	@scripts/deps.sh all
	cmake --preset tidy
	scripts/tidy.sh build/tidy $(JOBS) 'clang-analyzer-*,performance-unnecessary-value-param'

## make fuzz          every fuzz target for FUZZ_SECONDS (30), with the objects of `make asan`
fuzz:
	@scripts/deps.sh all
	cmake --preset asan
	cmake --build --preset asan --target fuzz_programs --parallel $(JOBS)
	scripts/fuzz.sh build/asan $(FUZZ_SECONDS)

## make measure       every figure of docs/perf that has a bound, on a quiet machine, in one table
measure: build
	scripts/measure.py

## make bench         the Google Benchmark programs; `belfry bench` measures whole stages
bench:
	@scripts/deps.sh all
	cmake --preset bench
	cmake --build --preset bench --parallel $(JOBS)
	scripts/bench.sh build/bench

## make format        clang-format 19 over all sources, in place
format:
	scripts/format.sh --write
check-format:
	scripts/format.sh --check

## make deps          install what is missing (Debian 12)
deps:
	scripts/deps.sh all

clean:
	rm -rf build
