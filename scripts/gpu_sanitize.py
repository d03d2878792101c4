#!/usr/bin/env python3
"""Runs the GPU test programs under compute-sanitizer, each case a process, and prints one table.

usage: gpu_sanitize.py [--tools memcheck,racecheck,initcheck,synccheck] [--only WORD] [--jobs N]
                       [--seconds N] [--logs DIR] PROGRAMS

PROGRAMS is the folder of the portable programs; run it in the root of the tree, on a machine with a
card. A case that ends late or by an error fails the run. racecheck takes whole proofs in parts, one
family of kernels and some launches at a time: it dies of many launches of the additions, whose blocks
take 98 KB of shared memory and stay to the end (docs/perf/gpu_shapes.md).
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import time

# Program, tests of it. Injected failures are errors of the API on purpose, so they are not here.
WHOLE = [
    ("groth16_gpu_tests", "CudaProving.*-*BadPoint*:*DoesNotHave*"),
    ("groth16_gpu_tests", "CudaProvingBlocks.*"),
    ("groth16_gpu_tests", "CudaDerived.*"),
    ("groth16_gpu_tests", "DeviceProving.AnyResidency*"),
    ("groth16_gpu_tests", "DeviceProving.*-*AnyResidency*"),
    ("groth16_gpu_tests", "WitnessLanes.*"),
    ("groth16_gpu_tests", "DeviceSetups.*-*CallsFail*:*OfBlocks*"),
    ("engine_gpu_tests", "*Of2KiBEqualsTheReference"),
    ("engine_gpu_tests", "*FromWrongDerivedParametersIsMadeAgainWithout"),
    ("msm_gpu_tests", "MsmOnDevice/0.*"),
    ("msm_gpu_tests", "MsmOnDevice/1.*"),
    ("ntt_gpu_tests", "*"),
    ("r1cs_gpu_tests", "*"),
    ("field_gpu_tests", "*"),
    ("gpu_gpu_tests", "Device.RunsAKernelInsideTheArena:CudaCalls.WorkOnAStreamStaysThere"),
]
SMALL = [
    ("groth16_gpu_tests", "CudaProving.TheMiniProofsAreTheRecordedOnes"),
    ("groth16_gpu_tests", "WitnessLanes.RefuseWhatTheyCanNotTake"),
    ("msm_gpu_tests", "MsmOnDevice/0.AgreesForAFewPoints:MsmOnDevice/0.SumsSelected*"),
    ("msm_gpu_tests", "MsmOnDevice/1.AgreesForAFewPoints:MsmOnDevice/1.SumsSelected*"),
    ("ntt_gpu_tests", "Sizes/*/0:Sizes/*/1:Sizes/*/2:Sizes/*/3:Sizes/*/4:Sizes/*/5:Sizes/*/6:"
                      "Sizes/*/7:Sizes/*/8:Sizes/*/10"),
    ("r1cs_gpu_tests", "MultiplyOnDevice.AgreesWithTheHostOnRandomSystems"),
]
# The kernels with shared memory, and all of CUB's: what racecheck is about.
SHARED_KERNELS = ["sums_kernel", "column_kernel", "row_kernel", "place_kernel", "product_kernel", "Radix",
                  "Scan"]
ADDITIONS = "add_pairs"
LAUNCHES = 40  # of the additions under one racecheck
SLICES = 8
GROTH16_RACES = SMALL[:2]


def of_kernel(name):
    return ["--kernel-name", f"kernel_substring={name}"]


def cases(tools):
    """(tool, program, filter, [option, ...])."""
    found = []
    for tool in tools:
        if tool == "memcheck":
            # Budgets are tried until one fits: an allocation that fails is no fault.
            found += [(tool, program, tests, ["--report-api-errors", "no"]) for program, tests in WHOLE]
        elif tool == "racecheck":
            found += [(tool, program, tests, []) for program, tests in SMALL[2:]]
            for program, tests in GROTH16_RACES:
                found += [(tool, program, tests, of_kernel(kernel)) for kernel in SHARED_KERNELS]
                found += [(tool, program, tests,
                           of_kernel(ADDITIONS) + ["--launch-skip", str(LAUNCHES * i),
                                                   "--launch-count", str(LAUNCHES)])
                          for i in range(SLICES)]
        else:
            found += [(tool, program, tests, []) for program, tests in SMALL]
    return found


def wait(process, seconds):
    """(verdict, peak of its memory in MB)."""
    deadline = time.monotonic() + seconds
    late = False
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            code = os.waitstatus_to_exitcode(status)
            verdict = "late" if late else "ok" if code == 0 else f"exit {code}"
            return verdict, usage.ru_maxrss // 1024
        if not late and time.monotonic() > deadline:
            late = True
            process.kill()
        time.sleep(0.1)


def run(case, options, number):
    tool, program, tests, extra = case
    command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "9", "--print-limit", "10", *extra,
               str(options.programs / program), f"--gtest_filter={tests}"]
    log = options.logs / f"{number:02d}_{tool}_{program}.log"
    began = time.monotonic()
    with log.open("w") as out:
        verdict, megabytes = wait(subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT),
                                  options.seconds)
    text = log.read_text(errors="replace")
    summary = re.findall(r"(?:ERROR|RACECHECK) SUMMARY: (.*)", text)
    if verdict == "ok" and "[  PASSED  ]" not in text:
        verdict = "no tests"
    return case, verdict, f"{time.monotonic() - began:6.1f} s {megabytes:6} MB", (summary or ["none"])[-1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--tools", default="memcheck,racecheck,initcheck,synccheck")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--logs", type=pathlib.Path, default=pathlib.Path("build/sanitize"))
    options = parser.parse_args()
    options.logs.mkdir(parents=True, exist_ok=True)
    todo = [case for case in cases(options.tools.split(","))
            if options.only in " ".join([*case[:3], *case[3]])]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = [pool.submit(run, case, options, i) for i, case in enumerate(todo)]
        for future in concurrent.futures.as_completed(futures):
            (tool, program, tests, extra), verdict, cost, summary = future.result()
            failed += verdict != "ok"
            print(f"{verdict:8} {tool:10} {cost}  {program} {tests[:60]} {' '.join(extra[1:])}: {summary}",
                  flush=True)
    print(f"{len(todo)} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
