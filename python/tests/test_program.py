"""Another program beside this process: what it has to be, and what is said of it."""

import math
import os
import re
import subprocess
import sys
import time

import numpy as np
import pytest

import scree
from conftest import CONFIGS, PROGRAM
from scree._program import _ranges


def test_the_program_gives_what_the_module_gives(ramp, other):
    ours, theirs = scree.run(ramp), other.run(ramp)
    assert theirs.equals(ours) and theirs.scree.digest == ours.scree.digest
    assert theirs.scree.statistics().equals(ours.scree.statistics())
    assert theirs.scree.replay(7).equals(ours.scree.replay(7))
    assert theirs.scree.drawn().identical(ours.scree.drawn())
    assert other.compare(ramp, schemes=["explicit", "implicit"]).verdict == scree.compare(
        ramp, schemes=["explicit", "implicit"]).verdict
    assert other.list() == scree.list() and other.check(ramp) == scree.check(ramp)


def test_inputs_with_names_are_their_places_among_these(ramp, other):
    shapes = {"shape": [ramp["shape"][0] | {"name": name} for name in ("block", "slab")]}
    for name, choices, unit, more in [("rock.ground", ["soft", "hard"], "", {}),
                                      ("start.shape", ["block", "slab"], "1", shapes)]:
        varied = ramp | more | {"vary": {name: {"choice": choices}}}
        ours = scree.run(varied).scree.drawn()
        assert ours[name].attrs["units"] == unit
        assert other.run(varied).scree.drawn().identical(ours)


WRONG_TYPES = [("run", name, value) for name, values in {
    "samples": (10.0, "7", True, math.nan), "seed": (3.0, "7", True), "threads": (1.0, "1", True),
    "at_most": (80.0, "80", True), "grace": ("3", True), "checkpoint": ("3", True), "shard": ((0.0, 2), ("0", "2"), 3),
    "force": (1, "no"), "resume": (1,), "sensitivity": (1, "no"), "no_maps": (1,), "maps": ("3", None),
    "backend": (1, True, ["pack"]), "isa": (True,), "scheme": (3, [True]), "until": (3,), "set": ("seed=3",),
    "out": (3, True), "folder": (3,)}.items() for value in values]
WRONG_TYPES += [("compare", "steps", 0.01), ("compare", "steps", ["0.01"]), ("compare", "steps", [True]),
                ("compare", "step_error", 1), ("compare", "margin", 3), ("compare", "backends", 3),
                ("converge", "halvings", 2.0), ("converge", "halvings", "2"), ("converge", "halvings", True),
                ("check", "samples", "7"), ("check", "seed", True)]


TYPES = {**dict.fromkeys(("samples", "seed", "threads", "at_most", "halvings"), "a whole number"),
         **dict.fromkeys(("grace", "checkpoint"), "a number"), "maps": "True, False or a number", "steps": "numbers",
         **dict.fromkeys(("force", "resume", "sensitivity", "no_maps", "step_error"), "True or False"),
         **dict.fromkeys(("backend", "isa", "scheme"), "a text"), **dict.fromkeys(("set", "margin"), "a dictionary"),
         **dict.fromkeys(("until", "backends"), "a text or several"), **dict.fromkeys(("out", "folder"), "a path"),
         "shard": r"two whole numbers, as \(0, 4\)"}


@pytest.mark.parametrize(("command", "name", "value"), WRONG_TYPES)
def test_an_argument_of_a_wrong_type_is_told_as_by_the_module(ramp, either, command, name, value):
    with pytest.raises(scree.ConfigError) as found:
        getattr(either, command)(ramp, **{name: value})
    assert re.fullmatch(rf"{name} = {re.escape(repr(value))}, must be {TYPES[name]}", str(found.value))


def test_an_argument_out_of_range_is_told_as_by_the_module(ramp, either):
    whole, time_span = f"to {2**63 - 1}", "a number from 0 to 86400 (s)"
    for name, value, words in [
            ("samples", 0, f"a whole number from 1 {whole}"), ("at_most", 0, f"a whole number from 1 {whole}"),
            ("seed", 2**63, f"a whole number from 0 {whole}"), ("grace", math.nan, time_span),
            ("checkpoint", math.inf, time_span), ("threads", 4097, ">= 1 and <= 4096")]:
        with pytest.raises(scree.ConfigError) as found:
            either.run(ramp, **{name: value})
        assert str(found.value) == f"{name} = {value}, must be {words}"


def test_numbers_of_numpy_are_numbers(ramp, other):
    chosen = {"samples": np.int64(5), "seed": np.uint8(4), "threads": np.int32(1), "grace": np.float32(3),
              "force": np.bool_(True)}
    assert other.run(ramp, **chosen).scree.digest == scree.run(ramp, **chosen).scree.digest
    with pytest.raises(scree.ConfigError, match=r"^samples = array\(\[\[1\],        \[2\]\]\), must be"):
        other.run(ramp, samples=np.array([[1], [2]]))
    steps = np.array([0.002, 0.004])
    assert other.compare(ramp, samples=5, steps=steps).verdict == scree.compare(ramp, samples=5, steps=steps).verdict


def test_an_empty_text_is_no_option_without_value(ramp, other):
    for command, arguments in [("run", {"scheme": ""}), ("run", {"backend": ""}), ("run", {"until": ""}),
                               ("compare", {"schemes": ["explicit", ""]}), ("compare", {"backends": []}),
                               ("compare", {"steps": []}), ("compare", {"arms": [""]}), ("run", {"out": ""})]:
        lines = []
        for one in (scree, other):
            with pytest.raises(scree.ConfigError) as found:
                getattr(one, command)(ramp, **arguments)
            lines.append(str(found.value))
        assert lines[0] == lines[1]
    with pytest.raises(scree.ConfigError, match="every , must be a whole number of steps >= 1"):
        other.run(ramp).scree.replay(3, every="")


def test_a_name_with_a_comma_is_not_two(ramp, other):
    with pytest.raises(scree.ConfigError, match='^schemes = "explicit,implicit", must be without a comma, which a'):
        other.compare(ramp, schemes=["explicit,implicit"])


def test_samples_are_added_and_replayed_by_whole_numbers(ramp, either):
    ds = either.run(ramp)
    with pytest.raises(scree.ConfigError, match="^samples = 50.0, must be a whole number$"):
        ds.scree.extend(50.0)
    for sample in (3.0, "3", True):
        with pytest.raises(scree.ConfigError, match=f"^sample = {sample!r}, must be a whole number or several$"):
            ds.scree.replay(sample)


def test_what_is_no_program_of_this_version_is_told(tmp_path):
    with pytest.raises(scree.ConfigError, match="nowhere: there is no such program, here or in PATH$"):
        scree.Program(tmp_path / "nowhere")
    with pytest.raises(scree.ConfigError, match="/ls: is no program of Scree$"):
        scree.Program("ls")
    other = tmp_path / "text"
    other.write_text("of no format that is run\n")
    other.chmod(0o755)
    with pytest.raises(scree.ConfigError, match="/text: is no program of Scree$"):
        scree.Program(other)
    old = tmp_path / "old"
    old.write_text("#!/bin/sh\necho 'scree 0.0.1 (commit 0123456789ab)'\n")
    old.chmod(0o755)
    with pytest.raises(scree.RunError, match="old: is of Scree 0.0.1, this package of "):
        scree.Program(old)


@pytest.mark.long
def test_temporary_files_go_with_their_results(tmp_path, ramp):
    # xarray keeps the first Dataset of a process, in the traceback of an import that failed.
    lines = (f"import os, scree\nscree.run({ramp!r})\nother = scree.Program({PROGRAM!r})\nds = other.run({ramp!r})\n"
             "if os.fork() == 0:\n    raise SystemExit\nos.wait()\n"
             "print(len(os.listdir(os.environ['TMPDIR'])), ds.scree.replay(3).sizes['time'] > 9)\n"
             "more = other.run_extended(ds.encoding['scree'].origin.file, 50, out='more.h5')\ndel ds\n"
             "print(len(os.listdir(os.environ['TMPDIR'])), other.run('ramp.toml').sizes['sample'])\n")
    import tomli_w

    (tmp_path / "ramp.toml").write_text(tomli_w.dumps(ramp))
    (tmp_path / "tmp").mkdir()
    done = subprocess.run([sys.executable, "-W", "error::ResourceWarning", "-c", lines], cwd=tmp_path, text=True,
                          capture_output=True, env=os.environ | {"TMPDIR": str(tmp_path / "tmp")}, check=False)
    assert (done.stdout, done.stderr) == ("1 True\n0 40\n", "")
    assert not list((tmp_path / "tmp").iterdir()) and (tmp_path / "more.h5").exists()


def test_a_build_needs_a_program(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    with pytest.raises(scree.BuildError, match="^build: there is no program scree in PATH, which compiles headers; "):
        scree.build("pendulum.hpp")


def script(path, lines):
    """A program of this version that does these lines of the shell."""
    path.write_text(f"#!/bin/sh\n[ $1 = --version ] && echo 'scree {scree.__version__} (commit x)' && exit\n{lines}")
    path.chmod(0o755)
    return scree.Program(path)


def test_what_a_program_says_is_heard(tmp_path, ramp):
    stages = []
    other = script(tmp_path / "other", "cat >/dev/null\necho 'soft: rk4: 12/40 samples, 1.5 Msteps/s, 3 s left' >&2\n"
                                       "echo 'warning: stdin:3: steep' >&2\nsleep 0.3\n"
                                       "echo 'rk4: 5/40 samples' >&2\n"
                                       "echo 'scree: run: --shard bad; see scree run --help' >&2\nexit 4\n")
    with (pytest.warns(scree.ScreeWarning, match="^config: steep$") as caught,
          pytest.raises(scree.DeviceError, match="^shard bad$")):
        other.run(ramp, progress=lambda *stage: stages.append(stage))
    assert caught[0].filename == __file__
    assert [stage[:2] for stage in stages] == [(12, 40), (5, 40)] and 0 < stages[0][2] < 1.5e6 and stages[1][2] == 0


def test_what_a_callback_throws_ends_the_program(tmp_path, ramp):
    other = script(tmp_path / "other", "trap 'echo gone >%s; exit 130' TERM\necho 'rk4: 1/40 samples' >&2\n"
                                       "while true; do sleep 0.05; done\n" % (tmp_path / "said"))
    with pytest.raises(ZeroDivisionError):
        other.run(ramp, progress=lambda *_: 1 // 0)
    assert (tmp_path / "said").read_text() == "gone\n"


def test_another_thread_ends_a_build(tmp_path):
    compiler = script(tmp_path / "other", "trap 'echo gone >%s; exit 130' TERM\ntouch %s\n"
                                          "while true; do sleep 0.05; done\n" % (tmp_path / "said", tmp_path / "up"))

    class Up:
        def is_set(self):
            return (tmp_path / "up").exists()

    with pytest.raises(scree.Interrupted, match="^interrupted$") as found:
        scree.build(tmp_path / "own.hpp", program=compiler.path, stop=Up())
    assert found.value.partial is None and (tmp_path / "said").read_text() == "gone\n"
    with pytest.raises(scree.ConfigError, match=r"^stop = True, must have is_set\(\), as a threading.Event$"):
        scree.build(tmp_path / "own.hpp", program=compiler.path, stop=True)


@pytest.mark.long
def test_a_run_is_ended_where_sigint_is_ignored(ramp):
    lines = (f"import threading, scree\nover = threading.Event()\nthreading.Timer(1, over.set).start()\n"
             f"long = {ramp!r} | {{'samples': 50000}}\n"
             f"try:\n    scree.Program({PROGRAM!r}).run(long, stop=over, grace=0)\n"
             "except scree.Interrupted as found:\n    print(found.partial.scree.status['not_run'] > 0)\n")
    done = subprocess.run(["sh", "-c", "trap '' INT; exec \"$@\"", "sh", sys.executable, "-W", "ignore", "-c", lines],
                          text=True, capture_output=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_ctrl_c_before_it_is_listened_to_ends_the_program(tmp_path, ramp, monkeypatch):
    other = script(tmp_path / "other", "trap 'echo gone >%s; exit 130' TERM\ntouch %s\n"
                                       "while true; do sleep 0.05; done\n" % (tmp_path / "said", tmp_path / "up"))

    def start(_):
        while not (tmp_path / "up").exists():
            time.sleep(0.01)
        raise KeyboardInterrupt

    monkeypatch.setattr("threading.Thread.start", start)
    with pytest.raises(scree.Interrupted, match="^interrupted$"):
        other.run(ramp)
    while not (tmp_path / "said").exists():
        time.sleep(0.01)


def test_a_program_that_is_killed_is_told(tmp_path, ramp):
    with pytest.raises(scree.RunError, match="other: was ended by signal 9$"):
        script(tmp_path / "other", "kill -9 $$\n").run(ramp)


def test_a_program_that_is_gone_is_told(tmp_path, ramp):
    other = script(tmp_path / "other", "")
    (tmp_path / "other").unlink()
    with pytest.raises(scree.RunError, match="other: cannot be started: No such file or directory$"):
        other.run(ramp)


def test_a_file_that_is_called_minus_is_no_standard_input():
    with pytest.raises(scree.ConfigError, match="^./-: there is no such config file$"):
        scree.Program(PROGRAM).run("-")


def test_samples_are_replayed_in_the_order_asked_for_and_named_in_ranges(ramp):
    assert list(scree.Program(PROGRAM).run(ramp).scree.replay([7, 3, 4, 5, 3])) == [7, 3, 4, 5]
    assert _ranges([7, 3, 4, 5, *range(9, 100000)]) == "3:6,7,9:100000", "a command line has no room for a number each"


def test_what_is_opened_stays_where_it_is_extended_or_saved(tmp_path, config):
    other, whole = scree.Program(PROGRAM), tmp_path / "whole.h5"
    digest = scree.run(config, out=whole).scree.digest
    before = whole.read_bytes()
    assert other.open(whole).scree.extend(50, out=None).sizes["sample"] == 50 and whole.read_bytes() == before
    for number in range(2):
        scree.run(config, out=tmp_path / "r.h5", shard=(number, 2))
    linked = other.merge(tmp_path / "r.h5.shards", tmp_path / "r.h5", link=True)
    (tmp_path / "apart").mkdir()
    linked.scree.save(tmp_path / "apart" / "r.h5")
    assert scree.open(tmp_path / "apart" / "r.h5").scree.digest == digest


def test_maps_and_tables_are_those_of_the_module(tmp_path):
    config, chosen = CONFIGS / "first_map.toml", {"samples": 20, "set": {"maps.cell": 10.0}}
    ours, theirs = scree.run(config, **chosen), scree.Program(PROGRAM).run(config, **chosen)
    assert theirs.scree.maps().identical(ours.scree.maps())
    assert ours.scree.digest in theirs.scree._repr_html_() and ours.scree.config == theirs.scree.config
    ds = scree.Program(PROGRAM).run(config, samples=5, maps=20)
    assert ds.scree.maps("passages").attrs["cell"] == 20
