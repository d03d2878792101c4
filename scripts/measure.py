#!/usr/bin/env python3
"""Takes the figures of docs/perf that have a bound, one after another, and prints one table.

usage: scripts/measure.py [--belfry PROGRAM] [--bench FOLDER] [--only WORD]

Runs commands of `belfry` (build/release/belfry) and, where FOLDER (build/bench) has them, the comparison
with blst and the bench of field lanes. Each row is one command, whose time and memory are those of the
process as the kernel counts them, or what the command itself measured where a row names a member of its
JSON answer. Everything is written below build/measure (5 GB, most of it a 512 MiB sector) and removed. A
quiet machine with two cores and AVX-512 IFMA takes about five minutes. Nothing is judged: a figure
counts if nothing else ran, and the load average in front says whether.
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
VECTORS = ROOT / "tests/vectors"
MB = 1_000_000

Run = collections.namedtuple("Run", "wall user system peak_mb answer")


def read_json(name):
    return json.loads((VECTORS / name).read_text())


def run(command):
    """Runs a command of words; a failure ends everything."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, text=True)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"measure: {shlex.join(map(str, command))}\n{text}")
    lines = text.splitlines()
    answer = json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {"text": text}
    return Run(wall, usage.ru_utime, usage.ru_stime, usage.ru_maxrss * 1024 / MB, answer)


class Table:
    def __init__(self, only):
        self.only = only

    def wants(self, name):
        return self.only in name

    def header(self):
        model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo")
                      if line.startswith("model name")), "unknown CPU")
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True,
                                stdout=subprocess.PIPE, check=False).stdout.strip()
        print(f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC, commit {commit}, "
              f"{model}, {os.cpu_count()} CPUs")
        print(f"{'load':>5} {'what':<42} {'wall s':>8} {'user s':>8} {'sys s':>7} {'MB':>7}  asked; remarks")

    def row(self, name, command, asked, runs=1, told=None):
        """The best of some runs; `told` makes a remark of the best one's answer."""
        if not self.wants(name):
            return
        load = os.getloadavg()[0]
        best = min((run(command) for _ in range(runs)), key=lambda r: r.wall)
        remark = "; " + told(best) if told else ""
        print(f"{load:5.1f} {name:<42} {best.wall:8.2f} {best.user:8.2f} {best.system:7.2f} "
              f"{best.peak_mb:7.0f}  {asked}{remark}", flush=True)


def file_size(path):
    return lambda _run: f"file {path.stat().st_size / MB:.1f} MB"


def bench_row(name):
    """What a bench says of the row whose name begins so, and of its memory."""
    def told(measured):
        row = next(row for row in measured.answer["rows"] if row["name"].startswith(name))
        text = f"{name} {row['seconds']:.3f} s"
        if "share" in row:
            text += f", {100 * row['share']:.1f} % of the floor's rate"
        if "work_memory_bytes" in measured.answer:
            text += f", {measured.answer['work_memory_bytes'] / MB:.0f} MB"
        return text
    return told


def beside_parameters(path):
    return lambda measured: f"{measured.peak_mb - path.stat().st_size / MB:.0f} MB beside the parameters"


class Figures:
    def __init__(self, table, belfry, bench, work):
        self.table, self.belfry, self.bench, self.work = table, belfry, bench, work
        self.params = work / "params"

    def command(self, *words):
        return [str(word) for word in (self.belfry, *words, "--json", "--quiet")]

    def proving(self, *words):
        return self.command("prove", *words, "--params", self.params, "--cache", self.work / "cache",
                            "--out", self.work / "proof.bin")

    def setup(self, circuit, asked=""):
        # Proofs need parameters, so these rows come with --only as well.
        kept, self.table.only = self.table.only, ""
        self.table.row(f"setup {circuit}",
                       self.command("setup", circuit, "--test-trapdoor", VECTORS / "trapdoor.json",
                                    "--out", self.params), asked)
        self.table.only = kept

    def parameters(self, circuit):
        """The .params file that was made last for a circuit of this family."""
        family = "stacked" if circuit.startswith("porep") else "empty-sector-update"
        return next(self.params.glob(f"*{family}*.params"))

    def porep(self):
        if self.table.wants("porep-2KiB"):
            self.setup("porep-2KiB", "45 s, aim 12")
            c1 = VECTORS / "porep-2kib-v1_1/c1.json"
            self.table.row("prove porep-2KiB",
                           self.proving("porep", "--c1", c1, "--miner", "f01000", "--sector", 1),
                           "10 s, aim 2.5; 1 GiB beside parameters", runs=3,
                           told=beside_parameters(self.parameters("porep")))
        shape = self.work / "porep.shape"
        self.table.row("circuit extract porep-32GiB, one core",
                       self.command("circuit", "extract", "porep-32GiB", "--out", shape, "--threads", 1),
                       "15 s, 1 GiB, 260 MB", told=file_size(shape))
        self.table.row("circuit digest porep-32GiB", self.command("circuit", "digest", "porep-32GiB"),
                       "180 s")
        self.table.row("bench witness porep-32GiB, one core",
                       self.command("bench", "witness", "porep-32GiB", "--threads", 1),
                       "2 s, aim 1; 200 MB", told=bench_row("witness"))
        self.table.row("bench c1", self.command("bench", "c1"), "2 s for 200 MB",
                       told=bench_row("C1 parse"))

    def sums(self):
        program = self.bench / "src/belfry/msm/blst_compare"
        if program.exists():
            self.table.row("blst_compare 20 3", [str(program), "20", "3"],
                           "4 times blst, aim 8; without IFMA 1.2",
                           told=lambda measured: "\n" + measured.answer["text"].rstrip())
        elif self.table.wants("blst_compare"):
            print(f"      blst_compare is not in {self.bench} (bench/README.md): Belfry alone")
        for threads in (1, 2):
            self.table.row(f"bench msm 2^20, {threads} threads",
                           self.command("bench", "msm", "--log-size", 20, "--threads", threads), "",
                           told=bench_row("G1 full"))
        program = self.bench / "src/belfry/field/field_bench"
        if program.exists():
            self.table.row("field_bench, multiplications in lanes",
                           [str(program), "--benchmark_filter=lanes_multiply"], "6 ns a lane",
                           told=lambda measured: "\n" + measured.answer["text"].rstrip())

    def update(self):
        if not self.table.wants("prove update-2KiB"):
            return
        self.setup("update-2KiB")
        update = read_json("update-2kib/update.json")
        commitments = [word for name in ("comm_r_old", "comm_r_new", "comm_d_new")
                       for word in ("--" + name.replace("_", "-"), update[name])]
        self.table.row("prove update-2KiB",
                       self.proving("update", "--vanilla", VECTORS / "update-2kib/vanilla-0.bin",
                                    "--proof-type", "StackedDrg2KiBV1", *commitments),
                       "7 s, aim 3", runs=3, told=beside_parameters(self.parameters("update")))

    def post(self):
        if self.table.wants("prove winning-2KiB"):
            self.setup("winning-2KiB")
            post = read_json("winning-2kib/post.json")
            self.table.row("prove winning-2KiB",
                           self.proving("winning", "--vanilla", VECTORS / "winning-2kib/vanilla-1.bin",
                                        "--miner", "f01000", "--proof-type", post["post_proof"],
                                        "--randomness", post["randomness"]), "1.3 s, aim 0.5", runs=3)
        if self.table.wants("bench proof winning-32GiB"):
            self.setup("winning-32GiB")
            self.table.row("bench proof winning-32GiB",
                           self.command("bench", "proof", "winning-32GiB", "--backend", "cpu", "--params", self.params,
                                        "--cache", self.work / "cache"),
                           "5 s, aim 2", told=bench_row("total"))
        shape = self.work / "window.shape"
        self.table.row("circuit extract window-32GiB",
                       self.command("circuit", "extract", "window-32GiB", "--out", shape), "8 MB",
                       told=file_size(shape))
        # The first witness waits for the hypervisor's memory (docs/perf/post.md): the second counts.
        self.table.row("bench witness window-32GiB, one core",
                       self.command("bench", "witness", "window-32GiB", "--threads", 1, "--runs", 2),
                       "10 core-s", told=bench_row("checks and witness"))

    def seal(self, size, data_bytes, asked):
        if not self.table.wants(f"c1 of seal {size}"):
            return
        data, sector = self.work / "data", self.work / f"sector-{size}"
        block = random.Random(1).randbytes(127 << 13)
        with data.open("wb") as file:
            for _ in range(data_bytes // len(block)):
                file.write(block)
        self.table.row(f"seal {size}",
                       self.command("seal", "--proof-type", f"StackedDrg{size}V1_1", "--data", data, "--miner",
                                    "f01000", "--sector", 1, "--ticket", "01" * 32, "--out", sector), asked)
        if sector.exists():
            self.table.row(f"c1 of seal {size}",
                           self.command("c1", "--dir", sector, "--seed", "02" * 32, "--out",
                                        self.work / f"c1-{size}.json"), "with it")
            shutil.rmtree(sector)

    def sealing(self):
        # A sector holds 127 bytes of data in 128.
        self.seal("8MiB", (8 << 20) // 128 * 127, "4 s, aim 2, with its C1")
        self.seal("512MiB", (512 << 20) // 128 * 127, "minutes, 2 GiB")

    def aggregate(self):
        folder = VECTORS / "porep-2kib-ni"
        self.table.row("aggregate 13 proofs, padded to 16",
                       self.command("aggregate", "--proof", folder / "proof.bin", "--c1", folder / "c1.json",
                                    "--aggregation", "SnarkPackV2", "--params", VECTORS / "parameters",
                                    "--out", self.work / "aggregate.bin"), "1 s", runs=3)

    def take(self):
        for group in (self.porep, self.sums, self.update, self.post, self.aggregate, self.sealing):
            group()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--belfry", type=pathlib.Path, default=ROOT / "build/release/belfry")
    parser.add_argument("--bench", type=pathlib.Path, default=ROOT / "build/bench")
    parser.add_argument("--only", default="", help="rows whose name holds this text")
    arguments = parser.parse_args()
    if not arguments.belfry.exists():
        sys.exit(f"measure: {arguments.belfry} is not there: make build")
    work = ROOT / "build/measure"
    shutil.rmtree(work, ignore_errors=True)
    (work / "params").mkdir(parents=True)
    table = Table(arguments.only)
    table.header()
    try:
        Figures(table, arguments.belfry.resolve(), arguments.bench.resolve(), work).take()
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
