#!/usr/bin/env python3
"""What parts cost: the same samples by one process, by processes side by side, by MPI ranks, and merged.

    bench/shards.py --program build/release/scree --mpi build/release/scree-mpi --csv shards.csv

Everything is measured in processor time, so that four processes may be compared on two processors, each with one
thread; the rounds go in turns, and the least time of each counts. `whole` is one process; `parts` so many processes at
once, each with a part, then the merge; `ranks` the same by mpirun; `part` all of one process's parts one after the
other, so that less `whole` and over the number of parts it is what a part costs to begin and to end; `merge` the
merging of these, which runs sixteen samples of each part again, `merge_unchecked` and `link_unchecked` without (--check
0). Columns: what, parts, samples, processor seconds, wall seconds, ratio of processor time to that of `whole`.
"""
import argparse
import csv
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

CONFIG = ["run", "configs/rock_ramp.toml", "--scheme", "implicit", "--quiet", "--threads", "1", "--no-sensitivity"]


def measured(commands, env=None):
    """Processor and wall time of commands that run at once."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    running = [subprocess.Popen(c, stdout=subprocess.DEVNULL, env=env) for c in commands]
    for process, command in zip(running, commands):
        if process.wait() != 0:
            sys.exit(f"{' '.join(command)}: exit code {process.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default="build/release/scree")
    parser.add_argument("--mpi", default="build/release/scree-mpi")
    parser.add_argument("--launcher", default="mpirun")
    parser.add_argument("--samples", type=int, default=8000)
    parser.add_argument("--many", type=int, default=100, help="parts of `part` and of what is merged")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--csv", help="the file to write; stdout if not given")
    given = parser.parse_args()
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
               OMPI_MCA_rmaps_base_oversubscribe="1")
    best = {}
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "r.h5")
        run = CONFIG + ["--samples", str(given.samples), "-o", result]

        def measure(what, parts, *steps):
            total = [0.0, 0.0]
            for commands in steps:
                total = [a + b for a, b in zip(total, measured(commands, env))]
            before = best.get((what, parts), [float("inf")] * 2)
            best[what, parts] = [min(a, b) for a, b in zip(before, total)]

        def fresh():
            shutil.rmtree(result + ".shards", ignore_errors=True)
            if os.path.exists(result):
                os.remove(result)

        merge = [given.program, "merge", result + ".shards", "-o", result, "--quiet", "--force"]
        for _ in range(given.rounds):
            fresh()
            measure("whole", 1, [[given.program, *run]])
            fresh()
            measure("parts", 4, [[given.program, *run, "--shard", f"{i}/4"] for i in range(4)], [merge])
            fresh()
            measure("ranks", 4, [[given.launcher, "-n", "4", given.mpi, *run, "--shards", "4"]])
            fresh()
            measure("part", given.many, *[[[given.program, *run, "--shard", f"{i}/{given.many}"]]
                                          for i in range(given.many)])
            measure("merge", given.many, [merge])
            measure("merge_unchecked", given.many, [[*merge, "--check", "0"]])
            measure("link_unchecked", given.many, [[*merge, "--link", "--check", "0"]])
    out = open(given.csv, "w", newline="") if given.csv else sys.stdout
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["what", "parts", "samples", "processor_s", "wall_s", "ratio"])
    for (what, parts), (used, took) in best.items():
        rows.writerow([what, parts, given.samples, f"{used:.3f}", f"{took:.3f}", f"{used / best['whole', 1][0]:.3f}"])
    if given.csv:
        out.close()


main()
