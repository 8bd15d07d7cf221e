#!/usr/bin/env python3
"""Feeds the program damaged configs and damaged results, and judges what it does with them.

    tests/mutants/run.py --program build/release/scree [--configs N] [--results N] [--count N] [--seed S] [--jobs J]
                         [--keep FOLDER] [--only REGEX]

Each mutant is a valid file with one to four mutations: bytes flipped, replaced, deleted, inserted, doubled, swapped,
cut off at the end; in configs also numbers and words replaced by others, and lines doubled, deleted, swapped, or taken
from another config. Mutant number i of a seed is the same file for any N and any J. --count gives both numbers.

A config is what `scree init` prints for each system, a file of configs/ that needs no data and takes few steps, or one
that reads a grid, a mesh and a table; of these one mutant in four has a data file changed instead. Every mutant goes
through `scree check`. What that accepts is run with 4 samples on one thread, unless it is

    long by request   end / step, which bounds or estimates the steps of a sample, is above 3e5 or the config has more
                      than 16 bodies and above 3e4; or a run that takes longer than 2 s then ends after SIGTERM with
                      exit code 130. Counted, not judged further.

A failure is
    - a signal, or an exit code other than 0, 2, 3 of check, 0, 4 (memory) of run, and 1 of one with `strict = true`;
    - more than 4 s of processor time of check, or of a run after SIGTERM, or 30 s of any time;
    - a refusal that is not silent on stdout, or is not lines of warnings and then one line that names a file; text of a
      library or of a language in it; control characters;
    - `nan` or `inf` as a word in what is printed; in --json a null where the column has values;
    - numbers that are not plausible (see LIMITS), for configs without extreme numbers of their own;
    - numbers that cannot be, for all: statistics out of order, shares outside of 0..1, times beyond the run's end,
      counts below 0 or not whole, statuses that do not add up to the samples.

A result is sealed by a checksum, so a mutant of it must be refused with exit code 3 by `info`, and of every fourth by
`replay` and of every eighth by `run --extend`; or, where only the seal's line itself is damaged, be shown exactly as
the original is.

Prints a table of counts and each failure, whose files are kept. Exit code 1: there was a failure.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Of the processor, that a check, the reading of a result, or an end after SIGTERM may take. A check draws for a
# second or two (most_drawn in host/config/check.cpp), and for longer beside others that share its core and memory.
MOST_SECONDS = 4.0
RUN_SECONDS = 2.0        # after which a run gets SIGTERM
PATIENCE = 30.0          # s of a machine that is busy elsewhere, after which what has not ended hangs
MOST_STEPS = 3e5         # end / step of what is run
MOST_STEPS_OF_MANY = 3e4  # and of more than 16 bodies
MOST_SAMPLE_STEPS = 5e5  # of four samples of a file of configs/

# Plausible numbers, by the unit of a column: the largest size. They hold for configs whose own numbers lie between 1e-4
# and 1e5 in size, or are 0; speeds may be ten times the largest of these numbers, and ways as long as that speed makes
# them until the end: what asks for a speed of 1e9 m/s may have it. They do not hold for a run whose own columns tell
# of an error of its steps, an energy_error above 1 % of energy_start, an energy_drift above 1 %, a position_error above
# 1 cm, or whose statuses tell of samples that diverged or did not converge; nor where the program warned of the step or
# of the size of a shape.
LIMITS = {"m": 1e7, "m/s": 1e4, "rad/s": 1e6, "J": 1e15, "J/kg": 1e12, "m^2/s^2": 1e12, "rad": 1e3, "N": 1e15}
EXTREME_LOW, EXTREME_HIGH = 1e-4, 1e5
SHARES = re.compile(r"(^|_)(share|alignment|reached_flat|wheel_index|rotational_share)(_|$)|^kinetic_share$")
TIMES = re.compile(r"^(time|stop_time|apex_time|flight_time|liftoff_time|closest_time|negative_time|held_time[12])$")
COUNTS = re.compile(r"hits|impacts|steps$|reversals|releases|paradoxes|_solves|flips|sign_changes|micro_bounces")
NOT_COUNTS = {"hits_most"}
PENETRATION = 100.0      # m, of a rock into the ground
WARNED = re.compile(r"take a smaller step$| across; lengths are in m$", re.MULTILINE)

LIBRARY_TEXT = re.compile(r"std::|basic_string|vector::|HDF5-DIAG|H5[A-Z]\w+\(|terminate called|toml::|json\.exception|"
                          r"Assertion|assert\(|stoi|stod|bad_alloc|what\(\)|unordered_map|::at\b|out_of_range")
NO_NUMBER = re.compile(r"(?<![A-Za-z_\"'])[-+]?(nan|inf)(?![A-Za-z_\"'])", re.IGNORECASE)

NUMBERS = ["0", "-0.0", "-1", "1", "2", "0.5", "1e-300", "1e300", "1e308", "1e999", "-1e9", "1e9", "1e18", "1e-9",
           "nan", "inf", "-inf", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "0x10", "1_000",
           "3.", ".5", "1e", "007", "1979-05-27", "65", "25", "1e3", "0.1", "100.0", "1000000", "90.0", "-90.0"]
WORDS = ["true", "false", '""', '"x"', "[]", "{}", "[[]]", '"uniform"', '"all"', "[1, 2]", "[0.0, 0.0, 0.0]",
         "[nan, 1.0]", '{ uniform = [0.0, 1.0] }', '{ choice = [1.0] }', '"../.."', '"/dev/zero"', '"é"', '"\\u0000"']
BYTES = b"\0\n\r\t \"'#[]{}=.,+-0129eExX_\\\x7f\x80\xc3\xff"
TOKEN = re.compile(rb"[A-Za-z_][A-Za-z_0-9]*|[-+]?[0-9.][0-9.eE+_-]*|\"[^\"\n]*\"|[^\sA-Za-z0-9]")
NUMBER = re.compile(rb"(?<![A-Za-z_0-9\"])[-+]?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


def span(random_, size, longest):
    start = random_.randrange(size)
    return start, min(size, start + random_.randint(1, max(1, min(longest, size))))


def mutate_bytes(data, random_, longest):
    """One mutation of any file."""
    if not data:
        return bytes([random_.randrange(256)])
    a, b = span(random_, len(data), longest if random_.random() < 0.5 else 4)
    kind = random_.randrange(9)
    if kind == 0:  # one bit
        return data[:a] + bytes([data[a] ^ 1 << random_.randrange(8)]) + data[a + 1:]
    if kind == 1:
        return data[:a] + bytes([random_.choice(BYTES)]) + data[a + 1:]
    if kind == 2:
        return data[:a] + data[b:]
    if kind == 3:
        return data[:a] + bytes(random_.choice(BYTES) for _ in range(random_.randint(1, 4))) + data[a:]
    if kind == 4:
        return data[:b] + data[a:b] + data[b:]
    if kind == 5:  # two parts change places
        c, d = span(random_, len(data), longest)
        (a, b), (c, d) = sorted([(a, b), (c, d)])
        return data if b > c else data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]
    if kind == 6:
        return data[:a]
    if kind == 7:
        return data[:a] + bytes(b - a) + data[b:]
    return data[:a] + bytes(random_.randrange(256) for _ in range(b - a)) + data[b:]


def mutate_text(data, random_, others):
    """One mutation of a config or another text."""
    kind = random_.randrange(14) - 4  # numbers lead furthest
    if kind in (4, 5):
        return mutate_bytes(data, random_, 40)
    if kind < 4:
        found = list(NUMBER.finditer(data))
        if not found:
            return data
        one = random_.choice(found)
        old = one.group()
        way = random_.randrange(5)
        if way == 0 and b"." in old:
            new = b"%.17g" % (float(old) * random_.choice([-1, 0.1, 10, 1e3, 1e-3, 1e6, 1e-6]))
        elif way == 1:
            new = b"-" + old.lstrip(b"-+")
        elif way == 2:
            at = random_.randrange(len(old) + 1)
            new = old[:at] + bytes([random_.choice(b"0123456789.e-")]) + old[at:]
        else:
            new = random_.choice(NUMBERS).encode()
        return data[:one.start()] + new + data[one.end():]
    if kind == 6:
        found = list(TOKEN.finditer(data))
        if not found:
            return data
        one = random_.choice(found)
        new = random_.choice(WORDS).encode() if random_.random() < 0.5 else random_.choice(found).group()
        return data[:one.start()] + new + data[one.end():]
    lines = data.split(b"\n")
    at = random_.randrange(len(lines))
    if kind == 7:
        del lines[at]
    elif kind == 8 and random_.random() < 0.5:
        lines.insert(random_.randrange(len(lines)), lines[at])
    elif kind == 8:
        other = random_.randrange(len(lines))  # two change places
        lines[at], lines[other] = lines[other], lines[at]
    else:
        lines.insert(at, random_.choice(random_.choice(others).split(b"\n")))
    return b"\n".join(lines)


def mutated(data, random_, mutate):
    """One to four mutations, most often one; never the file itself."""
    while True:
        new = data
        for _ in range(random_.choice([1, 1, 1, 2, 2, 3, 4])):
            new = mutate(new, random_)
        if new != data:
            return new


Answer = collections.namedtuple("Answer", "code out err cpu interrupted")


def ask(program, folder, *arguments, seconds=PATIENCE):
    """What the program answers and the processor time that it takes; after so many seconds it gets SIGTERM, and is
    killed (code None) after PATIENCE more."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    interrupted = False
    with subprocess.Popen([program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            interrupted = True
            process.terminate()
            try:
                out, err = process.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if process.returncode == -9:
        return Answer(None, "", "", cpu, True)
    return Answer(process.returncode, out.decode(errors="replace"), err.decode(errors="replace"), cpu, interrupted)


def fault_of(answer, codes):
    """What is wrong with any answer; empty if nothing is."""
    if answer.code is None:
        return "hang"
    if answer.code < 0 or answer.code >= 128 and answer.code != 130:
        return f"signal {abs(answer.code)}"
    if answer.code not in codes:
        return f"exit code {answer.code}"
    lines = answer.err.splitlines()
    if answer.code in (2, 3, 4):
        if answer.out:
            return "a refusal that prints to stdout"
        if not lines or not lines[-1].startswith("scree: ") or not all(
                line.startswith("warning: ") for line in lines[:-1]):
            return "a refusal of other lines than warnings and one of the mistake"
    if LIBRARY_TEXT.search(answer.err):
        return "text of a library"
    if any(ord(c) < 32 and c != "\n" or ord(c) == 127 for c in answer.err + answer.out):
        return "control characters"
    return ""


def sizes(texts):
    """Of the numbers other than 0 of a config and its data."""
    for text in texts:
        for word in re.findall(rb"[-+]?[0-9][0-9_]*\.?[0-9]*(?:[eE][-+]?[0-9]+)?", text):
            try:
                size = abs(float(word.replace(b"_", b"")))
            except ValueError:
                continue
            if size != 0:
                yield size


def told_errors(result):
    """The columns that tell what a step does to the energy or the place, and what of it is much."""
    columns = {name: column for name, column in result["statistics"].items() if column["n"]}
    energy = max(abs(columns.get("energy_start", {}).get(end, 0)) for end in ("min", "max"))
    for name in ("energy_error", "energy_drift", "position_error"):
        if name in columns:
            yield name, 0.01 * (energy if name == "energy_error" and columns[name]["unit"] != "1" else 1)


def no_constant(name):
    raise ValueError(name)


def implausible(result, config, asked, warned):
    """What is not plausible of a run's --json; empty if all is."""
    status = result["status"]
    if sum(status.values()) != result["samples"]:
        return f"statuses add up to {sum(status.values())}"
    end = config["end"]
    is_extreme = min(asked, default=1) < EXTREME_LOW or max(asked, default=1) > EXTREME_HIGH
    speed = max(LIMITS["m/s"], 10 * max(asked, default=1))
    told = warned or status["diverged"] + status["not_converged"] > 0 or any(
        abs(result["statistics"][name][end_of] or 0) > limit for name, limit in told_errors(result)
        for end_of in ("min", "max"))
    limits = {**LIMITS, "m/s": speed, "m": max(LIMITS["m"], speed * end)}
    for name, column in result["statistics"].items():
        n, unit = column["n"], column["unit"]
        if n == 0:
            continue
        numbers = [column["min"], column["mean"], column["max"], *column["quantiles"].values()]
        if n > 1:
            numbers += [column["sd"], *column["ci95"]]
        if not all(isinstance(x, (int, float)) and math.isfinite(x) for x in numbers):
            return f"{name} has {n} values, but {numbers}"
        low, mean, high = numbers[:3]
        quantiles = list(column["quantiles"].values())
        slack = 1e-9 * max(abs(low), abs(high))
        if not low - slack <= mean <= high + slack or quantiles != sorted(quantiles) or n > 1 and column["sd"] < 0 or \
                quantiles[0] < low - slack or quantiles[-1] > high + slack:
            return f"the statistics of {name} are out of order"
        if SHARES.search(name) and unit == "1" and not (-1e-9 <= low and high <= 1 + 1e-9):
            return f"{name} from {low} to {high}, a share"
        if TIMES.search(name) and not (low >= 0 and high <= end * (1 + 1e-9)):
            return f"{name} from {low} to {high}, the run ends at {end}"
        if COUNTS.search(name) and name not in NOT_COUNTS and unit == "1" and not (low >= 0 and high == int(high)):
            return f"{name} from {low} to {high}, a count"
        if is_extreme or told:
            continue
        if unit in limits and max(abs(low), abs(high)) > limits[unit]:
            return f"{name} from {low:.3g} to {high:.3g} {unit}"
        if name == "penetration_max" and high > PENETRATION:
            return f"a rock sinks in by {high} m"
        if name == "energy_gain_max":
            # An inelastic contact may add m (g h)^2 / 8 in a step of h (src/systems/rock/cases.hpp).
            heaviest = max(shape["mass"] for shape in config["shapes"])
            allowed = 1e-3 * result["statistics"]["kinetic_energy_max"].get("max", 0) + 1
            if high > allowed + heaviest * (9.81 * config["step"]) ** 2 / 8:
                return f"a rock gains {high} J in a contact"
    return ""


def judge_config(program, folder, texts, number):
    """(outcome, details) of the config m.toml in the folder."""
    check = ask(program, folder, "check", "m.toml", "--json")
    if check.interrupted or check.cpu > MOST_SECONDS:
        return f"failed: check takes longer than {MOST_SECONDS:g} s", ""
    fault = fault_of(check, (0, 2, 3))
    if fault:
        return f"failed: check: {fault}", check.err
    if check.code != 0:
        named = check.err.splitlines()[-1].split(": ")[1]
        if not any(name in named for name in texts) and "m.toml" not in named:
            return "failed: check: the message names no file", check.err
        return f"refused, exit code {check.code}", ""
    try:
        config = json.loads(check.out, parse_constant=no_constant)["run"]
    except ValueError as error:
        return "failed: check: no JSON", f"{error}"
    steps = config["end"] / config["step"]
    bodies = max([int(float(x)) for x in re.findall(rb"(?m)^\s*(?:bodies|balls|discs)\s*=\s*([0-9.]+)",
                                                      texts["m.toml"])], default=1)
    if steps > (MOST_STEPS_OF_MANY if bodies > 16 else MOST_STEPS):
        return "long by request", ""
    arguments = ["run", "m.toml", "--samples", "4", "--threads", "1", "--quiet", "--grace", "0.2",
                 "--scheme", config["schemes"][0], "--json" if number % 2 == 0 else "--all"]
    run = ask(program, folder, *arguments, seconds=RUN_SECONDS)
    if run.cpu > RUN_SECONDS + MOST_SECONDS:
        return "failed: run: does not end", ""
    strict = re.search(rb"strict\s*=\s*true", texts["m.toml"])
    if run.interrupted and run.code is not None:
        if run.code not in (130, 0):
            return f"failed: run: exit code {run.code} after SIGTERM", run.err
        return "long by request, interrupted", f"{steps:.3g} steps"
    fault = fault_of(run, (0, 1, 4) if strict else (0, 4))
    if fault:
        return f"failed: run: {fault}", run.err
    if run.code == 4:
        return "refused by run, exit code 4", ""
    if number % 2 == 1:
        report = run.out  # in which texts of the config, as its title, may say what they like
        for said in re.findall(r'"([^"\n]+)"', texts["m.toml"].decode(errors="replace")):
            if NO_NUMBER.search(said):
                report = report.replace(said, "")
        found = [line for line in report.splitlines() if NO_NUMBER.search(line)]
        return ("failed: run: nan or inf is printed", found[0]) if found else ("accepted and run", "")
    try:
        result = json.loads(run.out, parse_constant=no_constant)
    except ValueError as error:
        return "failed: run: no JSON", f"{error}"
    what = implausible(result, config, list(sizes(texts.values())), bool(WARNED.search(run.err)))
    if what:
        return "failed: run: not plausible", what
    return "accepted and run", ""


def judge_result(program, folder, original, number):
    """(outcome, details) of the result m.h5 in the folder; `original`: what is shown of the file as it was."""
    outcome = ""
    for name, arguments in original["asked"].items():
        if name == "replay" and number % 4 or name == "extend" and number % 8 != 1 or name == "info --json" and \
                number % 8 != 5:
            continue
        answer = ask(program, folder, *arguments)
        if answer.interrupted or answer.cpu > MOST_SECONDS:
            return f"failed: {name}: takes longer than {MOST_SECONDS:g} s", ""
        if answer.code == 0:
            said = (answer.out, answer.err)
            if name != "extend" and said != original["said"][name]:
                return f"failed: {name}: shown otherwise than it was", answer.err
            outcome = outcome or "shown as it was"
            continue
        fault = fault_of(answer, (3,))
        if fault:
            return f"failed: {name}: {fault}", answer.err
        outcome = outcome or "refused, exit code 3"
    return outcome, ""


GRID = "ncols 6\nnrows 5\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n" + "".join(
    " ".join(f"{3.5 * column + 0.25 * row:g}" for column in range(6, 0, -1)) + "\n" for row in range(5))
MESH = ("# a cube\n" + "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) +
        "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n")
TABLE = "id,x,y,speed,block\na,12,22,1.5,box\nb,14,21,2.5,stone\n\"c,d\",13,20,0.5,any\n"
CODES = "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 20\n1 2 1\n2 2 1\n1 1 2\n"
WITH_DATA = """system = "rock"
scheme = "implicit"
samples = 12
step = 0.005
end = 20.0
group_by = "shape"
[rock]
ground = "hard"
[terrain]
kind = "grid"
file = "grid.asc"
floor = 4.0
mask = "codes.asc"
[terrain.ground]
file = "codes.asc"
names = { 1 = "soft", 2 = "wood" }
outside = "hard"
area = [{ class = "wood", polygon = [[10, 10], [30, 12], [20, 30]] }]
[ground.wood]
like = "scree slope"
layer_drag = 20.0
[[shape]]
name = "box"
kind = "file"
file = "box.obj"
density = 2700.0
[[shape]]
name = "stone"
kind = "points"
points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]
scale = 0.8
mass = 700.0
[[shape]]
name = "any"
kind = "irregular"
size = [1.0, 0.8, 0.7]
corners = 12
seed = 3
variants = 3
mass = 900.0
[start]
table = "starts.csv"
[start.columns]
position.x = "x"
position.y = "y"
speed = "speed"
shape = "block"
[vary]
orientation = "uniform"
"rock.friction_min" = { normal = [0.35, 0.05], min = 0.2, max = 0.5 }
"ground.wood.soil_drag" = { uniform = [0.5, 2.0] }
[sensitivity]
key = "rock.ground"
values = ["soft", "hard"]
[observed]
table = "observed.csv"
column = "runout"
value = "value"
group = "who"
match = "id"
position = ["x", "y"]
holdout = { groups = ["stone"] }
note = "of one day"
[margin]
runout = 2.0
"""
OBSERVED = "id,who,value,x,y\na,box,12.5,30,22\nb,stone,13,31,20\n\"c,d\",any,9,25,21\n"
SURFACE = """system = "slider"
scheme = "rk4"
samples = 8
step = 0.05
end = 50.0
[terrain]
kind = "grid"
file = "grid.asc"
[start]
position = [30.0, 20.0]
[vary]
"slider.friction" = { lognormal = [-1.0, 0.2] }
"start.position" = { polygon = [[15, 15], [35, 15], [30, 30], [15, 25]] }
"""
LAWS = """system = "projectile"
scheme = ["rk4", "euler"]
samples = 16
sampling = "sobol"
replicates = 4
step = 0.05
end = 60.0
strict = true
title = "Shots"
[projectile]
drag = 0.05
[start]
speed = 100.0
[vary]
"start.angle" = { triangular = [0.1, 1.5, 0.7] }
start.speed = { choice = [90.0, 100.0], weights = [1, 3] }
[published]
source = "A paper"
[[published.row]]
column = "range"
scheme = "rk4"
mean = 500.0
sd = 100.0
"""
DATA = {"grid.asc": GRID, "codes.asc": CODES, "box.obj": MESH, "starts.csv": TABLE, "observed.csv": OBSERVED}


def plain(text):
    """A config without most of its comments, in which mutations are wasted, and of few samples."""
    lines = [re.sub(r"\s+# .*", "", line) for line in text.splitlines() if not line.startswith("#")]
    return re.sub(r"(?m)^samples = .*", "samples = 16", "\n".join(lines) + "\n")


def config_sources(program, folder):
    """{name: (config, its data files)}"""
    sources = {}
    systems = json.loads(ask(program, folder, "list", "--json").out)["systems"]
    for system in [one["name"] for one in systems]:
        sources[f"init {system}"] = (plain(ask(program, folder, "init", system).out), {})
    for path in sorted((ROOT / "configs").glob("*.toml")):
        sources[path.name] = (plain(path.read_text()), {})
    for name, text, files in [("data", WITH_DATA, DATA), ("surface", SURFACE, {"grid.asc": GRID}), ("laws", LAWS, {})]:
        sources[name] = (text, files)
    good = {}
    for name, (text, files) in sources.items():
        for file, content in {"m.toml": text, **files}.items():
            (folder / file).write_text(content)
        check = ask(program, folder, "check", "m.toml", "--json")
        scheme = json.loads(check.out)["run"]["schemes"][0] if check.code == 0 else ""
        run = ask(program, folder, "run", "m.toml", "--samples", "4", "--threads", "1", "--quiet", "--json", "--scheme",
                  scheme)
        if run.code == 0 and json.loads(run.out)["sample_steps"] <= MOST_SAMPLE_STEPS:
            good[name] = (text.encode(), {file: content.encode() for file, content in files.items()})
        elif not name.endswith(".toml"):
            sys.exit(f"{name}: is not accepted as it is: {run.err}")
    return good


def result_sources(program, folder):
    """{name: what was asked and said of a valid result, and its bytes}"""
    (folder / "rock.toml").write_text(plain(ask(program, folder, "init", "rock").out))
    (folder / "data.toml").write_text(WITH_DATA)
    (folder / "laws.toml").write_text(LAWS)
    (folder / "disk.toml").write_text(plain(ask(program, folder, "init", "disk").out))
    for file, content in DATA.items():
        (folder / file).write_text(content)
    made = {
        "rock": ["run", "rock.toml", "--samples", "6"],
        "data": ["run", "data.toml", "--samples", "6"],
        "sobol": ["run", "laws.toml", "--scheme", "rk4"],
        "until": ["run", "laws.toml", "--scheme", "rk4", "--until", "mean(range) +- 30 %", "--set", "strict=false"],
        "compare": ["compare", "laws.toml", "--step-error"],
        "converge": ["converge", "rock.toml", "--samples", "4", "--halvings", "1", "--set", "end=5.0"],
        "disk": ["run", "disk.toml", "--samples", "4"],
    }
    sources = {}
    for name, arguments in made.items():
        (folder / "m.h5").unlink(missing_ok=True)
        answer = ask(program, folder, *arguments, "-o", "m.h5", "--quiet")
        if answer.code not in (0, 5):
            sys.exit(f"{name}: {answer.err}")
        replay = ["replay", "m.h5", "--sample", "1", "--every", "200"]
        if name in ("compare", "converge"):
            replay += ["--scheme", "rk4" if name == "compare" else "explicit"]
        asked = {"info": ["info", "m.h5", "--all"], "replay": replay, "info --json": ["info", "m.h5", "--json"]}
        if name not in ("compare", "converge"):
            asked["extend"] = ["run", "--extend", "m.h5", "--samples", "20", "-o", "longer.h5", "--force", "--quiet"]
        said = {}
        for what, words in asked.items():
            answer = ask(program, folder, *words)
            if answer.code != 0 and name != "converge":
                sys.exit(f"{name}: {what}: {answer.err}")
            said[what] = (answer.out, answer.err)
            if answer.code != 0:
                print(f"{name}: {what} is not asked: {answer.err}", end="")
        asked = {what: words for what, words in asked.items() if said[what][0] or what == "extend"}
        sources[name] = {"bytes": (folder / "m.h5").read_bytes(), "asked": asked, "said": said}
    return sources


def work(arguments):
    """The outcomes of mutants first, first + stride, ... of one kind: counts, and the failures."""
    kind, program, sources, seed, numbers, keep = arguments
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    counts, failures = collections.Counter(), []
    folder = pathlib.Path(tempfile.mkdtemp(prefix="scree_mutants_"))
    os.environ.pop("SCREE_DATA", None)
    names = sorted(sources)
    for number in numbers:
        random_ = random.Random(f"{seed} {kind} {number}")
        name = names[number % len(names)]
        if kind == "configs":
            text, data = sources[name]
            files = {"m.toml": text, **data}
            changed = random_.choice(sorted(data)) if data and random_.random() < 0.25 else "m.toml"
            others = [sources[other][0] for other in names]
            files[changed] = mutated(files[changed], random_, lambda x, r: mutate_text(x, r, others))
            for file, content in files.items():
                (folder / file).write_bytes(content)
            outcome, details = judge_config(program, folder, files, number)
        else:
            changed = "m.h5"
            original = sources[name]
            other = sources[random_.choice(names)]["bytes"]

            def mutate(data, r):
                if r.random() < 0.1 and data:  # a part of another result
                    a, b = span(r, min(len(data), len(other)), 4096)
                    return data[:a] + other[a:b] + data[b:]
                return mutate_bytes(data, r, 2000)
            files = {"m.h5": mutated(original["bytes"], random_, mutate)}
            (folder / "m.h5").write_bytes(files["m.h5"])
            outcome, details = judge_result(program, folder, original, number)
        counts[outcome] += 1
        if outcome.startswith("failed") or outcome.endswith("interrupted"):
            place = keep / f"{kind}-{seed}-{number}"
            place.mkdir(parents=True, exist_ok=True)
            for file, content in files.items():
                (place / file).write_bytes(content)
            (place / "said.txt").write_text(f"{outcome}\n{details}\n")
            if outcome.startswith("failed"):
                failures.append((number, f"{name}, {changed}: {outcome}: {details.strip()[-300:]}", str(place)))
    shutil.rmtree(folder)
    return counts, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--count", type=int, default=1000, help="mutants of each kind")
    parser.add_argument("--configs", type=int, help="mutants of configs")
    parser.add_argument("--results", type=int, help="mutants of results")
    parser.add_argument("--first", type=int, default=0, help="number of the first mutant")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "scree_mutants")
    parser.add_argument("--only", default="", help="sources whose name matches")
    options = parser.parse_args()
    os.environ.pop("SCREE_DATA", None)
    program = str(options.program.resolve())
    keep = options.keep.resolve()
    failed = 0
    with tempfile.TemporaryDirectory() as place, \
            concurrent.futures.ProcessPoolExecutor(max_workers=options.jobs) as pool:
        for kind, count, make in [("configs", options.configs, config_sources),
                                  ("results", options.results, result_sources)]:
            count = options.count if count is None else count
            if count == 0:
                continue
            sources = make(program, pathlib.Path(place))
            sources = {name: source for name, source in sources.items() if re.search(options.only, name)}
            begin = time.monotonic()
            last = options.first + count
            chunks = [range(first, min(first + 100, last)) for first in range(options.first, last, 100)]
            counts, failures = collections.Counter(), []
            for some, faults in pool.map(work, [(kind, program, sources, options.seed, chunk, keep)
                                                for chunk in chunks]):
                counts += some
                for fault in faults:
                    print(f"{kind} {fault[0]}: {fault[1]}\n    kept in {fault[2]}", flush=True)
                failures += faults
            seconds = time.monotonic() - begin
            print(f"{count} mutants of {len(sources)} {kind}, seed {options.seed}: {count / seconds:.0f} a second")
            for outcome, number in counts.most_common():
                print(f"  {number:7} {outcome}")
            failed += len(failures)
    print(f"{failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
