#!/usr/bin/env python3
"""Fails when the libraries call something of the CUDA runtime that no test would see.

usage: check_cuda_calls.py NM CUDA_CALLS_CPP ARCHIVE...
Asks nm which calls of the runtime the archives refer to, those of CUB's headers included. Each must
be watched by tests/support/cuda_calls.cpp, and none may act on the whole device except those that
gpu/ makes at start-up and shut-down.
"""
import pathlib
import re
import subprocess
import sys

# Registration of kernels before main, the two halves of <<<>>> that queue nothing, and texts.
HARMLESS = re.compile(r"__cuda(?:Register|Unregister)\w+|__cuda(?:Push|Pop)CallConfiguration|__cudaGetKernel"
                      r"|cudaGetErrorName|cudaGetErrorString|cudaPeekAtLastError|cudaGetLastError|__cudaInitModule")
NEVER = re.compile(r"cudaDevice(?:Synchronize|Reset)|cudaMem(?:cpy|set)\w*(?<!Async)|cudaMemPool\w+"
                   r"|cuda(?:Malloc|Free)(?:Async|Managed|FromPoolAsync)|cudaStreamCreate|cudaHostRegister")


def called(nm, archive):
    listing = subprocess.run([nm, "-u", archive], check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"\bU ((?:__)?cuda[A-Z]\w*)$", listing, re.MULTILINE))


def faults(nm, watched, archives):
    for archive in archives:
        for name in sorted(called(nm, archive)):
            if HARMLESS.fullmatch(name):
                continue
            if NEVER.fullmatch(name):
                yield f"{archive}: {name} acts on more than a stream"
            elif name not in watched:
                yield f"{archive}: {name} is not watched by the tests"


def main():
    nm, source, *archives = sys.argv[1:]
    watched = set(re.findall(r"^BELFRY_WATCH\((\w+),", pathlib.Path(source).read_text(encoding="utf-8"), re.MULTILINE))
    found = list(faults(nm, watched, archives))
    print("\n".join(found) or f"cuda calls ok: {len(archives)} archives, {len(watched)} calls")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
