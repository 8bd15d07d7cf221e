"""What there is to configure is told without the program, and configs are checked without a run."""

import json
import subprocess

import pytest

import scree
from conftest import CONFIGS, PROGRAM

TABLES = ("params", "starts", "columns", "schemes", "maps")


def printed(*words):
    """What the program prints."""
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True).stdout


def by_rows(system):
    """A system of scree.list as the program has it."""
    made = dict(system)
    for table in TABLES:
        made[table] = [{"name": name} | row for name, row in system[table].items()]
    made["terrain"] = [{"kind": kind, "meaning": of["meaning"],
                        "keys": [{"name": name} | key for name, key in of["keys"].items()]}
                       for kind, of in system["terrain"].items()]
    made["presets"] = [{"key": key, "name": name} | preset for key, presets in system["presets"].items()
                       for name, preset in presets.items()]
    return {name: of for name, of in made.items() if of or name not in ("maps", "terrain")}


def test_the_list_is_that_of_the_program():
    theirs = json.loads(printed("list", "--json"))["systems"]
    assert [by_rows(system) for system in scree.list().values()] == theirs
    assert list(scree.list()) == [system["name"] for system in theirs] == list(scree.__build__["systems"])


def test_one_system_is_listed_by_names():
    rock = scree.list("rock")
    assert rock == scree.list()["rock"]
    assert rock["columns"]["runout"]["unit"] == "m"
    assert rock["params"]["restitution"]["default"] == scree.defaults("rock")["rock"].get("restitution", 0.0)
    assert rock["presets"]["ground"]["soft"]["values"]["friction_min"] == 0.25
    assert rock["terrain"]["ramp"]["keys"]["slope"]["required"]
    with pytest.raises(scree.ConfigError, match='unknown system "rok", did you mean "rock"'):
        scree.list("rok")
    with pytest.raises(scree.ConfigError, match='^list: system = "", must be a name$'):
        scree.list("")


def test_a_check_tells_what_the_program_does(config):
    found = scree.check(config, samples=50, seed=4, set={"rock.restitution": 0.2})
    options = ["--samples", "50", "--seed", "4", "--set", "rock.restitution=0.2"]
    assert found.pop("text") == printed("check", str(config), *options)
    assert found == json.loads(printed("check", str(config), *options, "--json"))["run"]


def test_a_check_finds_mistakes_and_warns_and_runs_nothing(ramp):
    with pytest.raises(scree.ConfigError, match=r"^config: terrain.slope = -3, must be > 0"):
        scree.check(ramp | {"terrain": ramp["terrain"] | {"slope": -3.0}})
    with pytest.raises(scree.InputError, match=r"there is no file \S*none.asc"):
        scree.check(ramp | {"terrain": {"kind": "grid", "file": "none.asc"}})
    with pytest.warns(scree.ScreeWarning, match="has length 2") as caught:
        scree.check(ramp | {"start": {"orientation": [2.0, 0.0, 0.0, 0.0]}, "vary": {}})
    assert caught[0].filename == __file__
    with pytest.warns(scree.ScreeWarning, match="only the first 1048576 of"):
        huge = scree.check(ramp, samples=10**12)
    assert huge["samples"] == 10**12, "which would not fit in memory"


def test_a_dictionary_finds_its_files_in_a_folder(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "starts.csv").write_text("speed\n10\n20\n30\n")
    speeds = {"system": "projectile", "scheme": "euler", "samples": 3, "step": 0.01, "end": 20.0,
              "start": {"table": "starts.csv"}}
    monkeypatch.delenv("SCREE_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(scree.InputError, match=r"there is no file \S*starts.csv"):
        scree.run(speeds)
    there = scree.run(speeds, folder=tmp_path / "data")
    monkeypatch.chdir(tmp_path / "data")
    assert scree.run(speeds).scree.digest == there.scree.digest
    found = scree.compare(speeds, steps=[0.01, 0.005], folder=tmp_path / "data")
    assert next(iter(found.arms.values())).scree.digest == there.scree.digest
    assert scree.check(speeds, folder="../data")["inputs"][0]["path"] == "starts.csv"
    with pytest.raises(scree.ConfigError, match=r"^folder = nowhere, there is no such folder"):
        scree.run(speeds, folder="nowhere")
    with pytest.raises(scree.ConfigError, match=r"^folder = \. is for a config that is a dictionary"):
        scree.run(CONFIGS / "slider_case1.toml", folder=".")


def test_the_build_is_described():
    assert scree.__build__["version"] == scree.__version__ and scree.__build__["commit"] == scree.__commit__
    assert scree.__build__["compiler"].split()[0] in ("GNU", "Clang", "AppleClang", "IntelLLVM")
    assert scree.__build__["isas_here"] and set(scree.__build__["isas_here"]) <= set(scree.__build__["isas"])
    assert f"scree {scree.__version__} (commit {scree.__commit__})" == printed("--version").strip()
    ds = scree.run(CONFIGS / "slider_case1.toml", scheme="rk4", samples=2, isa=scree.__build__["isas_here"][-1])
    assert ds.sizes["sample"] == 2
    for isa in {"baseline", "avx2", "avx512"} - set(scree.__build__["isas_here"]):
        with pytest.raises(scree.DeviceError):
            scree.run(CONFIGS / "slider_case1.toml", scheme="rk4", samples=2, isa=isa)
