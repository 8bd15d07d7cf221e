"""A system of one's own, from its header, has all that the module's systems have."""

import os
import pickle
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import scree
from conftest import CONFIGS, PROGRAM
from test_page import blocks_of_page


def header_of(page, name):
    """The header that a page of the tree has."""
    text = (CONFIGS.parent / page).read_text()
    return re.search(rf"^```cpp {name}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)[1]


PENDULUM = header_of("src/systems/README.md", "pendulum.hpp")
SWINGS = {"system": "pendulum", "scheme": "rk4", "samples": 40, "seed": 3, "step": 0.01, "end": 10.0,
          "vary": {"start.theta": {"uniform": [0.1, 1.0]}}}


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The program with its libraries, as users have it, and a cache of its own."""
    if not (Path(PROGRAM).parent / "cmake_install.cmake").exists():
        pytest.skip("there is no build beside the program")
    prefix = tmp_path_factory.mktemp("prefix")
    for component in ("scree", "scree-dev"):
        subprocess.run(["cmake", "--install", str(Path(PROGRAM).parent), "--prefix", str(prefix), "--component",
                        component], check=True, stdout=subprocess.DEVNULL)
    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(prefix / "cache")
    yield prefix / "bin" / "scree"
    del os.environ["XDG_CACHE_HOME"]
    if before is not None:
        os.environ["XDG_CACHE_HOME"] = before


@pytest.fixture(scope="module")
def header(tmp_path_factory):
    """The pendulum of the tutorial."""
    path = tmp_path_factory.mktemp("own") / "pendulum.hpp"
    path.write_text(PENDULUM)
    return path


@pytest.fixture(scope="module")
def my(installed, header):
    """A program with it."""
    return scree.build(header, native=True, program=installed)


def test_what_the_program_runs_is_its_own(my, tmp_path):
    import tomli_w

    assert "pendulum" in my.list() and "pendulum" not in scree.list()
    config = tmp_path / "swings.toml"
    config.write_text(tomli_w.dumps(SWINGS))
    subprocess.run([my.path, "run", str(config), "-o", str(tmp_path / "theirs.h5"), "--quiet"], check=True,
                   stdout=subprocess.DEVNULL)
    theirs = scree.open(tmp_path / "theirs.h5")
    for given in (SWINGS, config):
        ds = my.run(given)
        assert ds.scree.digest == theirs.scree.digest and ds.equals(theirs)
        assert ds.scree.statistics().equals(theirs.scree.statistics())
    assert ds.theta.attrs["units"] == "rad" and ds.sizes["sample"] == 40
    # The largest angle of a pendulum that is let go is that of its start.
    np.testing.assert_allclose(ds.theta_max, ds.scree.drawn()["start.theta"], rtol=1e-9)


def test_a_system_of_the_module_is_the_same_there(my):
    shots = {"system": "projectile", "scheme": "euler", "samples": 9, "step": 0.1, "end": 20.0,
             "vary": {"start.speed": {"uniform": [20.0, 30.0]}}}
    theirs, ours = my.run(shots), scree.run(shots)
    assert theirs.equals(ours) and theirs.scree.digest == ours.scree.digest
    assert theirs.scree.statistics().equals(ours.scree.statistics())
    assert theirs.scree.drawn().identical(ours.scree.drawn())
    assert theirs.scree.replay(3, every=0.5).equals(ours.scree.replay(3, every=0.5))
    assert theirs.scree.replay([5, 2])[2].attrs == ours.scree.replay([5, 2])[2].attrs
    assert list(theirs.scree.replay([5, 2])) == [5, 2]
    assert my.defaults("projectile") == scree.defaults("projectile")
    assert my.list("projectile") == scree.list("projectile")
    assert my.check(shots) == scree.check(shots)


def test_the_ball_of_the_second_page_bounces_by_its_closed_form(installed, tmp_path):
    path = tmp_path / "bouncing_ball.hpp"
    path.write_text(header_of("docs/bouncing_ball.md", "bouncing_ball.hpp"))
    balls = {"system": "bouncing_ball", "scheme": "rk4", "samples": 40, "step": 0.1, "end": 60.0,
             "terrain": {"kind": "plane", "slope": 0.0}, "start": {"position": [0.0, 0.0]},
             "vary": {"start.gap": {"uniform": [1.0, 20.0]}}}
    ds = scree.build(path, native=True, program=installed).run(balls)
    first = np.sqrt(2 * ds.scree.drawn()["start.gap"].values / 9.81)
    # Rebounds of 0.6^k g T_1, the first below 0.01 m/s of which is the last.
    bounces = np.ceil(np.log(0.01 / (9.81 * first)) / np.log(0.6))
    np.testing.assert_array_equal(ds.bounces, bounces)
    # Of the flights between, 2 * 0.6^k T_1 each, the geometric sum; tests/systems/bouncing_ball_test.cpp has the bound.
    np.testing.assert_allclose(ds.last_impact, first * (1 + 3 * (1 - 0.6 ** (bounces - 1))), rtol=0, atol=1e-10)
    assert ds.scree.status["stopped"] == 40


def test_results_are_compared_extended_saved_and_merged(my, tmp_path):
    found = my.compare(SWINGS, steps=[0.01, 0.1], margin={"theta": 0.1})
    assert list(found.arms) == ["rk4 0.01 s", "rk4 0.1 s"] and "theta" in found.verdict[0]
    assert found.arms["rk4 0.1 s"].scree.replay(3).sizes["time"] == 101
    steps = my.converge(SWINGS, halvings=2)
    assert [finer.attrs["step"] for finer in steps.finer["rk4"]] == [0.005, 0.0025]
    assert steps.finer["rk4"][1].scree.replay(3).sizes["time"] == 4001
    ds = my.run(SWINGS)
    more = ds.scree.extend(60)
    assert more.scree.digest == my.run(SWINGS, samples=60).scree.digest
    assert more.scree.replay(55).attrs["sample"] == 55 and more.scree.extend(70).sizes["sample"] == 70
    assert ds.scree.extend(60, out=tmp_path / "more.h5").equals(my.open(tmp_path / "more.h5"))
    assert not my.run(SWINGS | {"vary": {}}).scree.drawn().data_vars
    ds.scree.save(tmp_path / "r.h5")
    with pytest.raises(scree.ConfigError, match="r.h5: exists already; give another name, or force=True"):
        ds.scree.save(tmp_path / "r.h5")
    assert my.open(tmp_path / "r.h5").scree.replay(5).identical(ds.scree.replay(5))
    with pytest.raises(scree.InputError, match='system = "pendulum", must be one of'):
        scree.open(tmp_path / "r.h5").scree.replay(5)
    for number in range(2):
        part = my.run(SWINGS, out=tmp_path / "s.h5", shard=(number, 2))
        assert part.sizes["sample"] == 20 and part.scree.replay(20 * number).attrs["status"] == "end_time"
    assert my.run(SWINGS, out=tmp_path / "s.h5", shard=(1, 2), resume=True).equals(part), "which is complete"
    merged = my.merge(tmp_path / "s.h5.shards", tmp_path / "s.h5")
    assert merged.scree.digest == ds.scree.digest
    kept = my.run(SWINGS, out=tmp_path / "s.h5", force=True)
    my.run(SWINGS, out=tmp_path / "s.h5", force=True, seed=5)
    with pytest.raises(scree.InputError, match="s.h5: is no longer the result that was opened$"):
        kept.scree.replay(3)


def test_mistakes_and_warnings_are_those_of_the_module(my, tmp_path):
    for wrong, words in [({"end": -1.0}, r"^config: end = -1, must be"),
                         ({"pendulum": {"length": 0.0}}, r"^config: pendulum.length = 0, must be > 0"),
                         ({"start": {"table": "none.csv"}}, "there is no file .*none.csv")]:
        for call in (my.run, my.check):
            with pytest.raises((scree.ConfigError, scree.InputError), match=words):
                call(SWINGS | wrong)
    with pytest.raises(scree.ConfigError, match=r"^set: unknown key pendulum.lenght, did you mean pendulum.length\?"):
        my.run(SWINGS, set={"pendulum.lenght": 2.0})
    with pytest.raises(scree.ConfigError, match="^run: shard writes a part of a result: give the result as out$"):
        my.run(SWINGS, shard=(0, 2))
    with pytest.raises(scree.TargetError) as found:
        my.run(SWINGS, until="mean(theta) +- 0.0001 %", at_most=80)
    assert found.value.partial.sizes["sample"] == 80
    with pytest.warns(scree.ScreeWarning, match=r"^config: start.theta = 0.5 has no effect, for it varies$") as caught:
        my.run(SWINGS | {"start": {"theta": 0.5}})
    assert caught[0].filename == __file__
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "starts.csv").write_text("theta\n0.1\n0.2\n")
    table = {"samples": 2, "start": {"table": "starts.csv"}, "vary": {}}
    assert list(my.run(SWINGS | table, folder=tmp_path / "data").theta_max.round(6)) == [0.1, 0.2]


@pytest.mark.parametrize("by", ["signal", "stop"])
def test_an_end_gives_what_was_finished(my, by):
    over = threading.Event()
    threading.Timer(1.0, over.set if by == "stop" else lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(scree.Interrupted) as found:
        my.run(SWINGS, samples=1_000_000, set={"step": 0.001}, grace=5, stop=over if by == "stop" else None)
    partial = found.value.partial
    assert partial.sizes["sample"] == 1_000_000 and 0 < partial.scree.status["not_run"] < 1_000_000


def test_a_header_is_compiled_once(installed, header, my, capfd):
    start = time.monotonic()
    again = scree.build(header, native=True, program=installed)
    assert time.monotonic() - start < 4
    assert Path(again.path).read_bytes() == Path(my.path).read_bytes() and again.path != my.path
    shared = pickle.loads(pickle.dumps(again))
    assert shared.run(SWINGS).scree.digest == my.run(SWINGS).scree.digest
    path = Path(again.path)
    del again
    assert not path.exists(), "it goes with what was returned"
    assert capfd.readouterr().err == ""


def test_a_program_may_stay(installed, header, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scree.build(header, "my_scree", native=True, program=installed)
    mine = scree.Program("my_scree")
    assert mine.run(SWINGS, samples=3).sizes["sample"] == 3
    with pytest.raises(scree.ConfigError, match="my_scree: exists already; give another name, or force=True"):
        scree.build(header, tmp_path / "my_scree", native=True, program=installed)


def test_a_wrong_header_is_told_with_its_rule(installed, header, tmp_path):
    wrong = tmp_path / "pendulum.hpp"
    wrong.write_text(PENDULUM.replace(" sin(s.theta)", " std::sin(s.theta)"))
    with pytest.raises(scree.BuildError, match=r"^build: \S*pendulum.hpp:\d+:\d+: error: .*none of std::, and meets "
                                               r"literals as Real\(0.5\)\); all of it is in ") as found:
        scree.build(wrong, native=True, program=installed)
    assert isinstance(found.value, scree.RunError) and "\n" not in str(found.value)
    with pytest.raises(scree.ConfigError, match="none.hpp: there is no such header$"):
        scree.build(tmp_path / "none.hpp", program=installed)
    with pytest.raises(scree.BuildError, match="libraries and headers are not installed with this program"):
        scree.build(header, program=PROGRAM)


def test_the_pages_lines_run(installed, tmp_path, monkeypatch, capsys):
    block, = blocks_of_page("test_build.py")
    own = PENDULUM.replace("Pendulum", "MyPendulum").replace('"pendulum"', '"my_pendulum"')
    (tmp_path / "my_pendulum.hpp").write_text(own)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{installed.parent}:{os.environ['PATH']}")
    names = {"scree": scree}
    exec(compile(block.replace('.hpp")', '.hpp", native=True)'), "python.md", "exec"), names)  # noqa: S102
    assert names["swings"].sizes["sample"] == 1000 and names["path"].attrs["sample"] == 17
    assert list(names["study"].arms) == ["rk4 0.01 s", "rk4 0.02 s"] and "unit" in capsys.readouterr().out


def test_ctrl_c_ends_the_compiler(installed, tmp_path):
    mine = tmp_path / "my_pendulum.hpp"
    mine.write_text(PENDULUM.replace("Pendulum", "MyPendulum").replace('"pendulum"', '"my_pendulum"'))
    threading.Timer(2.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(scree.Interrupted):
        scree.build(mine, program=installed)
    assert time.monotonic() - start < 4
    time.sleep(0.5)
    commands = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert not any(str(mine).encode() in command for command in commands)
