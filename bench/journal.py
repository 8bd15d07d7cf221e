#!/usr/bin/env python3
"""What the journal costs: runs with and without one, in turns; the best time of each counts.

    bench/journal.py --csv journal.csv

A case is a config, a number of samples, and the seconds after which samples are kept: every one in runs of some
seconds, ten times as often as by default, and in a longer run as often as by default. The whole command is timed, with
its result, which is written in either way. Columns: those, seconds, ratio to the run without, bytes of the journal when
the run ended (that of a run which is killed then).
"""
import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time

CASES = [
    ("configs/rock_ramp.toml", "implicit", 20000, "1"),
    ("configs/projectile_range.toml", "rk4", 2000000, "1"),
    ("configs/projectile_range.toml", "rk4", 20000000, "10"),
    ("configs/slider_valley.toml", "rk4", 20000, "1"),
]


def seconds(program, config, scheme, samples, every, folder):
    command = [program, "run", config, "--scheme", scheme, "--samples", str(samples), "--quiet", "--force",
               "--no-sensitivity", "-o", os.path.join(folder, "r.h5"), "--checkpoint", every]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    journal, largest = os.path.join(folder, "r.h5.journal"), 0
    while process.poll() is None:
        time.sleep(0.05)
        if os.path.exists(journal):
            try:
                largest = max(largest, os.path.getsize(journal))
            except OSError:
                pass
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {process.returncode}")
    return time.perf_counter() - start, largest


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default="build/release/scree")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--csv", help="the file to write; stdout if not given")
    given = parser.parse_args()
    best = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(given.rounds):
            for *case, kept_every in CASES:
                for every in ("0", kept_every):
                    took = seconds(given.program, *case, every, folder)
                    key = (*case, kept_every, every)
                    best[key] = min(best.get(key, took), took)
    out = open(given.csv, "w", newline="") if given.csv else sys.stdout
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["config", "scheme", "samples", "kept_every_s", "seconds", "ratio", "journal_bytes"])
    for (*case, kept_every, every), (took, size) in best.items():
        ratio = took / best[*case, kept_every, "0"][0]
        rows.writerow([*case, every if every != "0" else "never", f"{took:.3f}", f"{ratio:.3f}", size])
    if given.csv:
        out.close()


main()
