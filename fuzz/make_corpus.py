#!/usr/bin/env python3
"""Makes the seeds of the fuzz targets from the reference vectors.

usage: make_corpus.py VECTORS BUILD_FOLDER
Writes BUILD_FOLDER/seeds/<target>/. Seeds are small, so that a mutation costs little.
"""
import base64
import hashlib
import json
import pathlib
import subprocess
import sys

SMALL = 64 << 10


def put(folder, name, content):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def wrapped(c1):
    """The Lotus/Curio wrapper around a C1 output (spec formats.md 5.3)."""
    text = json.dumps({"SectorNum": 1, "Phase1Out": base64.b64encode(c1).decode(), "SectorSize": 2048})
    return text.encode()


CONFIG = b'''# every setting
params = "/p"
cache = "/c"
backend = "auto"
threads = 2
memory_budget = "16GiB"
vram_budget = "512MiB"
log_level = "warn"
log_format = "json"
quiet = true
'''
# Canonical: they count up.
NODES = b"".join(i.to_bytes(32, "little") for i in range(1, 300))
VERDICT = b"belfry parameter verdict 1\npath /f\nbytes 1\nmodified_ns 2\ndigest " + b"0f" * 16 + b"\n"


def trapdoor(path):
    """The trapdoor with one entry of randomness."""
    content = json.loads(path.read_text())
    return json.dumps({**content, "r": content["r"][:1], "s": content["s"][:1]}).encode()


def synthetic_record(numbers=False):
    """The roots and record 3 of a synthetic 2 KiB sector, about node 5; with `numbers` those of another
    node stand in the record (spec formats.md 3.9)."""
    return bytes([3, 5, 1 if numbers else 0]) + NODES[:96] + (bytes(15 * 8) if numbers else b"") + NODES[96:]


def manifest():
    stem = "v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"
    entry = {"cid": "QmVxjFRyhmyQaZEtCh7nk2abc7LhFkzhnRX4rcHqCCpikR",
             "digest": "7610b9f82bfc88405b7a832b651ce2f6", "sector_size": 2048}
    return json.dumps({stem + "0" * 64 + ".params": entry, stem + "0" * 64 + ".vk": entry},
                      indent=2).encode()


def t_aux():
    """What the reference leaves beside a 2 KiB sector (spec formats.md 3.9)."""
    def u64(value):
        return value.to_bytes(8, "little")

    stores = [("layer-1", 64, 0), ("layer-2", 64, 0), ("tree-d", 127, 0), ("tree-r-last", 73, 1), ("tree-c", 73, 0)]
    out = u64(2)
    for name, size, discarded in stores:
        out += u64(5) + b"cache" + u64(len(name)) + name.encode() + b"\x01" + u64(size) + u64(discarded)
    return out


def small_srs(content, powers):
    """The first powers of each list of an SRS (spec formats.md 1.7)."""
    out = b""
    at = 0
    for point_bytes in (48, 48, 96, 96):
        count = int.from_bytes(content[at:at + 4], "big")
        out += powers.to_bytes(4, "big") + content[at + 4:at + 4 + powers * point_bytes]
        at += 4 + count * point_bytes
    return out


def derived(counts):
    """Derived parameters of these counts with zeros for points (docs/formats.md)."""
    head_bytes = page = 4096
    at = head_bytes
    for count, point_bytes in zip(counts, (96, 96, 96, 96, 192)):
        at = -(-at // page) * page + count * point_bytes
    data = bytes(at - head_bytes)
    table = b"".join(hashlib.sha256(data[i:i + (16 << 20)]).digest() for i in range(0, len(data), 16 << 20))
    head = b"BLFDERIV" + (1).to_bytes(4, "little") + len(counts).to_bytes(4, "little")
    head += (at + len(table)).to_bytes(8, "little") + (16 << 20).to_bytes(8, "little") + bytes(64)
    head += b"".join(count.to_bytes(8, "little") for count in counts) + hashlib.sha256(table).digest()
    head += hashlib.sha256(head).digest()
    return head.ljust(head_bytes, b"\0") + data + table


def main():
    vectors, build = map(pathlib.Path, sys.argv[1:])
    seeds = build / "seeds"
    for path in sorted(vectors.glob("mini/*/*.params")):
        if path.stat().st_size <= SMALL:
            put(seeds / "fuzz_params", path.name, path.read_bytes())
    for path in sorted(vectors.glob("**/*.vk")):
        if path.stat().st_size <= SMALL:
            put(seeds / "fuzz_vk", path.name, path.read_bytes())
    for number, path in enumerate(sorted(vectors.glob("**/proof*.bin"))):
        put(seeds / "fuzz_proof", f"{number}.bin", path.read_bytes())
    for path in sorted(vectors.glob("**/aggregate*.bin")):
        put(seeds / "fuzz_aggregate", path.name, path.read_bytes())
    for path in sorted(vectors.glob("parameters/*.srs")):
        put(seeds / "fuzz_srs", "small.srs", small_srs(path.read_bytes(), 4))
    put(seeds / "fuzz_derived", "small.derived", derived((9, 5, 3, 2, 2)))
    put(seeds / "fuzz_derived", "few.derived", derived((2, 1, 1, 1, 1)))
    c1 = (vectors / "porep-2kib-v1_1" / "c1.json").read_bytes()
    put(seeds / "fuzz_c1", "plain.json", c1)
    put(seeds / "fuzz_c1", "compact.json", json.dumps(json.loads(c1), separators=(",", ":")).encode())
    put(seeds / "fuzz_c1", "wrapped.json", wrapped(c1))
    put(seeds / "fuzz_c1", "inner.json", (vectors / "porep-32kib" / "c1-inner.json").read_bytes())
    # The first byte chooses the kind (even: winning) and the row of the sector table.
    for choice, path in ((0, "winning-2kib/vanilla-1.bin"), (1, "window-2kib-1sector/vanilla-1.bin"),
                         (7, "porep-32kib/window/vanilla-1.bin")):
        put(seeds / "fuzz_vanilla_post", f"{choice}.bin", bytes([choice]) + (vectors / path).read_bytes())
    put(seeds / "fuzz_vanilla_update", "2kib.bin", (vectors / "update-2kib" / "vanilla-0.bin").read_bytes())
    # The first byte chooses the kind of file.
    texts = seeds / "fuzz_text_files"
    put(texts, "manifest.json", b"\0" + manifest())
    put(texts, "empty-manifest.json", b"\0{}")
    put(texts, "config.toml", b"\1" + CONFIG)
    put(texts, "verdict", b"\2" + VERDICT)
    put(texts, "trapdoor.json", b"\3" + trapdoor(vectors / "trapdoor.json"))
    for kind in range(4):
        put(texts, f"empty-{kind}", bytes([kind]))
    sector = seeds / "fuzz_sector_files"
    put(sector, "t_aux", b"\0" + t_aux())
    put(sector, "p_aux", b"\1" + NODES[:64])
    put(sector, "synthetic", b"\2" + synthetic_record())
    put(sector, "synthetic-numbers", b"\2" + synthetic_record(numbers=True))
    record = {"registered_proof": "StackedDrg2KiBV1_1", "miner": 1000, "sector": 1, "ticket": "01" * 32}
    put(seeds / "fuzz_sector_record", "sector.json", json.dumps(record).encode())
    (seeds / "fuzz_shape").mkdir(parents=True, exist_ok=True)
    subprocess.run([build / "fuzz" / "fuzz_seed_shape", seeds / "fuzz_shape" / "seed.shape"], check=True)


if __name__ == "__main__":
    main()
