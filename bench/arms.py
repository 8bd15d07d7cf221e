#!/usr/bin/env python3
"""Times arms of `scree compare` beside each other: what a value of the config costs.

    bench/arms.py configs/rock_ramp_100m.toml --csv rock_restitution.csv -- \\
        --schemes implicit --arms rock.restitution=0,0.01,0.2,0.5,0.9 --samples 200

    bench/arms.py configs/rock_tyrol.toml --csv grid_maps.csv --each=--maps=5 --each=--maps=2 -- \\
        --schemes implicit --arms maps.on=false,true --samples 120

What follows `--` goes to `scree compare`, which runs the arms one after the other on one thread, again in every round;
the best time of each arm counts. With --each this is done with each of these options too, named in the column
`options`. Columns: ns_per_step is time per sample-step; time_ratio is the time of the whole arm over that of the first
with the same options, ratio_per_step the same per sample-step. Exits with 1 if an arm's digest differs between rounds.
"""
import argparse
import csv
import json
import subprocess
import sys


def compare(program, config, options):
    command = [program, "compare", config, "--threads", "1", "--quiet", "--json", *options]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("config")
    parser.add_argument("--program", default="build/release/scree")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--csv", help="the file to write; stdout if not given")
    parser.add_argument("--each", action="append", help="options of scree compare, as --each=--maps=2; may be repeated")
    ours, theirs = sys.argv[1:], []
    if "--" in ours:
        place = ours.index("--")
        ours, theirs = ours[:place], ours[place + 1:]
    given = parser.parse_args(ours)

    each = given.each or [""]
    best = {}
    for _ in range(given.rounds):
        for options in each:
            printed = compare(given.program, given.config, theirs + options.split())
            for name, arm in printed["arms"].items():
                known = best.setdefault((options, name), arm)
                if known["digest"] != arm["digest"]:
                    sys.exit(f"{name}: the digest differs between rounds")
                if arm["wall_s"] < known["wall_s"]:
                    best[options, name] = arm

    out = open(given.csv, "w", newline="") if given.csv else sys.stdout
    rows = csv.writer(out, lineterminator="\n")
    named = ["options"] if given.each else []
    rows.writerow(["config", *named, "arm", "scheme", "backend", "device", "samples", "sample_steps", "wall_s",
                   "ns_per_step", "time_ratio", "ratio_per_step", "sweeps_mean", "capped_steps_mean", "digest",
                   "commit"])
    for (options, name), arm in best.items():
        first = best[options, printed["baseline"]]
        per_step = arm["wall_s"] / arm["sample_steps"]
        mean = {key: arm["statistics"].get(key, {}).get("mean", "") for key in ("sweeps_mean", "capped_steps")}
        rows.writerow([given.config, *([options] if given.each else []), name, arm["scheme"], arm["backend"],
                       arm["device"], arm["samples"], arm["sample_steps"], f'{arm["wall_s"]:.4f}',
                       f"{1e9 * per_step:.1f}",
                       f'{arm["wall_s"] / first["wall_s"]:.2f}',
                       f'{per_step / (first["wall_s"] / first["sample_steps"]):.2f}', mean["sweeps_mean"],
                       mean["capped_steps"], arm["digest"], printed["program"]["commit"]])
    if given.csv:
        out.close()


main()
