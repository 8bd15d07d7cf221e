#!/usr/bin/env python3
"""What it takes to make a page of a result, and files for GIS programs: time and size.

    bench/pages.py --csv pages.csv

`report` makes the page of rocks that start anywhere on a slope of 4 km^2, with maps of 512 x 512 cells and 200 paths,
which are replayed; `export` writes twenty layers of 2000 x 2000 cells of 1 m as GeoTIFF, as they are for 200000 rocks.
Columns: what, samples, cells, layers (0: as many as a page shows), seconds, bytes of all files, digest of the samples,
commit. The run before is not timed.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

from map_memory import STUDY

CASES = [("report", 1000), ("report", 1000000), ("export", 200000)]
LAYERS = 20


def run(program, samples, raster, folder):
    config, result = os.path.join(folder, "slope.toml"), os.path.join(folder, "r.h5")
    with open(config, "w") as file:
        file.write(STUDY)
    command = [program, "run", config, "--samples", str(samples), "--quiet", "--json", "--no-sensitivity", "-o", result]
    for name, value in raster.items():
        command += ["--set", f"maps.{name}={value}"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout), result


def timed(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def measured(program, what, samples, folder):
    layers = 0
    if what == "report":
        printed, result = run(program, samples, {"cell": 4, "extent": "[0, -1024, 2048, 1024]"}, folder)
        page = os.path.join(folder, "page.html")
        seconds, size = timed([program, "report", result, "-o", page, "--quiet"]), os.path.getsize(page)
    else:
        printed, result = run(program, samples, {}, folder)
        names = list(printed["maps"]["layers"])[:LAYERS]
        layers = len(names)
        files = os.path.join(folder, "layers")
        seconds = timed([program, "export", result, "--to", "geotiff", "-o", files, "--layers", ",".join(names),
                         "--quiet"])
        size = sum(os.path.getsize(os.path.join(files, name)) for name in os.listdir(files))
    maps = printed["maps"]
    return [what, samples, maps["columns"] * maps["rows"], layers, f"{seconds:.2f}", size, printed["digest"],
            printed["program"]["commit"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default="build/release/scree")
    parser.add_argument("--csv", help="the file to write; stdout if not given")
    given = parser.parse_args()
    out = open(given.csv, "w", newline="") if given.csv else sys.stdout
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["what", "samples", "cells", "layers", "seconds", "bytes", "digest", "commit"])
    for case in CASES:
        with tempfile.TemporaryDirectory() as folder:
            rows.writerow(measured(given.program, *case, folder))
        out.flush()


main()
