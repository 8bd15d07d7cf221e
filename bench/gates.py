#!/usr/bin/env python3
"""What gates cost: rocks of configs/rock_ramp.toml without any, and with ten lines of five segments across their way.

    bench/gates.py --csv gates.csv

The samples run in packs on one thread, with and without gates in turns; the best of each counts. Columns: gates,
segments of each, samples, seconds that the samples ran, ratio to the run without, digest of the samples, commit. Exits
with 1 if gates change that digest.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile

GATES, SEGMENTS = 10, 5


def with_gates(text):
    """Lines 30 m apart, which bend at every 40 m."""
    for i in range(GATES):
        x = 20 + 30 * i
        line = [[x + 3 * (j % 2), -100 + 40 * j] for j in range(SEGMENTS + 1)]
        text += f'\n[[gate]]\nname = "at {x} m"\nline = {line}\n'
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default="build/release/scree")
    parser.add_argument("--samples", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--csv", help="the file to write; stdout if not given")
    given = parser.parse_args()
    with open("configs/rock_ramp.toml") as file:
        ramp = file.read()
    best = {}
    with tempfile.TemporaryDirectory() as folder:
        configs = {0: ramp, GATES: with_gates(ramp)}
        for gates, text in configs.items():
            with open(os.path.join(folder, f"{gates}.toml"), "w") as file:
                file.write(text)
        for _ in range(given.rounds):
            for gates in configs:
                config = os.path.join(folder, f"{gates}.toml")
                command = [given.program, "run", config, "--scheme", "implicit", "--backend", "pack", "--threads", "1",
                           "--samples", str(given.samples), "--no-sensitivity", "--quiet", "--json"]
                printed = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
                if gates not in best or printed["wall_s"] < best[gates]["wall_s"]:
                    best[gates] = printed
    out = open(given.csv, "w", newline="") if given.csv else sys.stdout
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["gates", "segments", "samples", "seconds", "ratio", "digest", "commit"])
    for gates, printed in best.items():
        rows.writerow([gates, SEGMENTS if gates > 0 else 0, printed["samples"], f"{printed['wall_s']:.3f}",
                       f"{printed['wall_s'] / best[0]['wall_s']:.3f}", printed["digest"],
                       printed["program"]["commit"]])
    if given.csv:
        out.close()
    if best[0]["digest"] != best[GATES]["digest"]:
        sys.exit("gates change the digest of the samples")


main()
