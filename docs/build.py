#!/usr/bin/env python3
"""Builds the documentation as a site.

    docs/build.py --program build/release/scree --out build/site

Puts the pages of docs/ together with what the program says of itself (systems, options, configs), what it makes of each
config (the gallery) and tables of bench/results in OUT/source, and has Sphinx write OUT/html; any warning of Sphinx is
a mistake, and so is a row of the page on validation that `scree verify` does not print, and a source that
references.bib lacks. Studies whose data SCREE_DATA does not have are shown without numbers. Needs what ./setup.sh
--tests puts into build/python, and exits with 77 where this Python does not have it.
"""

import argparse
import concurrent.futures
import csv
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import python_reference
import sources
import validation

TREE = pathlib.Path(__file__).resolve().parent.parent
# Pages that lie elsewhere in the tree, and what they are called in the site.
OWN_SYSTEM = "src/systems/README.md"
ELSEWHERE = {OWN_SYSTEM: "own_system.md", "bench/README.md": "bench.md", "SECURITY.md": "security.md",
             "CHANGELOG.md": "changelog.md"}
# Of the gallery's figures: two columns of a path, or several pairs where there are bodies or nodes.
FIGURES = {"rock": ("x", "z"), "slider": ("x", "y"), "pair": ("x#", "y#"), "rotor": ("omega_y", "omega_z"),
           "disc_box": ("x#", "z#"), "hard_discs": ("x#", "y#"), "balls": ("time", "x#"), "projectile": ("x", "y"),
           "scatter": ("x", "y"), "coulomb": ("x#", "y#"), "disk": ("time", "x#")}
COLOURS = ["#d95f02", "#1b6ca8", "#1b9e77", "#7b3294", "#a6761d", "#666666", "#e7298a"]


# ----------------------------------------------------------------------------------------------------------------------
# Markdown

def plain(text):
    """Text of the program in Markdown: as it is, with what stands in `...` as code."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_<>\[\]|$#{}])", r"\\\1", part) for part in parts)


def cell(text):
    return plain(str(text)).replace("\n", " ")


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n\n"


def code(text, language="text"):
    return f"```{language}\n{text.rstrip()}\n```\n\n"


def number(value):
    if isinstance(value, list):
        return "[" + ", ".join(number(x) for x in value) + "]"
    return f"{value:g}" if isinstance(value, float) else str(value)


def linked(text, page, site_of):
    """The page with links to files of the tree turned to those of the site, or to the names of files not in it."""
    def there(match):
        words, target, anchor = match[1], match[2], match[3] or ""
        path = os.path.normpath(os.path.join(os.path.dirname(page), target))
        if path in site_of or path.startswith("docs/reference/systems/"):
            here = os.path.dirname(site_of.get(page, page))
            return f"[{words}]({os.path.relpath(site_of.get(path, path[5:]), here or '.')}{anchor})"
        if not (TREE / path).exists():
            sys.exit(f"{page}: {target} is not there")
        return f"`{path}`" if words.strip("`") in (path, os.path.basename(path)) else f"{words} (`{path}`)"
    return re.sub(r"(?<!!)\[([^\]]+)\]\((?![a-z]+:|#)([^)\s#]+)(#[^)\s]*)?\)", there, text)


# ----------------------------------------------------------------------------------------------------------------------
# What the program says of itself

class Program:
    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()

    def __call__(self, *arguments, fails=False):
        done = subprocess.run([self.path, *map(str, arguments)], cwd=TREE, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL)
        if done.returncode and not fails:
            sys.exit(f"scree {' '.join(map(str, arguments))}: code {done.returncode}\n{done.stderr}")
        return done


def unit(text):
    return "" if text == "1" else cell(text)


def values(rows, heads):
    """Parameters or starts as a table."""
    return table(heads, [[f"`{r['name']}`", cell(number(r["default"])), unit(r["unit"]), cell(r["range"]["text"]),
                          cell(r["meaning"] + (f"; of each of up to {r['most_bodies']}" if "most_bodies" in r else ""))]
                         for r in rows])


def system_page(system, init):
    name = system["name"]
    page = f"# {name}\n\n{plain(system['meaning'])}. Its equations are in [theory](../../theory/{name}.md).\n\n"
    page += "## Schemes\n\n" + table(["scheme", "what it is"],
                                     [[f"`{s['name']}`", cell(s["meaning"])] for s in system["schemes"]])
    heads = ["name", "default", "unit", "range", "meaning"]
    page += f"## Parameters\n\nIn a config under `[{name}]`.\n\n" + values(system["params"], heads)
    notes = dict.fromkeys(preset["note"] for preset in system["presets"])
    if notes:
        page += "## Presets\n\nA preset names several values; a value that a config gives beside it counts.\n\n"
    for note in notes:
        presets = [p for p in system["presets"] if p["note"] == note]
        keys = list(dict.fromkeys(key for p in presets for key in p["values"]))
        page += (plain(note[0].upper() + note[1:]) + ":\n\n" if note else "")
        page += table(["preset", *(f"`{k}`" for k in keys)],
                      [[f"`{p['key']} = \"{p['name']}\"`", *(cell(number(p["values"].get(k, ""))) for k in keys)]
                       for p in presets])
    page += "## Starts\n\nIn a config under `[start]`.\n\n" + values(system["starts"], heads)
    if system.get("terrain"):
        page += "## Terrain\n\nIn a config under `[terrain]`; [Terrain](../../terrain.md) says more.\n\n"
        page += table(["kind", "key", "default", "unit", "range", "meaning"],
                      [[f"`{t['kind']}`", f"`{k['name']}`", "required" if k["required"] else cell(number(k["default"])),
                        unit(k["unit"]), cell(k["range"]["text"]), cell(k["meaning"])]
                       for t in system["terrain"] for k in t["keys"]])
    page += "## Columns\n\nWhat a result holds of each sample, in this order.\n\n"
    page += table(["column", "unit", "meaning", "of samples that"],
                  [[f"`{c['name']}`", unit(c["unit"]), cell(c["meaning"]), cell(c.get("samples", "") or "")]
                   for c in system["columns"]])
    if system.get("maps"):
        page += "## Quantities of maps\n\n" + table(
            ["quantity", "unit", "meaning"],
            [[f"`{m['name']}`", unit(m["unit"]), cell(m["meaning"])] for m in system["maps"]])
    return page + f"## A config with every key\n\n`scree init {name}` prints\n\n" + code(init, "toml")


def statuses_page():
    """What src/status.hpp says: the program has no command that prints it."""
    text = (TREE / "src/status.hpp").read_text()
    names = re.findall(r'"([^"]*)"', re.search(r"status_names\[status_count\] = \{(.*?)\};", text, re.DOTALL)[1])
    block = re.search(r"status_meanings\[status_count\] = \{(.*?)\};", text, re.DOTALL)[1]
    meanings = ["".join(re.findall(r'"([^"]*)"', group)) for group in re.findall(r'(?:"[^"]*"\s*)+', block)]
    if len(names) != len(meanings):
        sys.exit("src/status.hpp: as many names as meanings are expected")
    return table(["status", "meaning"], [[f"`{n}`", cell(m)] for n, m in zip(names, meanings)])


def options_page(manual):
    """The manual page in Markdown: the few macros that host/commands/manual.cpp writes."""
    def words(text):
        text = re.sub(r"\\f([BIR])", "", text)
        return text.replace("\\-", "-").replace("\\e", "\\").replace("\\&", "")
    page, lines, i = "", manual.splitlines(), 0
    sections = {"COMMANDS": None, "OPTIONS": "Options of the program", "ENVIRONMENT": "Environment"}
    inside = False
    while i < len(lines):
        line = lines[i]
        if line.startswith(".SH "):
            name = line[4:].strip('"')
            inside = name in sections
            if inside and sections[name]:
                page += f"\n## {sections[name]}\n\n"
        elif inside and line.startswith(".SS "):
            page += f"\n## scree {plain(words(line[4:]).strip(chr(34)))}\n\n"
        elif inside and line == ".TP":
            page += f"\n`{words(lines[i + 1])}`\n: {plain(words(lines[i + 2]))}\n"
            i += 2
        elif inside and not line.startswith("."):
            page += plain(words(line)) + "\n"
        i += 1
    return page


# ----------------------------------------------------------------------------------------------------------------------
# The gallery

def svg(curves, names, labels):
    """Curves, each with the number of its colour, in a frame with ticks."""
    width, height, left, bottom, top, right = 640, 400, 62, 44, 30, 12
    xs, ys = [p[0] for _, c in curves for p in c], [p[1] for _, c in curves for p in c]
    def spread(low, high):
        if high <= low:
            return low - max(abs(low), 1) * 0.05, high + max(abs(high), 1) * 0.05
        return low - 0.03 * (high - low), high + 0.03 * (high - low)
    (x0, x1), (y0, y1) = spread(min(xs), max(xs)), spread(min(ys), max(ys))
    def px(x):
        return left + (x - x0) / (x1 - x0) * (width - left - right)
    def py(y):
        return height - bottom - (y - y0) / (y1 - y0) * (height - bottom - top)
    def ticks(low, high):
        raw = (high - low) / 5
        power = 10 ** len(str(int(1 / raw))) if raw < 1 else 10 ** (len(str(int(raw))) - 1)
        base = (1 / power) if raw < 1 else power
        while base > raw:
            base /= 10
        step = next(m * base for m in (1, 2, 5, 10, 20, 50) if m * base >= raw)
        first = int(low // step)
        return [round(k * step, 12) for k in range(first, first + 12) if low <= k * step <= high]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
           'font-size="13">',
           f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for x in ticks(x0, x1):
        out.append(f'<path d="M{px(x):.1f} {top}V{height - bottom}" stroke="#e4e4e4"/><text x="{px(x):.1f}" '
                   f'y="{height - bottom + 17}" text-anchor="middle">{x:g}</text>')
    for y in ticks(y0, y1):
        out.append(f'<path d="M{left} {py(y):.1f}H{width - right}" stroke="#e4e4e4"/><text x="{left - 6}" '
                   f'y="{py(y) + 4:.1f}" text-anchor="end">{y:g}</text>')
    for colour, curve in curves:
        # Where curves lie on one another all are seen.
        thickness = (2.8, 1.6, 0.9, 0.6)[min(colour, 3)] if names else 1.2
        points = []
        for x, y in curve:
            point = f"{px(x):.1f},{py(y):.1f}"
            if not points or points[-1] != point:
                points.append(point)
        out.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{COLOURS[colour % len(COLOURS)]}" '
                   f'stroke-width="{thickness}" stroke-opacity="0.8"/>')
    out.append(f'<text x="{(left + width - right) / 2}" y="{height - 8}" text-anchor="middle">{labels[0]}</text>')
    out.append(f'<text transform="translate(14 {(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle">'
               f'{labels[1]}</text>')
    x = left
    for k, name in enumerate(names):
        out.append(f'<path d="M{x} 15h16" stroke="{COLOURS[k % len(COLOURS)]}" stroke-width="3"/>'
                   f'<text x="{x + 21}" y="19">{name}</text>')
        x += 40 + 8 * len(name)
    return "\n".join(out) + "\n</svg>\n"


def curves_of(path, figure, most=9):
    """The curves of a file of paths: lists of points by sample and body, and the labels of both axes."""
    with open(path) as file:
        rows = csv.reader(line for line in file if not line.startswith("#"))
        head = next(rows)
        names = [text.split(" [")[0] for text in head]
        label = {text.split(" [")[0]: text.replace(" [1]", "").replace("[", "(").replace("]", ")") for text in head}
        bodies = [re.fullmatch(figure[1].replace("#", r"(\d+)"), n) for n in names] if "#" in figure[1] else []
        bodies = [m[1] for m in bodies if m]
        bodies = bodies[:: max(1, len(bodies) // most)]
        pairs = [tuple(f.replace("#", b) for f in figure) for b in bodies] if bodies else [figure]
        at = [(names.index(x), names.index(y)) for x, y in pairs]
        sample = names.index("sample") if "sample" in names else None
        found = {}
        for row in rows:
            for k, (x, y) in enumerate(at):
                curve = found.setdefault((row[sample] if sample is not None else 0, k), [])
                curve.append((float(row[x]), float(row[y])))
    names = [label[name].replace(re.search(r"\d*$", name)[0] + " (", " (") if "#" in form else label[name]
             for name, form in zip(pairs[0], figure)]
    return list(found.values()), names


def gallery_page(program, config, folder):
    """The page of a study: what its config says of it, paths of few samples, and the screen of a run of some more."""
    text = config.read_text()
    head = "".join(line[2:] if len(line) > 2 else "\n" for line in
                   re.match(r"(?:#.*\n)*", text)[0].splitlines(True))
    told = program("check", config, "--json", fails=True)
    page = f"# {config.stem}\n\n"
    head = re.sub(r"(?m)^( +.*)\n(?=\S)", r"\1\n\n", head)  # what follows a list is not of its last item
    paragraphs = [p for p in re.split(r"\n\s*\n", head.strip("\n")) if p]
    others = {path.stem for path in config.parent.glob("*.toml")} - {config.stem}
    for paragraph in paragraphs:
        lines = paragraph.splitlines()
        is_command = all(line.startswith(" ") for line in lines) and not lines[0].lstrip().startswith("-")
        if is_command:
            page += code("\n".join(line.strip() for line in lines), "sh" if "scree " in paragraph else "text")
        else:
            words = re.sub(r"(?m)^ +- ", "- ", plain(paragraph))
            page += re.sub(r"\b([a-z0-9\\_]+)\.toml", lambda m: f"[{m[0]}]({name}.md)" if
                           (name := m[1].replace("\\", "")) in others else m[0], words) + "\n\n"
    row = [f"[{config.stem}]({config.stem}.md)", cell(re.search(r'(?m)^title *= "(.*)"$', text)[1])]
    if told.returncode:
        page += "## Numbers\n\nIts data are not in this repository, and were not there when this page was made.\n\n"
    else:
        run = json.loads(told.stdout)["run"]
        schemes, samples = run["schemes"], min(run["samples"], 16)
        curves = []
        for k, scheme in enumerate(schemes):
            paths = folder / f"{config.stem}.{k}.csv"
            count = min(run["samples"], 6 if len(schemes) == 1 else 3)
            every = [f"{run['end'] / 600:.9g}"]
            if run["system"] == "hard_discs":  # at each of short steps, or the lines would not show the hits
                count, step = 1, min(run["step"], 0.1)
                every = ["1", "--set", f"step={step}", "--set", f"end={100 * step:g}"]
            program("replay", config, "--scheme", scheme, "--samples", f"0:{count}", "-o", paths, "--force", "--quiet",
                    "--every", *every)
            found, labels = curves_of(paths, FIGURES[run["system"]])
            curves += [(k if len(schemes) > 1 else j, curve) for j, curve in enumerate(found)]
            paths.unlink()
        (folder / f"{config.stem}.svg").write_text(svg(curves, schemes if len(schemes) > 1 else [], labels))
        page += f"## The first {100 * step:g} s of the first sample" if run["system"] == "hard_discs" else \
            f"## Paths of the first {count} samples" if count > 1 else "## Its path"
        page += f"\n\n![{cell(labels[1])} by {cell(labels[0])}]({config.stem}.svg)\n\n"
        command = ["compare" if len(schemes) > 1 else "run", config.relative_to(TREE), "--samples", samples]
        if run["sampling"]["kind"] != "random":
            command[-1] = min(run["samples"], 256)
        shown = program(*command).stdout
        shown = re.sub(r"(?m)^.* sample-steps in .*\n", "", shown)
        of = f" of {command[-1]} samples" if command[-1] > 1 else ""
        page += f"## What it prints{of}\n\n" + code(f"$ scree {' '.join(map(str, command))}\n" + shown)
        row.append(f"`{run['system']}`")
    page += "## The config\n\n" + code(text[len(re.match(r"(?:#.*\n)*", text)[0]):].lstrip("\n"), "toml")
    (folder / f"{config.stem}.md").write_text(page)
    system = re.search(r"(?m)^system *= *.(\w+)", text)[1]
    return row if len(row) == 3 else [*row, f"`{system}`, its own data"]


# ----------------------------------------------------------------------------------------------------------------------
# Speed

def short(text):
    try:
        value = float(text)
    except ValueError:
        return cell(text)
    if re.fullmatch(r"-?\d{1,9}", text):
        return text
    return f"{value:.3g}" if abs(value) < 100 or abs(value) >= 1e6 else f"{value:.0f}"


def performance_fragment():
    page = ""
    for machine in sorted(p for p in (TREE / "bench/results").iterdir() if p.is_dir()):
        page += f"## {machine.name}\n\n"
        rows, others = [], ""
        for path in sorted(machine.glob("*.csv")):
            with open(path) as file:
                found = list(csv.DictReader(file))
            if found and "ns_per_step" in found[0] and "backend" in found[0] and "case" in found[0]:
                for scheme in dict.fromkeys(r["scheme"] for r in found):
                    fastest = {}
                    for r in found:
                        if r["scheme"] == scheme and r["threads"] in ("1", ""):
                            best = fastest.get(r["backend"])
                            if best is None or float(r["ns_per_step"]) < float(best["ns_per_step"]):
                                fastest[r["backend"]] = r
                    if "pack" not in fastest and "scalar" not in fastest:
                        continue
                    best = min((fastest[b] for b in ("pack", "scalar") if b in fastest),
                               key=lambda r: float(r["ns_per_step"]))
                    rows.append([f"`{path.name}`", cell(best["case"]), f"`{scheme}`",
                                 *(short(fastest[b]["ns_per_step"]) if b in fastest else ""
                                   for b in ("naive", "odeint", "scalar", "pack")),
                                 cell(best["isa"]) if best["backend"] == "pack" else "",
                                 f"{100 * float(best['share_of_peak']):.0f} %" if best["share_of_peak"] else ""])
            elif found:
                heads = [h for h in found[0] if h and h not in ("digest", "commit", "version")]
                others += f"### {path.stem}\n\n`{path.relative_to(TREE)}`\n\n"
                others += table([cell(h) for h in heads], [[short(r[h] or "") for h in heads] for r in found])
        if rows:
            page += "Nanoseconds of one core for a sample-step, the fastest row of each backend on one thread.\n\n"
            page += table(["CSV", "case", "scheme", "`naive`", "`odeint`", "`scalar`", "`pack`", "instructions",
                           "of the peak"], rows)
        page += others
    return page


# ----------------------------------------------------------------------------------------------------------------------
# Headers

def headers():
    """The headers that the page on systems of one's own names, by their names in src/."""
    found = {}
    for name in re.findall(r"[\w./]+\.hpp", (TREE / OWN_SYSTEM).read_text()):
        path = pathlib.Path(os.path.normpath(TREE / "src/systems" / name))
        path = path if path.is_file() else TREE / "src" / name
        if path.is_file() and path.is_relative_to(TREE / "src") and "systems" not in path.parts:
            found[str(path.relative_to(TREE / "src"))] = path
    return dict(sorted(found.items()))


def header_page(name):
    return f"reference/headers/{name.replace('/', '_').removesuffix('.hpp')}.md"


def write_headers(source):
    """A page of each, as it is, and what the page on them includes."""
    rows = []
    for name, path in headers().items():
        text = path.read_text()
        (source / header_page(name)).write_text(f"# {name}\n\n" + code(text, "cpp"))
        first = re.sub(r"(?m)^// ?", "", re.match(r"(?://.*\n)*", text)[0])
        sentence = re.match(r".*?(?=\.\s|:?\n\s*\n|\n?$)", first, re.DOTALL)
        if not sentence[0]:
            sys.exit(f"{path.relative_to(TREE)}: does not begin with what it is")
        rows.append([f"[{name}]({os.path.relpath(header_page(name), 'reference')})", cell(sentence[0])])
    (source / "generated/headers.md").write_text(table(["header in `src/`", "what it has"], rows))


def with_headers(page):
    """The page on systems of one's own with the names of headers as links to their pages."""
    found = headers()
    def linked_name(match):
        name = match[1].removeprefix("../")
        return f"[`{name}`]({header_page(name)})" if name in found else match[0]
    return re.sub(r"`((?:\.\./)?[\w/]+\.hpp)`", linked_name, page)


# ----------------------------------------------------------------------------------------------------------------------
# Sources

def sources_fragment(entries, found):
    page = ""
    for key in sorted(entries, key=str.lower):
        named = []
        for path in found[key]:
            name = pathlib.Path(path)
            if path.startswith("docs/") and path != "docs/sources.md":
                named.append(f"[{name.stem.replace('_', ' ')}](/{name.relative_to('docs')})")
            elif path.startswith("configs/"):
                named.append(f"[{name.stem}](/gallery/{name.stem}.md)")
            elif name.suffix != ".md":
                named.append(f"`{path}`")
        page += f"(source-{key.lower()})=\n\n`{key}`\n: {sources.reference(entries[key])}\n\n"
        page += f"  In {', '.join(named)}.\n\n"
    return page


# ----------------------------------------------------------------------------------------------------------------------

def front_page():
    """The README up to its links, which the site's menu has."""
    first = re.match(r"(.*?)\n## Documentation\n", (TREE / "README.md").read_text(), re.DOTALL)
    if not first:
        sys.exit('README.md: the section "Documentation" is expected')
    return first[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="the built scree")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="folder for source/ and html/")
    options = parser.parse_args()
    for needed in ("sphinx", "myst_parser", "furo", "latex2mathml"):
        if not importlib.util.find_spec(needed):
            print(f"skipped: {sys.executable} has no {needed}")
            sys.exit(77)
    program, out = Program(options.program), options.out.resolve()
    source = out / "source"
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(TREE / "docs", source, ignore=shutil.ignore_patterns("*.py", "*.sh", "*.txt", "__pycache__"))
    shutil.copy(TREE / "docs/conf.py", source)
    for folder in ("generated", "reference/systems", "reference/headers", "gallery"):
        (source / folder).mkdir(parents=True)

    systems = json.loads(program("list", "--json").stdout)["systems"]
    for system in systems:
        (source / "reference/systems" / f"{system['name']}.md").write_text(
            system_page(system, program("init", system["name"]).stdout))
    (source / "generated/systems.md").write_text(table(
        ["system", "what it is", "schemes"],
        [[f"[{s['name']}](systems/{s['name']}.md)", cell(s["meaning"]),
          ", ".join(f"`{k['name']}`" for k in s["schemes"])] for s in systems]))
    (source / "generated/statuses.md").write_text(statuses_page())
    options_of_program = options_page(program("--man").stdout)
    (source / "generated/options.md").write_text(options_of_program)
    reference = python_reference.Reference(sys.modules[__name__], python_reference.meanings_of(options_of_program))
    (source / "generated/python.md").write_text(reference.page())
    write_headers(source)
    (source / "generated/performance.md").write_text(performance_fragment())
    entries = sources.entries()
    patterns = {key: sources.pattern(key, entry) for key, entry in entries.items()}
    found, missing = sources.places(patterns)
    if missing:
        sys.exit("docs/references.bib lacks what is named here, or has more\n" + "\n".join(missing))
    (source / "generated/sources.md").write_text(sources_fragment(entries, found))
    layout = re.match(r"(?://.*\n)*", (TREE / "host/results/result_file.hpp").read_text())[0]
    (source / "generated/layout.md").write_text(code(re.sub(r"(?m)^// ?", "", layout)))
    configs = sorted((TREE / "configs").glob("*.toml"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        stale = pool.submit(lambda: list(validation.stale_rows(program.path)))
        rows = list(pool.map(lambda config: gallery_page(program, config, source / "gallery"), configs))
    if stale.result():
        sys.exit("docs/validation.md does not have these rows; run docs/validation.py\n" + "\n".join(stale.result()))
    (source / "generated/gallery.md").write_text(
        "\n".join(f"- {row[0].replace('](', '](gallery/')} ({row[2]}): {row[1]}" for row in rows) + "\n")

    # Pages from elsewhere, and links.
    readme = front_page()
    for path, name in ELSEWHERE.items():
        shutil.copy(TREE / path, source / name)
    site_of = {f"docs/{p.relative_to(TREE / 'docs')}": str(p.relative_to(TREE / "docs"))
               for p in (TREE / "docs").rglob("*") if p.is_file()}
    site_of |= ELSEWHERE | {"README.md": "index.md"}
    for system in systems:
        theory = source / "theory" / f"{system['name']}.md"
        if theory.exists():
            command = f"`scree list {system['name']}`"
            page = f"../reference/systems/{system['name']}.md"
            theory.write_text(theory.read_text().replace(command, f"[{command}]({page})", 1))
    for path, name in site_of.items():
        if name.endswith(".md") and name != "index.md":
            (source / name).write_text(linked((source / name).read_text(), path, site_of))
    own_system = source / ELSEWHERE[OWN_SYSTEM]
    own_system.write_text(with_headers(own_system.read_text()))
    for page in source.rglob("*.md"):
        if page.name not in ("sources.md", "changelog.md", "readme.md"):
            page.write_text(sources.with_links(page.read_text(), patterns))
    (source / "generated/readme.md").write_text(
        linked(readme, "README.md", site_of).replace("](docs/", "]("))

    done = subprocess.run([sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-j", "2", "-b", "html",
                           "-d", out / "doctrees", source, out / "html"])
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
