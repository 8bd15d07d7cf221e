#!/usr/bin/env python3
"""Breaks the program one line at a time and asks whether a test notices.

    tests/mutations/run.py [BUILD] [--only REGEX] [--list] [--jobs N] [--no-baseline]

BUILD (build/release; not build/check, which compiles several tests as one) is configured and has built scree_host and
scree_models; nothing in it is changed. Each entry of mutations.toml is applied to a copy of the sources, alone; only
the test sources that it names are compiled, and the mutated file with them where it is a .cpp, with the compiler
options of BUILD but -O1 (through ccache if that is there), and linked to the libraries of BUILD. Headers under src/ are
compiled into the test itself, and its object comes first on the link line, so what it tests is the mutated code. A
mutation is killed if a test fails, crashes, or takes 20 s and ten times its usual time. What is not mutated must pass,
or nothing here means anything.

Exit code 1: a mutation survived for which the table gives no reason, or one with a reason was killed, or an entry does
not fit the sources any more (`before` must be there exactly once).
"""
import argparse
import json
import os
import pathlib
import queue
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = pathlib.Path(__file__).with_name("mutations.toml")


def shell(command, cwd, timeout=None, **variables):
    """(exit code, output); the code of a command that takes too long is None."""
    try:
        done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout,
                              env=os.environ | variables)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout.decode(errors="replace")


class Build:
    """The commands of a build tree, for a copy of the sources."""

    def __init__(self, folder):
        self.folder = folder
        entries = json.loads((folder / "compile_commands.json").read_text())
        self.compile_of = {entry["file"]: entry for entry in entries}
        code, out = shell(["ninja", "-C", str(folder), "-t", "commands", "scree_unit_tests"], ROOT)
        if code != 0:
            sys.exit(f"{folder}: not a build tree of Ninja: {out}")
        line = next(line for line in reversed(out.splitlines()) if " -o tests/scree_unit_tests " in line)
        words = [w for w in shlex.split(line) if w not in (":", "&&")]
        self.link = [w for w in words if "scree_unit_tests.dir" not in w]
        self.place = self.link.index("-o")

    def moved(self, word, copy):
        """A word of a command with the source tree replaced by its copy; the build tree may lie within."""
        kept = "\0"
        return word.replace(str(self.folder), kept).replace(str(ROOT), str(copy)).replace(kept, str(self.folder))

    def compile(self, source, copy, to):
        entry = self.compile_of.get(str(ROOT / source))
        if entry is None:
            return 1, f"{source}: no target of {self.folder} compiles it"
        words = [self.moved(w, copy) for w in shlex.split(entry["command"])]
        words[words.index("-o") + 1] = str(to)
        # Paths relative to the copy: what is compiled twice, on whichever copy, ccache knows.
        launcher = ["ccache"] if shutil.which("ccache") and words[0] != "ccache" else []
        return shell(launcher + words + ["-O1", "-w"], copy, CCACHE_BASEDIR=str(copy), CCACHE_NOHASHDIR="1")

    def link_tests(self, objects, to):
        words = self.link[: self.place] + [str(o) for o in objects] + self.link[self.place :]
        words[words.index("-o") + 1] = str(to)
        return shell(words, self.folder)


def copy_of_sources(to):
    list_files = ["git", "ls-files", "-coz", "--exclude-standard"]
    files = subprocess.run(list_files, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    for name in files.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    return to


def run_tests(build, copy, sources, test_filter, timeout):
    """("passed" | "failed" | "broken", seconds, what to say)."""
    with tempfile.TemporaryDirectory() as folder:
        objects = []
        for source in sources:
            objects.append(pathlib.Path(folder) / (source.replace("/", "_") + ".o"))
            code, out = build.compile(source, copy, objects[-1])
            if code != 0:
                return "broken", 0, out
        program = pathlib.Path(folder) / "tests"
        code, out = build.link_tests(objects, program)
        if code != 0:
            return "broken", 0, out
        start = time.monotonic()
        code, out = shell([str(program), f"--gtest_filter={test_filter}"], copy, timeout)
        seconds = time.monotonic() - start
        if code is None:
            return "failed", seconds, f"took more than {timeout:.0f} s"
        if "Running 0 tests" in out:
            return "broken", seconds, f"no test is called {test_filter}"
        if code == 0:
            return "passed", seconds, ""
        failed = re.findall(r"^\[  FAILED  \] (\S+?),? ", out + " ", re.MULTILINE)
        return "failed", seconds, failed[0] if failed else f"exit code {code}"


def sources_of(mutation):
    own = [mutation["file"]] if mutation["file"].endswith(".cpp") else []
    return mutation["tests"] + own


def title(mutation):
    return f'{mutation["file"]}: {mutation["breaks"]}'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", default=str(ROOT / "build/release"), help="a configured and built tree")
    parser.add_argument("--only", default="", help="entries whose file or description this regular expression finds")
    parser.add_argument("--list", action="store_true", help="print the entries, check that they fit, and run nothing")
    parser.add_argument("--jobs", type=int, default=max(1, os.cpu_count() or 1))
    parser.add_argument("--no-baseline", action="store_true", help="take for granted that the tests pass without one")
    options = parser.parse_args()

    mutations = [m for m in tomllib.loads(TABLE.read_text())["mutation"] if re.search(options.only, title(m))]
    bad = 0
    for m in mutations:
        found = (ROOT / m["file"]).read_text().count(m["before"]) if (ROOT / m["file"]).is_file() else 0
        if found != 1 or m["before"] == m["after"]:
            print(f"does not fit: {title(m)}: `before` is there {found} times")
            bad += 1
        elif options.list:
            print(title(m))
    if options.list or bad:
        return 1 if bad else 0

    build = Build(pathlib.Path(options.build).resolve())
    with tempfile.TemporaryDirectory(prefix="scree-mutations-") as scratch, ThreadPoolExecutor(options.jobs) as pool:
        copies = queue.Queue()
        for k in range(options.jobs):
            copies.put(copy_of_sources(pathlib.Path(scratch) / str(k)))

        def on_a_copy(work):
            copy = copies.get()
            try:
                return work(copy)
            finally:
                copies.put(copy)

        def baseline(key):
            return on_a_copy(lambda copy: run_tests(build, copy, key[0], key[1], 600))

        def mutated(m, usual):
            def work(copy):
                path = copy / m["file"]
                text = path.read_text()
                try:
                    path.write_text(text.replace(m["before"], m["after"]))
                    return run_tests(build, copy, sources_of(m), m["filter"], 10 * usual + 20)
                finally:
                    path.write_text(text)

            return on_a_copy(work)

        keys = list(dict.fromkeys((tuple(sources_of(m)), m["filter"]) for m in mutations))
        usual = dict.fromkeys(keys, 30)
        for key, (state, seconds, why) in zip(keys, pool.map(baseline, [] if options.no_baseline else keys)):
            usual[key] = seconds
            if state != "passed":
                sys.exit(f"without a mutation: {' '.join(key[0])} {key[1]}: {why}")

        killed = explained = 0
        results = pool.map(lambda m: mutated(m, usual[(tuple(sources_of(m)), m["filter"])]), mutations)
        for m, (state, seconds, why) in zip(mutations, results):
            reason = m.get("reason", "")
            if state == "broken":
                verdict = "DOES NOT COMPILE: " + why
                bad += 1
            elif state == "failed" and not reason:
                verdict = "killed by " + why
                killed += 1
            elif state == "failed":
                verdict = "KILLED, although the table has a reason why it survives: by " + why
                bad += 1
            elif reason:
                verdict = "survives: " + reason
                explained += 1
            else:
                verdict = "SURVIVES"
                bad += 1
            print(f"{title(m)}: {verdict}", flush=True)
        print(f"\n{len(mutations)} mutations: {killed} killed, {explained} survive for a reason, {bad} to look at")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
