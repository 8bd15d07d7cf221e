"""Results of the program are opened, written, merged and gone on with."""

import os
import subprocess

import pytest

import scree
from conftest import CONFIGS, PROGRAM


def test_what_is_saved_is_the_programs_result(ramp, config, tmp_path, program):
    ds = scree.run(config)
    ds.scree.save(tmp_path / "own.h5")
    subprocess.run([PROGRAM, "run", str(config), "-o", str(tmp_path / "theirs.h5"), "--quiet"], check=True,
                   stdout=subprocess.DEVNULL)
    own, theirs = ((tmp_path / name).read_bytes() for name in ("own.h5", "theirs.h5"))
    different = sum(a != b for a, b in zip(own, theirs, strict=True))
    assert different <= 2 * (8 + 4) + 32, "but for the wall times, their blocks' checksums and the seal"
    with pytest.raises(scree.ConfigError, match="exists already"):
        ds.scree.save(tmp_path / "own.h5")
    again = scree.open(tmp_path / "theirs.h5")
    assert again.equals(ds) and again.scree.digest == ds.scree.digest
    assert again.scree.replay(5).equals(ds.scree.replay(5))
    assert again.scree.extend(50).sizes["sample"] == 50


def test_what_was_opened_is_saved_and_extended_with_its_gates(tmp_path):
    choices = {"samples": 20, "out": tmp_path / "r.h5"}
    ds = scree.run(CONFIGS / "first_map.toml", **choices)
    for again in (scree.open(tmp_path / "r.h5"), scree.Program(PROGRAM).open(tmp_path / "r.h5"),
                  scree.run(CONFIGS / "first_map.toml", resume=True, **choices)):
        assert again.scree.maps().identical(ds.scree.maps())
        again.scree.save(tmp_path / "again.h5", force=True)
        assert scree.open(tmp_path / "again.h5").scree.maps().identical(ds.scree.maps())
        assert again.scree.extend(25).sizes["sample"] == 25


def test_what_was_opened_is_found_from_another_folder(config, tmp_path, monkeypatch):
    scree.run(config, out=tmp_path / "r.h5")
    monkeypatch.chdir(tmp_path)
    opened = [scree.open("r.h5"), scree.Program(PROGRAM).open("r.h5")]
    monkeypatch.chdir("/")
    for ds in opened:
        assert ds.scree.extend(50).sizes["sample"] == 50 and ds.scree.replay(3).sizes["time"] > 9


def test_a_run_writes_and_goes_on(config, tmp_path):
    out = tmp_path / "r.h5"
    ds = scree.run(config, out=out)
    assert scree.run(config, out=out, resume=True).equals(ds)
    with pytest.raises(scree.ConfigError, match="exists already; give another name, or force=True to replace it$"):
        scree.run(config, out=out)


def test_shards_are_merged_to_the_whole(config, tmp_path):
    for number in range(3):
        scree.run(config, out=tmp_path / "r.h5", shard=(number, 3))
    merged = scree.merge([tmp_path / "r.h5.shards"], tmp_path / "r.h5")
    whole = scree.run(config)
    assert merged.equals(whole) and merged.scree.digest == whole.scree.digest


def test_a_comparison_is_opened_as_one(config, tmp_path):
    made = scree.compare(config, schemes=["explicit", "implicit"], out=tmp_path / "c.h5")
    again = scree.open(tmp_path / "c.h5")
    assert again.verdict == made.verdict
    assert all(again.arms[name].equals(made.arms[name]) for name in made.arms)


def test_mistakes_are_one_line_and_of_their_kind(tmp_path, ramp):
    with pytest.raises(scree.InputError, match="there is no such file") as found:
        scree.open(tmp_path / "none.h5")
    assert found.value.code == 3 and isinstance(found.value, OSError)
    ramp["terrain"]["slope"] = -3.0
    with pytest.raises(scree.ConfigError, match=r"^config: terrain.slope = -3, must be") as found:
        scree.run(ramp)
    assert isinstance(found.value, ValueError) and "\n" not in str(found.value)
    ramp["terrain"]["slope"] = 40.0
    with pytest.raises(scree.DeviceError, match="cuda"):
        scree.run(ramp, backend="cuda")
    with pytest.raises(scree.TargetError) as found:
        scree.run(ramp, until="mean(runout) +- 0.0001 %", at_most=80)
    assert found.value.partial.sizes["sample"] == 80
    with pytest.raises(scree.ConfigError, match=r"^samples = 10.0, must be a whole number$"):
        scree.run(ramp, samples=10.0)
    with pytest.raises(scree.ConfigError, match="threads = 0, must be >= 1"):
        scree.run(ramp, threads=0)
    with pytest.raises(scree.ConfigError, match=r"^terrain.kind = None, must be"):
        scree.run(ramp | {"terrain": {"kind": None}})
    with pytest.raises(scree.ConfigError, match="there are no parts"):
        scree.merge([], tmp_path / "m.h5")
    with pytest.raises(TypeError):
        scree.run(ramp, sample=3)


LATIN = os.fsdecode(b"m\xfcll")  # a name that is no UTF-8


@pytest.mark.parametrize("name", [LATIN, os.fsencode(LATIN), "before\0after"], ids=["text", "bytes", "nul"])
def test_names_of_files_are_utf8(config, ramp, tmp_path, monkeypatch, either, name):
    monkeypatch.chdir(tmp_path)
    ds, opened = either.run(config), scree.run(config, out="r.h5")
    before = sorted(os.listdir(os.fsencode(tmp_path)))
    calls = {"out": lambda: either.run(config, out=name), "config": lambda: either.check(name),
             "folder": lambda: either.run(ramp, folder=name), "path": lambda: either.open(name),
             "result": lambda: either.run_extended(name, 50), "parts": lambda: either.merge(["r.h5", name], "m.h5")}
    for argument, call in calls.items():
        with pytest.raises(scree.ConfigError, match=rf"^{argument} = '\S*', must be UTF-8 without NUL$") as found:
            call()
        assert str(found.value).isprintable()
    for call in (lambda: ds.scree.save(name), lambda: opened.scree.save(name), lambda: scree.Program(name)):
        with pytest.raises(scree.ConfigError, match=r"^path = '\S*', must be UTF-8 without NUL$"):
            call()
    with pytest.raises(scree.ConfigError, match=r"^header = '\S*', must be UTF-8 without NUL$"):
        scree.build(name, program=PROGRAM)
    assert sorted(os.listdir(os.fsencode(tmp_path))) == before, "and no file of another name"


def test_a_folder_that_is_no_utf8_is_told(config, tmp_path, monkeypatch, other):
    (tmp_path / LATIN).mkdir()
    scree.run(config, out=tmp_path / "r.h5")
    (tmp_path / "r.h5").rename(tmp_path / LATIN / "r.h5")
    monkeypatch.chdir(tmp_path / LATIN)
    for argument, call in [("out", lambda: other.run(config, out="new.h5")), ("path", lambda: other.open("r.h5")),
                           ("out", lambda: other.merge("r.h5", "new.h5", partial=True)),
                           ("result", lambda: other.run_extended("r.h5", 50)), ("path", lambda: scree.open("r.h5")),
                           ("out", lambda: scree.merge("r.h5", "new.h5", partial=True))]:
        with pytest.raises(scree.ConfigError, match=rf"^{argument} = '/\S*\\udcfcll/\w+.h5', must be UTF-8"):
            call()
    assert os.listdir() == ["r.h5"]


def test_texts_of_a_config_are_utf8(ramp, either):
    for given, line in [(ramp | {"title": LATIN}, r"title = 'm\udcfcll'"), (ramp | {LATIN: 3}, r"key = 'm\udcfcll'")]:
        with pytest.raises(scree.ConfigError) as found:
            either.run(given)
        assert str(found.value) == f"{line}, must be UTF-8 without NUL"
    for changes, line in [({"title": LATIN}, r"title = 'm\udcfcll'"), ({LATIN: 3}, r"set = 'm\udcfcll'")]:
        with pytest.raises(scree.ConfigError) as found:
            either.run(ramp, set=changes)
        assert str(found.value) == f"{line}, must be UTF-8 without NUL"


def test_messages_name_the_arguments_of_python(tmp_path, ramp):
    both = {"scheme": ["explicit", "implicit"]}
    for call, words in [
            (lambda: scree.run(ramp, set={"seed": 3}, seed=4), r"^set seed=3 and seed give the same"),
            (lambda: scree.run(ramp, at_most=4), r"^run: at_most limits until, which is not given$"),
            (lambda: scree.run(ramp, shard=(0, 2)), r"^run: shard writes a part of a result: give the result as out$"),
            (lambda: scree.run(ramp | both), r"choose one with `scheme`, or use `scree.compare`$"),
            (lambda: scree.compare(ramp, arms=["rock.ground"]), r"^arms rock.ground, must be key=value"),
            (lambda: scree.run(ramp).scree.replay(3, every=0), r"^every 0, must be")]:
        with pytest.raises(scree.ConfigError, match=words) as found:
            call()
        assert "--" not in str(found.value)
    part = tmp_path / "r.h5"
    scree.run(ramp, out=part, shard=(0, 2))
    with pytest.raises(scree.InputError, match="with `resume=True` make them, partial=True leaves them out$"):
        scree.merge(tmp_path / "r.h5.shards", tmp_path / "whole.h5")
    with pytest.raises(scree.ConfigError, match="is a shard; run_extended takes what"):
        scree.run_extended(next((tmp_path / "r.h5.shards").glob("*.h5")), 60)
    # A name of a file that only looks like an option, and a title, are theirs.
    with pytest.raises(scree.ConfigError, match="^a--samples.toml: there is no such config file$"):
        scree.run("a--samples.toml")
