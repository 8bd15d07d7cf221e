"""Each scheme at halves of its step: the arms, their finer ones and what these show."""

import json
import os
import signal
import subprocess
import threading

import pytest

import scree
from conftest import PROGRAM

SHOT = {"system": "projectile", "scheme": ["euler", "rk4"], "samples": 30, "step": 0.1, "end": 20.0,
        "vary": {"start.speed": {"uniform": [20.0, 30.0]}}}


@pytest.fixture
def shot():
    """Thirty shots, not yet under any scheme."""
    schemes = list(scree.list("projectile")["schemes"])
    return json.loads(json.dumps(SHOT)) | {"scheme": schemes[:2]}


def test_finer_arms_are_runs_at_their_steps(shot):
    found = scree.converge(shot, halvings=2)
    for scheme in shot["scheme"]:
        assert [made.attrs["step"] for made in found.finer[scheme]] == [0.05, 0.025]
        for made in [found.arms[scheme], *found.finer[scheme]]:
            alone = scree.run(shot, scheme=scheme, set={"step": made.attrs["step"]})
            assert alone.scree.digest == made.scree.digest and made.equals(alone)
            assert made.scree.statistics().equals(alone.scree.statistics())
            assert made.scree.replay(7).equals(alone.scree.replay(7)), "which takes steps of this length"
            assert made.scree.drawn().equals(alone.scree.drawn())


def test_the_orders_are_those_of_the_program(shot, tmp_path):
    import tomli_w

    (tmp_path / "c.toml").write_text(tomli_w.dumps(shot))
    found = scree.converge(tmp_path / "c.toml", halvings=3)
    theirs = json.loads(subprocess.run([PROGRAM, "converge", str(tmp_path / "c.toml"), "--json", "--quiet"],
                                       capture_output=True, text=True, check=True).stdout)
    assert found.verdict == theirs["verdict"]
    for arm, of in theirs["arms"].items():
        for column, numbers in of["step_error"]["columns"].items():
            rows = found.steps.loc[arm].loc[column]
            assert list(rows.index) == of["step_error"]["steps"] == [0.1, 0.05, 0.025, 0.0125]
            assert list(rows["mean"]) == [pytest.approx(mean, nan_ok=True) for mean in
                                          (float("nan") if m is None else m for m in numbers["means"])]
            seen = [order["value"] for order in numbers["orders"]]
            assert [None if value != value else value for value in rows.order[:2]] == seen
            assert rows.order[2:].isna().all()


def test_a_study_of_steps_is_opened_as_one(shot, tmp_path):
    one = shot | {"scheme": shot["scheme"][0]}
    made = scree.converge(one, halvings=2, out=tmp_path / "s.h5")
    again = scree.open(tmp_path / "s.h5")
    assert isinstance(again, type(made)) and again.steps.equals(made.steps)
    name = one["scheme"]
    assert [ds.equals(other) for ds, other in zip(again.finer[name], made.finer[name], strict=True)] == [True, True]
    assert again.finer[name][1].scree.replay(3).equals(made.finer[name][1].scree.replay(3))
    assert made.table.empty and made.table.index.names == ["arm", "column"]


def test_comparisons_have_finer_arms_only_where_they_were_run(shot):
    coarse = scree.compare(shot)
    assert coarse.steps.empty and all(not finer for finer in coarse.finer.values())
    both = scree.compare(shot, step_error=True)
    assert [len(finer) for finer in both.finer.values()] == [1, 1] and not both.steps.empty


def test_an_arm_at_another_step_is_replayed_with_it(shot):
    found = scree.compare(shot | {"scheme": shot["scheme"][0]}, steps=[0.1, 0.02])
    first, other = found.arms.values()
    assert other.scree.replay(3).sizes["time"] > 4 * first.scree.replay(3).sizes["time"]


def test_ctrl_c_leaves_the_steps_that_were_finished(shot):
    threading.Timer(0.6, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(scree.Interrupted) as found:
        scree.converge(shot | {"samples": 1_000_000, "step": 0.02, "scheme": ["euler", "rk4"]}, halvings=8, grace=5)
    partial = found.value.partial
    assert [name in ("euler", "rk4") for name in partial.arms] == [True] * len(partial.arms)
    assert sum(map(len, partial.finer.values())) < 16
    assert set(partial.steps.columns) <= {"n", "mean", "order_seen", *(f"{name}{end}" for name in
                                          ("change", "order", "error") for end in ("", "_low", "_high"))}


def test_halvings_have_a_range(shot):
    with pytest.raises(scree.ConfigError, match="^halvings = 0, must be a whole number from 1 to 10$"):
        scree.converge(shot, halvings=0)
