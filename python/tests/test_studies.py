"""A small study of each system has the bits, the statistics and the tables of the program."""

import math
import tomllib

import pytest

import scree
from conftest import CONFIGS

# One of each system.
STUDIES = ["projectile_range", "slider_case1", "rock_ramp", "pair_case3", "rotor_flips", "disk_1d",
           "hard_discs_kinetic", "balls_three", "coulomb_eight", "scatter_beam", "disc_box_gallery"]
CONTENTS = {study: tomllib.loads((CONFIGS / f"{study}.toml").read_text()) for study in STUDIES}
#: But for how long it took.
TIMES = {"wall_s", "statistics_s"}


def study_of(study):
    """Its file and what it says; skips where a build of some systems does not have its own."""
    if CONTENTS[study]["system"] not in scree.__build__["systems"]:
        pytest.skip(f"there is no {CONTENTS[study]['system']} in this build")
    return CONFIGS / f"{study}.toml", CONTENTS[study]


def schemes_of(content):
    return [content["scheme"]] if isinstance(content["scheme"], str) else content["scheme"]


def same(table, printed):
    """Whether a table of statistics has the numbers of a JSON object, to the last bit."""
    assert list(table.index) == list(printed)
    for column, found in printed.items():
        row = table.loc[column]
        assert (row.unit, row.n) == (found["unit"], found["n"])
        numbers = {"mean": found["mean"], "sd": found["sd"], "ci95_low": found["ci95"][0],
                   "ci95_high": found["ci95"][1], "min": found["min"], "max": found["max"]}
        numbers |= {f"q{float(level):g}": value for level, value in found["quantiles"].items()}
        for name, value in numbers.items():
            assert is_same(row[name], value), (column, name)


def is_same(ours, theirs):
    """Whether a number of a table is that of a JSON object, to the last bit."""
    return math.isnan(ours) if theirs is None else ours == theirs


def timeless(found):
    """What --json prints without times."""
    if isinstance(found, dict):
        return {name: timeless(inner) for name, inner in found.items() if name not in TIMES}
    return [timeless(inner) for inner in found] if isinstance(found, list) else found


def test_each_system_has_a_study():
    assert set(scree.__build__["systems"]) <= {content["system"] for content in CONTENTS.values()}


@pytest.mark.parametrize("study", STUDIES)
def test_a_run_is_that_of_the_program(study, program):
    config, content = study_of(study)
    scheme = schemes_of(content)[0]
    ds = scree.run(config, scheme=scheme, samples=8)
    printed = program("run", str(config), "--scheme", scheme, "--samples", "8", "--no-sensitivity")
    assert timeless(ds.scree.facts) == timeless({"run": None} | printed) | {"run": ds.scree.facts["run"]}
    assert ds.scree.digest == printed["digest"]
    assert list(ds.data_vars) == [*printed["statistics"], "status"]
    same(ds.scree.statistics(), printed["statistics"])


@pytest.mark.parametrize("study", STUDIES)
def test_a_comparison_is_that_of_the_program(study, program):
    config, content = study_of(study)
    chosen = {"schemes": schemes_of(content)[:2]}
    words = ["--samples", "8", "--no-sensitivity", "--schemes", ",".join(chosen["schemes"])]
    if len(chosen["schemes"]) == 1:
        chosen["steps"] = [content["step"], content["step"] / 2]
        words += ["--steps", ",".join(map(repr, chosen["steps"]))]
    found, printed = scree.compare(config, samples=8, **chosen), program("compare", str(config), *words)
    assert timeless(found.facts) == timeless(printed) and len(found.arms) == 2
    for name, arm in found.arms.items():
        assert arm.scree.digest == printed["arms"][name]["digest"]
        same(arm.scree.statistics(), printed["arms"][name]["statistics"])
    (other, pairs), = printed["paired"].items()
    assert [key for key in found.table.index] == [(other, column) for column in pairs]
    for column, pair in pairs.items():
        row = found.table.loc[other, column]
        assert row.n == pair["n"] and row.judgement == pair["judgement"]
        assert is_same(row.difference, pair["difference"])
        assert is_same(row.ci95_low, pair["ci95"][0]) and is_same(row.ci95_high, pair["ci95"][1])


@pytest.mark.parametrize("study", STUDIES)
def test_a_convergence_is_that_of_the_program(study, program):
    config, content = study_of(study)
    scheme = schemes_of(content)[0]
    found = scree.converge(config, schemes=[scheme], halvings=2, samples=4)
    printed = program("converge", str(config), "--schemes", scheme, "--halvings", "2", "--samples", "4")
    assert timeless(found.facts) == timeless(printed)
    name, = found.arms
    same(found.arms[name].scree.statistics(), printed["arms"][name]["statistics"])
    errors = printed["arms"][name]["step_error"]
    assert [finer.attrs["step"] for finer in found.finer[name]] == errors["steps"][1:]
    for column, numbers in errors["columns"].items():
        rows = found.steps.loc[name, column]
        assert list(rows.index) == errors["steps"] and set(rows.n) == {numbers["n"]}
        for kind, values in (("mean", numbers["means"]), ("change", [one["value"] for one in numbers["changes"]]),
                             ("error", [one["value"] for one in numbers["errors"]])):
            assert all(is_same(ours, theirs) for ours, theirs in zip(rows[kind], values)), (column, kind)
