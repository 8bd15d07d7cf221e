#!/usr/bin/env python3
"""What a run with large maps takes of memory: rocks that start anywhere on a slope of 4 km^2, with cells of 1 m.

    bench/map_memory.py --csv map_memory.csv

Each rock comes through some eight cells, so that a million reach most of four million. A run keeps its journal and
writes its result. peak_rss_mb is what the process had resident at most; told_mb is what it says that the samples and
the maps take, for the cells and the bins that there were: what is beyond it was held only for a while. Ends with the
exit code of a run that fails.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

STUDY = """system = "rock"
scheme = "implicit"
samples = 1000
step = 0.002
end = 2.0
[rock]
ground = "soft"
[terrain]
kind = "ramp"
slope = 20.0
height = 1000.0
[[shape]]
name = "EOTA221"
kind = "eota"
size = [1.0, 1.0, 0.5]
density = 2700.0
[start]
gap = 0.2
[vary]
orientation = "uniform"
"start.position" = { polygon = [[10, -1000], [2010, -1000], [2010, 1000], [10, 1000]] }
"start.velocity.x" = { uniform = [2.0, 8.0] }
[maps]
cell = 1.0
extent = [0, -1000, 2000, 1000]
"""


def measured(program, samples, folder):
    config, result = os.path.join(folder, "slope.toml"), os.path.join(folder, "r.h5")
    with open(config, "w") as file:
        file.write(STUDY)
    command = [program, "run", config, "--samples", str(samples), "--quiet", "--json", "--no-sensitivity"]
    dry = json.loads(subprocess.run([*command, "--dry-run"], check=True, stdout=subprocess.PIPE).stdout)["dry_run"]
    start = time.perf_counter()
    with open(os.path.join(folder, "out.json"), "w+") as out:
        process = subprocess.Popen([*command, "-o", result, "--checkpoint", "10"], stdout=out)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            print(f"{' '.join(command)}: exit code {process.returncode}", file=sys.stderr)
            sys.exit(process.returncode)
        out.seek(0)
        printed = json.load(out)
    maps = printed["maps"]
    # Where the raster's cells lie, 4 bytes each, is in both.
    told = dry["memory_needed"] + maps["bytes"] - 4 * maps["columns"] * maps["rows"]
    row = [samples, maps["columns"] * maps["rows"], maps["touched"], f"{maps['bytes'] / 1e6:.0f}", f"{told / 1e6:.0f}",
           f"{used.ru_maxrss * 1024 / 1e6:.0f}", f"{seconds:.1f}", printed["digest"], maps["digest"],
           printed["program"]["commit"]]
    os.remove(result)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default="build/release/scree")
    parser.add_argument("--samples", type=float, nargs="*", default=[1e5, 1e6])
    parser.add_argument("--csv", help="the file to write; stdout if not given")
    given = parser.parse_args()
    out = open(given.csv, "w", newline="") if given.csv else sys.stdout
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["samples", "cells", "reached", "maps_mb", "told_mb", "peak_rss_mb", "seconds", "digest",
                   "maps_digest", "commit"])
    for samples in given.samples:
        with tempfile.TemporaryDirectory() as folder:
            rows.writerow(measured(given.program, int(samples), folder))
        out.flush()


if __name__ == "__main__":
    main()
