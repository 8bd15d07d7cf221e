#!/usr/bin/env python3
"""Writes docs/validation.md and its pictures: every published or observed number beside ours.

    docs/validation.py PROGRAM [FOLDER]
    docs/validation.py PROGRAM --check

PROGRAM is the built scree, FOLDER where the page and its pictures go (docs/ if not given). All numbers are what the
program prints: `scree verify --json` and the study of Tschamut, whose data are sought in the folder SCREE_DATA. Needs
gnuplot and h5dump; takes a minute on two cores. Claims that rest on the clock are left out, so that the page is the
same on every machine. With --check nothing is written: is the page in docs/ the one that would be? 77 without the data.
"""

import argparse
import csv
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

TREE = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get("SCREE_DATA", ".")) / "tschamut2014"
GROUPS = {
    "ramp": "Ramp of Leine et al. 2021",
    "scar": "Impacts in soil, Lu et al. 2019",
    "chant_sura": "Slope of Chant Sura",
    "tschamut": "Field: run-outs at Tschamut",
    "rotor": "Free rotor",
    "block": "Sliding block",
    "slider": "Single masses, Gallotti and Tinti 2019",
    "pair": "Coupled pairs, Gallotti and Tinti 2019",
    "hard_discs": "Hard discs",
    "balls": "Balls on a line",
    "disc_box": "Disc boxes",
    "projectile": "Projectile",
    "scatter": "Stream on a plane and a ball",
    "coulomb": "Central forces",
    "disk": "Expanding disk and dam break",
}
OBSERVED = "Field: where 40 rocks stopped at Tschamut"
SLOW = ("chant_sura", "tschamut")  # half a minute each; all others together take some seconds
CELLS = ["claim", "published", "measured", "criterion", "source"]


def scree(program, *arguments):
    # verify exits with 1 where a claim has changed: the page then shows it.
    done = subprocess.run([program, *arguments, "--quiet"], cwd=TREE, stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.returncode)
    return done.stdout


def cell(text):
    return text.replace("|", "\\|")


def line(row):
    return "| " + " | ".join(cell(text) for text in row) + " |"


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + [line(row) for row in rows]) + "\n"


def paragraph(text):
    return textwrap.fill(" ".join(text.split()), 120, break_long_words=False, break_on_hyphens=False) + "\n\n"


def gnuplot(script):
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def block_of(folder, name, rows):
    """A file of rows for gnuplot."""
    path = pathlib.Path(folder) / name
    path.write_text("".join(" ".join(str(value) for value in row) + "\n" for row in rows))
    return path


# ----------------------------------------------------------------------------------------------------------------------


def ratios_picture(claims, folder, out):
    """Ours over published of the means of rocks in flight, a point each, in the band of what is allowed."""
    places = {"ramp": "ramp", "chant_sura": "Chant Sura"}
    rows, labels = [], []
    for claim in claims:
        is_mean = claim["claim"].startswith("mean ") and claim["criterion"].startswith("within 12 %")
        if claim["group"] not in places or not is_mean:
            continue
        name = claim["claim"].removeprefix("mean of the ").removeprefix("mean ").replace(" part of the slope", "")
        rows.append((len(rows), claim["measured_numbers"][0] / claim["published_numbers"][0],
                     list(places).index(claim["group"])))
        labels.append(f"{places[claim['group']]}: {name}")
    data = block_of(folder, "ratios", rows)
    tics = ", ".join(f'"{label}" {i}' for i, label in enumerate(labels))
    gnuplot(f"""
set terminal pngcairo size 1200,{130 + 24 * len(rows)} font "sans,12"
set output "{out / 'validation_rocks.png'}"
set yrange [{len(rows) - 0.3}:-0.7]
set xrange [0.5:1.3]
set ytics ({tics}) nomirror
set xtics nomirror
set xlabel "ours over published"
set border 3
set grid xtics lc rgb "#e4e4e4"
set lmargin at screen 0.36
set rmargin at screen 0.97
set tmargin at screen 0.95
set object 1 rectangle from 0.88,graph 0 to 1.12,graph 1 fc rgb "#dcebdc" fs solid noborder behind
set arrow 1 from 1,graph 0 to 1,graph 1 nohead lc rgb "#888888"
set key at screen 0.97,0.98 horizontal right
plot "{data}" using 2:($3==0?$1:NaN) with points pt 7 ps 1.2 lc rgb "#1b6ca8" title "ramp", \\
     "" using 2:($3==1?$1:NaN) with points pt 7 ps 1.2 lc rgb "#d95f02" title "Chant Sura", \\
     NaN with boxes fs solid noborder lc rgb "#dcebdc" title "within 12 %"
""")


def dumped(result, column, folder):
    """A column of a result's samples."""
    path = pathlib.Path(folder) / column
    subprocess.run(["h5dump", "-d", f"/samples/{column}", "-m", "%.17g", "-y", "-w", "1", "-o", path, result],
                   stdout=subprocess.DEVNULL, check=True)
    return path.read_text().replace(",", " ").split()


def quantile(values, p):
    values = sorted(values)
    place = p * (len(values) + 1) - 1
    low = min(max(int(place), 0), len(values) - 1)
    return values[low] + (place - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def tschamut_pictures(program, folder, out):
    """Forecast and observed run-out of each release, and resting places on the map."""
    result = pathlib.Path(folder) / "tschamut.h5"
    scree(program, "run", "configs/rock_tschamut_spread.toml", "--no-sensitivity", "-o", result)
    stopped = [status == "stopped" for status in dumped(result, "status", folder)]
    runout, x, y = ([float(text) for text in dumped(result, column, folder)]
                    for column in ("runout", "final_x", "final_y"))
    releases = [row["trajectory_id"] for row in csv.DictReader(open(DATA / "release_points.csv"))]
    observed = list(csv.DictReader(open(DATA / "observed_deposition.csv")))
    observed.sort(key=lambda row: (row["block_id"], float(row["observed_runout_m"])))
    rows = []
    for row in observed:
        first = releases.index(row["trajectory_id"])
        mine = [runout[i] for i in range(first, len(runout), len(releases)) if stopped[i]]
        rows.append((len(rows), *(quantile(mine, p) for p in (0.05, 0.25, 0.5, 0.75, 0.95)),
                     float(row["observed_runout_m"]), row["block_id"]))
    forecasts = block_of(folder, "forecasts", rows)
    borders = [i - 0.5 for i in range(1, len(rows)) if rows[i][-1] != rows[i - 1][-1]]
    blocks = sorted({row[-1] for row in rows})
    middles = [sum(row[0] for row in rows if row[-1] == b) / sum(row[-1] == b for row in rows) for b in blocks]
    tics = ", ".join(f'"block {b}" {middle}' for b, middle in zip(blocks, middles))
    arrows = "\n".join(f"set arrow from {b},graph 0 to {b},graph 1 nohead lc rgb '#bbbbbb'" for b in borders)
    gnuplot(f"""
set terminal pngcairo size 1200,560 font "sans,12"
set output "{out / 'validation_tschamut.png'}"
set border 3
set xrange [-1:{len(rows)}]
set xtics ({tics}) nomirror scale 0
set ytics nomirror
set ylabel "run-out, m"
set grid ytics lc rgb "#e4e4e4"
set key outside top center horizontal
{arrows}
plot "{forecasts}" using 1:2:(0):($6-$2) with vectors nohead lw 3 lc rgb "#b9d4ea" title "forecast: central 90 %", \\
     "" using 1:3:(0):($5-$3) with vectors nohead lw 8 lc rgb "#1b6ca8" title "central 50 %", \\
     "" using 1:4 with points pt 5 ps 0.5 lc rgb "#ffffff" notitle, \\
     "" using 1:7 with points pt 7 ps 1.1 lc rgb "#d95f02" title "observed"
""")
    places = block_of(folder, "places", [(a, b) for a, b, rests in zip(x, y, stopped) if rests])
    seen = block_of(folder, "seen", [(row["x_m"], row["y_m"]) for row in observed])
    starts = block_of(folder, "starts", [(row["release_x_m"], row["release_y_m"]) for row in observed])
    gnuplot(f"""
set terminal pngcairo size 900,720 font "sans,12"
set output "{out / 'validation_tschamut_map.png'}"
set border 3
set size ratio -1
set xtics nomirror
set ytics nomirror
set xlabel "x, m"
set ylabel "y, m"
set grid lc rgb "#e4e4e4"
set key outside top center horizontal
plot "{places}" with points pt 7 ps 0.35 lc rgb "#9ec3e0" title "forecast resting places", \\
     "{starts}" with points pt 9 ps 1.1 lc rgb "#444444" title "releases", \\
     "{seen}" with points pt 7 ps 1.1 lc rgb "#d95f02" title "observed"
""")


# ----------------------------------------------------------------------------------------------------------------------


def anchor(heading):
    return "#" + re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def differing_heading(group, claims):
    of = [claim for claim in claims if claim["group"] == group]
    return f"{GROUPS[group]}: {sum(not claim['agrees'] for claim in of)} of {len(of)}"


def groups_table(claims):
    rows = []
    for group, title in GROUPS.items():
        verdicts = [claim["agrees"] for claim in claims if claim["group"] == group]
        differ = verdicts.count(False)
        place = anchor(title if group != "tschamut" else OBSERVED)
        rows.append([f"[{title}]({place})", str(len(verdicts)), str(verdicts.count(True)),
                     f"[{differ}]({anchor(differing_heading(group, claims))})" if differ else "0",
                     f"`scree verify --only {group}`"])
    return table(["group", "claims", "agree", "differ", "made by"], rows)


def page_of(claims, timed):
    assert {claim["group"] for claim in claims} <= set(GROUPS), "a group of claims without a title here"
    observed = [claim for claim in claims if claim["group"] == "tschamut"]
    differing = [claim for claim in claims if not claim["agrees"]]
    clock = "1 more claim rests" if timed == 1 else f"{timed} more claims rest"
    page = "# Published and observed numbers beside ours\n\n"
    page += paragraph(f"""{len(claims)} claims of papers, field data, closed forms and independent codes:
        {len(claims) - len(differing)} agree by the criterion of their row, {len(differing)} differ. Those that differ
        stand first, with what is known of why.""")
    page += paragraph(f"""All of it is printed by the program: `scree verify` runs the studies and judges each row, and
        `docs/validation.py` writes this page from its JSON. No verdict is written by hand, and `verify` takes no
        criterion that cannot fail. {clock} on the clock, judged by `verify` alone.""")
    slow = " and ".join(f"`{group}`" for group in SLOW)
    page += paragraph(f"""Where the site is built, all groups but {slow}, of half a minute each, are run again, and a
        row that is not as here fails it; `tests/long.sh` makes the whole page again.""")
    page += groups_table(claims)
    page += "\n" + paragraph("""A row is one claim: what its source has, what this program has, how far apart they may
        be and where that comes from; [Sources](sources.md) has what the short names of sources stand for. `scree
        verify --json` prints the same with the bounds as numbers.""")
    page += "## What does not agree\n"
    for group, title in GROUPS.items():
        rows = [claim for claim in differing if claim["group"] == group]
        if not rows:
            continue
        page += f"\n### {differing_heading(group, claims)}\n\n"
        heads, keys = ["claim", "published", "ours", "may be", "source"], CELLS
        notes = {claim["note"] for claim in rows}
        if len(notes) == 1:
            page += paragraph(f"What is known of it: {notes.pop()}.")
        else:
            heads, keys = [*heads, "known of it"], [*keys, "note"]
        page += table(heads, [[claim[key] for key in keys] for claim in rows])
    page += f"""
## Rocks in flight: means beside those of papers

![Ratios of our means to published ones](validation_rocks.png)

On the ramp two numbers of the soil were fitted to the table that they are compared with. At Chant Sura nothing was: the
soil is that of Lu et al. 2019, but the terrain is an even slope of 37 degrees in place of the elevation model, which is
not part of this repository. Upper and lower are the parts of the slope above and below 2338 m. What other soils change
there, over what this one gives, is judged in rows of its own.

## {OBSERVED}

![Forecast and observed run-out of each release](validation_tschamut.png)

Each bar is the forecast of one release by 50 rocks, of which those that stopped count, with laws for the strength and
drag of the soil (`configs/rock_tschamut_spread.toml`). The soil was fitted to these very run-outs, for other polyhedra:
all scores are in sample but those on `scree slope`. The mark to beat is the forecast by the other runs of the same
block, which needs no model.

![Forecast and observed resting places](validation_tschamut_map.png)

The terrain is interpolated from survey points and not a survey. Data: Volkwein, A., Gerber, W. (2018), Repetitive
rock-rolling tests at Tschamut, Switzerland, EnviDat, doi 10.16904/envidat.34, ODbL with DbCL.

"""
    page += table(["claim", "observed, or for comparison", "ours", "may be", "verdict"],
                  [(c["claim"], c["published"], c["measured"], c["criterion"], c["verdict"]) for c in observed])
    page += "\n## What agrees\n"
    for group, title in GROUPS.items():
        rows = [claim for claim in claims if claim["group"] == group and claim["agrees"] and group != "tschamut"]
        if rows:
            page += f"\n### {title}\n\n"
            page += table(["claim", "published", "ours", "may be", "source"],
                          [[claim[key] for key in CELLS] for claim in rows])
    page += """
## What was not compared

- The six scars of Caviezel et al. 2019 (Earth Surf. Dyn. 7, 199, tables 1 and 2): energies before and after are
  printed, slopes at the scars and velocities are not, and without them an impact cannot be set up.
- Chant Sura on its own terrain, and its deposits: the elevation model is not part of this repository.
- Speeds along the slope at Tschamut, which were measured at 10 Hz and would tell strength from drag of the soil: not
  part of the data that the study reads.
- The other 40 releases at Tschamut, whose resting places those data do not have.
"""
    return page


def stale_rows(program):
    """The rows that verify makes in seconds and that the page in docs/ does not have."""
    lines = set((TREE / "docs/validation.md").read_text().splitlines())
    for group in GROUPS:
        if group in SLOW:
            continue
        for claim in json.loads(scree(program, "verify", "--only", group, "--json"))["claims"]:
            row, note = [claim[key] for key in CELLS], [] if claim["agrees"] else [claim["note"]]
            if not claim["timed"] and not lines & {line(row), line(row + note)}:
                yield line(row)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=TREE / "docs")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    program = options.program.resolve()
    verified = json.loads(scree(program, "verify", "--json"))
    for group in verified["not_run"]:
        print(f"validation.py: {group['group']} not run: {group['why']}", file=sys.stderr)
    if options.check and verified["not_run"]:
        sys.exit(77)
    claims = [claim for claim in verified["claims"] if not claim["timed"]]
    page = page_of(claims, len(verified["claims"]) - len(claims))
    if options.check:
        there = (TREE / "docs/validation.md").read_text()
        print("\n".join(difflib.unified_diff(there.splitlines(), page.splitlines(), "docs/validation.md", "now", n=0,
                                             lineterm="")))
        sys.exit(page != there)
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "validation.md").write_text(page)
    with tempfile.TemporaryDirectory() as folder:
        ratios_picture(claims, folder, options.folder)
        tschamut_pictures(program, folder, options.folder)


if __name__ == "__main__":
    main()
