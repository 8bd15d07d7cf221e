"""Figures have what the statistics have, with units on their axes."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest

import scree
from conftest import CONFIGS, PROGRAM

pytest.importorskip("matplotlib").use("Agg")
from matplotlib import pyplot  # noqa: E402


@pytest.fixture(autouse=True)
def close_all():
    yield
    pyplot.close("all")


def test_a_histogram_counts_the_samples_that_enter(ramp):
    ds = scree.run(ramp | {"end": 4.0, "terrain": {"kind": "ramp", "slope": 40.0, "height": 40.0}})
    facts = ds.scree.facts["statistics"]["runout"]
    assert 0 < facts["n"] < 40, "some still move"
    axes = ds.scree.plot.hist("runout")
    counts, edges, _ = axes.patches[0].get_data()
    assert counts.sum() == facts["n"] and len(counts) == 40
    assert (edges[0], edges[-1]) == (facts["min"], facts["max"])
    assert axes.lines[0].get_xdata()[0] == pytest.approx(facts["mean"], rel=1e-12)
    assert axes.get_xlabel() == "runout (m)" and axes.get_ylabel() == "samples"
    mine = pyplot.subplots()[1]
    assert ds.scree.plot.hist("stop_time", bins=7, ax=mine) is mine
    assert len(mine.patches[0].get_data().values) == 7
    with pytest.raises(scree.ConfigError, match='^there is no column "runou", there are .*runout'):
        ds.scree.plot.hist("runou")


def test_resting_places_have_their_ellipse(ramp):
    ds = scree.run(ramp | {"samples": 300})
    axes = ds.scree.plot.deposition()
    dots, ellipse = (np.array(line.get_xydata()) for line in axes.lines)
    facts = ds.scree.facts["deposition"]
    assert len(dots) == facts["n"] == int(ds.scree.status["stopped"])
    np.testing.assert_allclose(dots.mean(axis=0), facts["mean"])
    # Mahalanobis distances of the ellipse are those of 95 % of a normal law in the plane.
    inverse = np.linalg.inv(np.array(facts["covariance"]))
    away = ellipse - facts["mean"]
    np.testing.assert_allclose(np.einsum("ni,ij,nj->n", away, inverse, away), -2 * np.log(0.05), rtol=1e-6)
    assert axes.get_xlabel().endswith(" (m)") and axes.get_ylabel().endswith(" (m)")
    assert axes.get_aspect() == 1.0


def test_systems_without_resting_places_say_so():
    shots = scree.run(scree.defaults("projectile"), samples=3)
    with pytest.raises(scree.ConfigError, match="^projectile has no columns of where samples stop$"):
        shots.scree.plot.deposition()


def test_differences_have_intervals_judgements_and_margins(ramp):
    found = scree.compare(ramp, schemes=["explicit", "implicit"], margin={"runout": 5.0})
    axes = found.plot.differences("runout")
    row = found.table.loc["implicit", "runout"]
    interval, mean = axes.lines[0].get_xdata(), axes.lines[1].get_xdata()
    assert list(interval) == [row.ci95_low, row.ci95_high] and list(mean) == [row.difference]
    assert (axes.patches[0].get_x(), axes.patches[0].get_width()) == (-5.0, 10.0)
    assert axes.get_xlabel() == "runout less that of explicit (m)"
    assert [label.get_text() for label in axes.get_yticklabels()] == [f"implicit\n{row.judgement}"]
    both = found.plot.hist("runout")
    assert [text.get_text() for text in both.get_legend().get_texts()] == ["explicit", "implicit"]
    assert len(found.plot.deposition().lines) == 4
    with pytest.raises(scree.ConfigError, match="^there is one arm, and nothing to compare it with$"):
        scree.converge(ramp, halvings=1).plot.differences("runout")


@pytest.mark.parametrize("study", ["first_map", "protection"])
def test_exceedance_has_the_shares_of_gates_and_their_intervals(study):
    config, chosen = CONFIGS / f"{study}.toml", {"samples": 60}
    ds = scree.run(config, **chosen)
    axes = ds.scree.plot.exceedance()
    curves = {name: facts for kind in ("gates", "barriers") for name, facts in ds.scree.facts.get(kind, {}).items()
              if len(facts["exceedance"]["kinetic_energy"]) > 1}
    assert [line.get_label() for line in axes.lines] == list(curves) and curves
    for line, band, facts in zip(axes.lines, axes.collections, curves.values(), strict=True):
        points = facts["exceedance"]["kinetic_energy"]
        assert line.get_xydata().tolist() == [[point["above"], point["share"]] for point in points]
        assert points[0]["share"] == (facts["arrived"] if "arrived" in facts else facts)["probability"] > 0
        corners = {tuple(corner) for corner in band.get_paths()[0].vertices}
        assert {(point["above"], end) for point in points for end in point["ci95"]} <= corners
    assert axes.get_xlabel() == "kinetic energy above (J)" and axes.get_ylabel() == "share of all samples"
    assert ds.scree.plot.exceedance("height").get_xlabel() == "height above (m)"
    found = scree.compare(config, steps=[0.002, 0.004], **chosen)
    labels = [line.get_label() for line in found.plot.exceedance().lines]
    assert labels == [f"{name}, {arm}" for arm in found.arms for name in curves]
    with pytest.raises(scree.ConfigError, match='^of = "speed", must be "kinetic_energy" or "height"$'):
        ds.scree.plot.exceedance("speed")


def test_bands_along_the_way_are_those_of_the_page(ramp, config, tmp_path):
    ds = scree.run(config, out=tmp_path / "r.h5")
    axes = ds.scree.plot.along("kinetic_energy")
    subprocess.run([PROGRAM, "report", str(tmp_path / "r.h5"), "--paths", "40", "--quiet"], check=True)
    page = (tmp_path / "r.html").read_text()
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])
    theirs, = [band for band in data["bands"] if band["of"]["name"] == "kinetic_energy"]
    stretches = np.array(theirs["stretches"], dtype=float)
    middles = theirs["length"] * (np.arange(len(stretches)) + 0.5)
    median, = axes.lines
    np.testing.assert_allclose(median.get_xdata(), middles)
    np.testing.assert_allclose(median.get_ydata(), stretches[:, 3], rtol=1e-9)
    for band, ends in zip(axes.collections, ((1, 5), (2, 4)), strict=True):
        corners = band.get_paths()[0].vertices
        for end in ends:
            for corner in np.column_stack([middles, stretches[:, end]]):
                assert np.isclose(corners, corner, rtol=1e-9).all(axis=1).any()
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("horizontal length of the way (m)", "kinetic energy (J)")
    with pytest.raises(scree.ConfigError, match='^paths have no column "heat", they have '):
        ds.scree.plot.along("heat", paths=5)
    with pytest.raises(scree.ConfigError, match="^there are no gates or barriers that samples came to with a height$"):
        ds.scree.plot.exceedance("height")
    with pytest.raises(scree.ConfigError, match='^paths = 0, must be a whole number from 1 to '):
        ds.scree.plot.along("kinetic_energy", paths=0)
    both = scree.compare(ramp, schemes=["explicit", "implicit"]).plot.along("gap", paths=10)
    assert [text.get_text() for text in both.get_legend().get_texts()] == ["explicit", "implicit"]


@pytest.mark.long
def test_without_matplotlib_the_package_says_what_is_missing(tmp_path):
    (tmp_path / "matplotlib.py").write_text("raise ImportError('none')\n")
    lines = ("import scree\nds = scree.run(scree.defaults('projectile'), samples=3)\n"
             "try:\n    ds.scree.plot.hist(list(ds)[0])\nexcept ImportError as error:\n    print(error)\n")
    done = subprocess.run([sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n" + lines],
                          capture_output=True, text=True, check=True)
    assert done.stdout == "plots need matplotlib: pip install matplotlib\n"
