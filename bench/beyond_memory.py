#!/usr/bin/env python3
"""Runs whose summaries are more than memory is to hold: what they take of it, and where their time goes.

    bench/beyond_memory.py --csv beyond_memory.csv

A shot with a closed form and one or two steps, so that nearly all is summaries: of each 12 numbers, its status and two
drawn inputs. `table` says where the summaries lie. The time of a command is split by what appears beside its result:
its journal, with which the run begins; run_s as it says itself; then statistics and digest, until the result begins;
then the result. `packed_mb_s` are bytes before they are deflated, per second of that. On one thread the command is kept
to one processor. peak_rss_mb is what the process had resident at most, without what the system keeps of files. The best
of some rounds counts, but of the largest run there is one. The folder needs room for three times the summaries.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

STUDY = """system = "projectile"
scheme = "exact"
samples = 1000
step = 40
end = 80
[start]
speed = 100
[vary]
"start.angle" = { uniform = [0.1, 1.5] }
"projectile.drag" = { choice = [0.0, 0.02, 0.05, 0.1] }
"""
BYTES = 12 * 8 + 4 + 2 * 8 + 8 + 4  # columns, status, two arrays of numbers, inputs


def measured(program, samples, threads, memory, folder):
    config, result = os.path.join(folder, "shots.toml"), os.path.join(folder, "r.h5")
    with open(config, "w") as file:
        file.write(STUDY)
    command = ["taskset", "-c", "0"] if threads == 1 else []
    command += [program, "run", config, "--samples", str(samples), "--quiet", "--json", "--force", "-o", result]
    environment = dict(os.environ, **({"SCREE_TABLE_MEMORY": memory} if memory else {}))
    start = time.perf_counter()
    moments = {}
    with open(os.path.join(folder, "out.json"), "w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, env=environment)
        while True:
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            there = os.listdir(folder)
            now = time.perf_counter() - start
            if "r.h5.journal" in there:
                moments.setdefault("run", now)
                if any(name.startswith(".r.h5.") and name.endswith(".part") for name in there):
                    moments.setdefault("result", now)
            time.sleep(0.01)
        end = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(command)}: exit code {process.returncode}")
        out.seek(0)
        run = json.load(out)["wall_s"]
    writing = end - moments["result"]
    row = [samples, threads, "file" if memory or samples * 96 > 1e9 else "memory", f"{used.ru_maxrss * 1024 / 1e6:.0f}",
           f"{end:.2f}", f"{moments['run']:.2f}", f"{run:.2f}", f"{moments['result'] - moments['run'] - run:.2f}",
           f"{writing:.2f}", os.path.getsize(result), f"{BYTES * samples / 1e6 / writing:.0f}"]
    os.remove(result)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default="build/release/scree")
    parser.add_argument("--rounds", type=int, default=3, help="of runs of up to 1e7 samples, of which the best counts")
    parser.add_argument("--most", type=float, default=1e8, help="samples of the largest run")
    parser.add_argument("--folder", help="where the files go; a temporary folder if not given")
    parser.add_argument("--csv", help="the file to write; stdout if not given")
    given = parser.parse_args()
    cases = [(10**6, 2, None), (10**7, 1, None), (10**7, 2, None), (10**7, 2, "1e6"), (10**8, 2, None)]
    out = open(given.csv, "w", newline="") if given.csv else sys.stdout
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["samples", "threads", "table", "peak_rss_mb", "seconds", "start_s", "run_s", "statistics_s",
                   "result_s", "result_bytes", "packed_mb_s"])
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        program = os.path.abspath(given.program)
        for samples, threads, memory in cases:
            if samples > given.most:
                continue
            rounds = given.rounds if samples <= 10**7 else 1
            each = [measured(program, samples, threads, memory, folder) for _ in range(rounds)]
            rows.writerow(min(each, key=lambda row: float(row[4])))
            out.flush()
    if given.csv:
        out.close()


main()
