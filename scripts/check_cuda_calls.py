#!/usr/bin/env python3
"""Fails when the libraries call something of the CUDA runtime that no test would see.

usage: check_cuda_calls.py NM CUDA_CALLS_CPP ARCHIVE...
Asks nm which calls of the runtime the archives refer to, those of CUB's headers included:
* none may be one of NEVER, which act on the whole device or on the default stream,
* those that allocate and free (MEMORY) may only be in libbelfry_gpu.a, but for IN_HEADERS,
* each other one must be watched by tests/support/cuda_calls.cpp.
nm can not tell who wrote a call that a header's template makes, so the sources outside gpu/ are
searched too: they may not name a call of MEMORY.
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

MEMORY = re.compile(r"cuda(?:Malloc|Free)\w*|cudaHost(?:Alloc|Unregister)")
# PinnedBuffer, a template of gpu/memory.h, is compiled where its users are.
IN_HEADERS = {"cudaHostAlloc", "cudaFreeHost"}
OWNER = "libbelfry_gpu.a"
ROOMS = pathlib.Path(__file__).resolve().parent.parent / "src" / "belfry"


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
            elif MEMORY.fullmatch(name) and pathlib.Path(archive).name != OWNER and name not in IN_HEADERS:
                yield f"{archive}: {name} belongs to gpu/"
            elif name not in watched:
                yield f"{archive}: {name} is not watched by the tests"


def faults_of_sources(rooms):
    for path in sorted(rooms.rglob("*")):
        if path.suffix not in {".h", ".cpp", ".cu"} or path.relative_to(rooms).parts[0] == "gpu":
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for name in re.findall(rf"\b(?:{MEMORY.pattern})(?=\()", line):
                yield f"{path}:{number}: {name} belongs to gpu/"


def main():
    nm, source, *archives = sys.argv[1:]
    watched = set(re.findall(r"^BELFRY_WATCH\((\w+),", pathlib.Path(source).read_text(encoding="utf-8"), re.MULTILINE))
    found = [*faults(nm, watched, archives), *faults_of_sources(ROOMS)]
    print("\n".join(found) or f"cuda calls ok: {len(archives)} archives, {len(watched)} calls")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
