"""Figures have what the statistics have, with units on their axes."""

import subprocess
import sys

import numpy as np
import pytest

import scree

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


def test_without_matplotlib_the_package_says_what_is_missing(tmp_path):
    (tmp_path / "matplotlib.py").write_text("raise ImportError('none')\n")
    lines = ("import scree\nds = scree.run(scree.defaults('projectile'), samples=3)\n"
             "try:\n    ds.scree.plot.hist(list(ds)[0])\nexcept ImportError as error:\n    print(error)\n")
    done = subprocess.run([sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n" + lines],
                          capture_output=True, text=True, check=True)
    assert done.stdout == 'plots need matplotlib: pip install "scree-engine[plot]"\n'
