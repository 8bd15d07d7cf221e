"""Values, names, order and bits are those of the program."""

import copy
import math
import pickle
import resource
import subprocess
import sys

import numpy as np
import pytest
import xarray as xr

import scree
from conftest import PROGRAM
from scree import _calls


def test_a_dictionary_is_the_config_that_it_says(ramp, config):
    from_file, from_words = scree.run(config), scree.run(ramp)
    assert from_words.scree.digest == from_file.scree.digest
    law = {"uniform": [0.1, np.float64(0.3)]}
    varied = scree.run(ramp, set={"vary.rock.restitution": law})
    assert varied.scree.digest == scree.run(ramp | {"vary": ramp["vary"] | {"rock.restitution": law}}).scree.digest
    assert varied.scree.digest != from_file.scree.digest
    changed = scree.run(ramp, set={"terrain.slope": 45.0, "seed": np.int64(4)})
    ramp["terrain"]["slope"] = 45.0
    assert changed.scree.digest == scree.run(ramp | {"seed": 4}).scree.digest != from_file.scree.digest


def test_columns_are_the_librarys_memory(ramp):
    ds = scree.run(ramp)
    found = ds.encoding["scree"].found
    assert np.shares_memory(ds.runout.values, found.values(0)), "and not a copy"
    assert not ds.runout.values.flags.writeable
    values = ds.runout.values
    before = values.copy()
    del ds
    assert (values == before).all(), "an array keeps its memory alive"


@pytest.mark.long
def test_memory_is_given_back():
    big = {"system": "projectile", "scheme": "euler", "samples": 20_000, "step": 0.5, "end": 2.0,
           "vary": {"start.speed": {"uniform": [1.0, 2.0]}}}

    def resident():
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * resource.getpagesize() / 2**20

    for _ in range(3):
        scree.run(big)
    before = resident()
    size = scree.run(big).nbytes / 2**20
    for _ in range(100):
        assert scree.run(big).scree.digest
    assert resident() - before < 5 * size, (before, resident(), size)


@pytest.mark.long
def test_paths_that_do_not_fit_into_memory_are_refused(tmp_path):
    (tmp_path / "meminfo").write_text("MemAvailable: 60000 kB\n")
    alone = ["unshare", "--map-root-user", "--mount", "sh", "-c",
             f'mount --bind {tmp_path / "meminfo"} /proc/meminfo && exec "$@"', "sh"]
    if subprocess.run([*alone, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("there is no mount of one's own here")
    shots = {"system": "projectile", "scheme": "euler", "samples": 200, "step": 0.001, "end": 60.0,
             "vary": {"start.speed": {"uniform": [99.0, 100.0]}}}
    lines = (f"import scree\nds = scree.run({shots!r})\n"
             "print(len(ds.scree.replay(range(200), every=500)))\n"
             "try:\n    ds.scree.replay(range(200))\nexcept scree.DeviceError as error:\n    print(error)\n")
    done = subprocess.run([*alone, sys.executable, "-c", lines], capture_output=True, text=True, check=False)
    assert done.stdout == ("200\nthe paths of 200 samples take more than the 61.44 MB of memory that are available: ask "
                           "for fewer samples, or for fewer rows by every\n"), done.stderr


def test_units_and_meanings_are_said(ramp):
    ds = scree.run(ramp)
    assert ds.runout.attrs["units"] == "m" and ds.runout.attrs["samples_counted"] == "stopped"
    assert ds.status.dtype == np.uint8
    meanings = ds.status.attrs["flag_meanings"].split()
    assert meanings[int(ds.status[0])] == "stopped" and len(meanings) == len(ds.status.attrs["flag_values"])
    assert ds.scree.status["stopped"] == int((ds.status == meanings.index("stopped")).sum())
    assert ds.attrs["digest"] in ds.scree._repr_html_() and ds.attrs["digest"] in repr(ds.scree)


def test_arms_side_by_side_keep_their_units_and_meanings(ramp):
    found = scree.compare(ramp, schemes=["explicit", "implicit"])
    ds, both = found.arms["implicit"], found.samples
    for name in ds.data_vars:
        assert both[name].attrs.keys() == ds[name].attrs.keys()
        assert all(np.array_equal(both[name].attrs[key], value) for key, value in ds[name].attrs.items())
    assert both.attrs["system"] == "rock" and "digest" not in both.attrs, "which arms do not share"
    assert both.sel(arm="implicit").runout.identical(ds.runout.assign_coords(arm="implicit"))


def test_a_dataset_with_variables_of_ones_own_is_still_known(ramp):
    ds = scree.run(ramp)
    ds["far"] = ds.runout > 100
    assert ds.scree.replay(7).attrs["sample"] == 7
    faster = ds.assign(runout=2 * ds.runout)
    for made in (faster, ds.isel(sample=slice(5)), ds.drop_vars("runout"), ds.isel(sample=0)):
        assert hasattr(made, "scree")
        with pytest.raises(RuntimeError, match="but made from it$"):
            made.scree.digest
    ds["runout"] = 2 * ds.runout
    with pytest.raises(RuntimeError, match="but made from it$"):
        ds.scree.digest


def test_samples_are_named_by_what_xarray_finds(ramp):
    ds = scree.run(ramp)
    farthest = ds.runout.fillna(0).argmax("sample")
    assert ds.scree.replay(farthest).attrs["sample"] == int(farthest)
    assert scree.run(ramp | {"samples": ds.runout.count()}).sizes["sample"] == int(ds.runout.count())
    with pytest.raises(scree.ConfigError, match="^end = one two, must be a number"):
        scree.run(ramp | {"end": type("Odd", (), {"__repr__": lambda _: "one\ntwo"})()})


def test_a_replay_ends_where_the_sample_did(ramp):
    ds = scree.run(ramp)
    path = ds.scree.replay(7)
    assert path.attrs == {"sample": 7, "status": "stopped"}
    assert float(path.time[-1]) == float(ds.stop_time.sel(sample=7))
    tenth = ds.scree.replay([3, 7], every=10)
    assert list(tenth) == [3, 7] and tenth[7].sizes["time"] == math.ceil((path.sizes["time"] - 1) / 10) + 1
    with pytest.raises(scree.ConfigError, match="^sample = 40, must be 0 to 39$"):
        ds.scree.replay(40)


def test_what_samples_draw_is_told(ramp):
    ds = scree.run(ramp)
    drawn = ds.scree.drawn()
    squares = sum(drawn[f"start.orientation.{axis}"] ** 2 for axis in "wxyz")
    np.testing.assert_allclose(squares, 1, rtol=0, atol=4 * np.finfo(float).eps)


def test_more_samples_are_those_of_one_run(ramp):
    assert scree.run(ramp).scree.extend(60).scree.digest == scree.run(ramp | {"samples": 60}).scree.digest


def test_a_pickled_dataset_has_its_numbers(ramp):
    ds = scree.run(ramp)
    digest = ds.scree.digest
    again = pickle.loads(pickle.dumps(ds))
    for _ in range(2):  # what was pickled is pickled again
        assert again.equals(ds) and again.scree.digest == digest
        assert again.scree.statistics().equals(ds.scree.statistics())
        with pytest.raises(RuntimeError, match="has been pickled"):
            again.scree.replay(0)
        again = pickle.loads(pickle.dumps(again))
    assert pickle.loads(pickle.dumps(ds.scree)).digest == digest
    for other in (again.assign(runout=100 * again.runout), again.assign(status=0 * again.status)):
        with pytest.raises(RuntimeError, match="but made from it"):
            other.scree.digest  # noqa: B018


def test_progress_hears_of_the_last_sample(ramp):
    heard = []
    scree.run(ramp, progress=lambda *stage: heard.append(stage))
    assert heard[-1][:2] == (40, 40) and heard[-1][2] > 0
    heard.clear()
    listener = _calls.Listener(lambda *stage: heard.append(stage[0]))
    for seconds, done in ((0.1, 3), (0.2, 4), (0.25, 10), (0.4, 10)):
        listener.show("", done, 10, 1, seconds, 0)
    assert heard == [3, 10]


def test_a_copy_is_what_it_is_of(ramp):
    ds = scree.run(ramp)
    for again in (ds.copy(), ds.copy(deep=True), copy.deepcopy(ds)):
        assert again.scree.digest == ds.scree.digest and again.scree.replay(0).equals(ds.scree.replay(0))
    again = ds.copy(deep=True)
    again.status[3] = 7
    with pytest.raises(RuntimeError, match="but made from it"):
        again.scree.digest  # noqa: B018
    with pytest.raises(ValueError, match="read-only"):
        ds.status[3] = 7


def test_a_selection_has_no_statistics_of_all(ramp):
    ds = scree.run(ramp)
    others = (ds.isel(sample=slice(0, 3)), ds.mean(), ds.drop_encoding(), ds.sortby("runout"), 2 * ds,
              ds.isel(sample=np.arange(40)[::-1]), ds.assign(runout=100 * ds.runout),
              ds.assign(runout=ds.runout.astype("O")), ds.assign(runout=("sample", ds.runout.values[::-1])),
              ds.assign(runout=ds.runout.copy(data=ds.runout.values.view("i8"))), ds.assign(status=0 * ds.status),
              scree.compare(ramp, schemes=["explicit", "implicit"]).samples.isel(arm=1))
    for other in others:
        with pytest.raises(RuntimeError, match="but made from it"):
            other.scree.digest  # noqa: B018


def test_defaults_run_as_they_are():
    config = scree.defaults("projectile")
    assert scree.run(config, samples=3).sizes["sample"] == 3
    with pytest.raises(scree.ConfigError, match='unknown system "projectil", did you mean "projectile"'):
        scree.defaults("projectil")


def test_a_comparison_has_arms_differences_and_words(ramp, program, config):
    found = scree.compare(config, schemes=["explicit", "implicit"], margin={"runout": 5.0})
    assert list(found.arms) == ["explicit", "implicit"]
    pairs = found.arms["implicit"].runout - found.arms["explicit"].runout
    row = found.table.loc["implicit", "runout"]
    assert row.n == int(pairs.notnull().sum())
    assert row.difference == pytest.approx(float(pairs.mean()), rel=1e-12)
    assert found.samples.sizes["arm"] == 2 and found.verdict[0].startswith("runout: ")


def test_the_table_of_sensitivity_is_that_of_the_program(ramp, tmp_path):
    import tomli_w

    ramp |= {"samples": 12, "sensitivity": {"key": "rock.restitution", "values": [0.1, 0.3]}}
    config = tmp_path / "s.toml"
    config.write_text(tomli_w.dumps(ramp))
    subprocess.run([PROGRAM, "run", str(config), "-o", str(tmp_path / "theirs.h5"), "--quiet"], check=True,
                   stdout=subprocess.DEVNULL)
    ds = scree.run(config, sensitivity=True, out=tmp_path / "own.h5")
    table = ds.scree.sensitivity()
    assert table.index.names == ["rock.restitution", "scheme", "column"]
    alone = scree.run(config, set={"rock.restitution": 0.3}).scree.statistics().loc["runout"]
    row = table.loc["0.3", "implicit", "runout"]
    assert row.n == alone.n and row["mean"] == alone["mean"] and row.ci95_high == alone.ci95_high
    for other in (scree.open(tmp_path / "theirs.h5"), scree.open(tmp_path / "own.h5")):
        assert other.scree.sensitivity().equals(table)
    with pytest.raises(scree.ConfigError, match=r"^there is no table of \[sensitivity\]: sensitivity=True makes one"):
        scree.run(config).scree.sensitivity()
    study = scree.compare(config, schemes=["explicit", "implicit"], sensitivity=True)
    assert study.sensitivity().xs("implicit", level="scheme").equals(table.xs("implicit", level="scheme"))


def test_a_comparison_has_the_options_of_a_run(ramp, tmp_path):
    isa = scree.__build__["isas_here"][-1]
    chosen = {"schemes": ["explicit", "implicit"], "backend": "pack"}
    whole = scree.compare(ramp, isa=isa, **chosen)
    assert [arm.scree.facts["backend"] for arm in whole.arms.values()] == ["pack", "pack"]
    for number in range(2):
        part = scree.compare(ramp, shard=(number, 2), out=tmp_path / "c.h5", **chosen)
        assert part.samples.sizes["sample"] == 20
    merged = scree.merge(tmp_path / "c.h5.shards", tmp_path / "c.h5")
    assert merged.verdict == whole.verdict and merged.samples.equals(whole.samples)
    with pytest.raises(scree.ConfigError, match="^backend and backends exclude each other$"):
        scree.compare(ramp, backends=["scalar", "pack"], backend="pack")
    with pytest.raises(scree.ConfigError, match="^isa sse, must be one of auto, baseline, avx2, avx512$"):
        scree.converge(ramp, isa="sse")
