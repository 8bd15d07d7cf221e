"""A mistake has one text, be it of the module or of a program beside it."""

import pytest

import scree

WHOLE = f"must be a whole number from 1 to {2**63 - 1}"
NARROW = {"until": "mean(runout) +- 1 %", "out": "r.h5"}
SCHEMES = "must be one of explicit, implicit, implicit_cay, rk4"
MISTAKES = [
    ("run", {"isa": "sse"}, "isa sse, must be one of auto, baseline, avx2, avx512"),
    ("compare", {"isa": "", "schemes": ["explicit", "implicit"]},
     'isa "", must be one of auto, baseline, avx2, avx512'),
    ("run", {"backend": "scalar", "isa": "avx512"}, "isa avx512 is for the pack backend, not for scalar"),
    ("run", {"backend": "gpu"}, "backend gpu: must be one of auto, scalar, pack, cuda, cuda:K, cuda:all"),
    ("run", {"scheme": "euler"}, f'scheme: scheme = "euler", {SCHEMES}'),
    ("run", {"scheme": ["explicit", "implicit"]}, "scheme = ['explicit', 'implicit'], must be a text"),
    ("compare", {"schemes": ["explicit", "euler"]}, f'schemes: scheme = "euler", {SCHEMES}'),
    ("compare", {"schemes": ["explicit", "explicit"]}, 'schemes: scheme "explicit" is named twice'),
    ("run", {"samples": 0}, f"samples = 0, {WHOLE}"),
    ("check", {"samples": -1}, f"samples = -1, {WHOLE}"),
    ("run", NARROW | {"at_most": 0}, f"at_most = 0, {WHOLE}"),
    ("run", {"at_most": 4}, "run: at_most limits until, which is not given"),
    ("run", NARROW | {"at_most": 4}, "at_most 4, must be >= 40, the samples of the first look"),
    ("run", {"shard": (4, 4), "out": "r.h5"}, "shard 4/4, must be i/n, part i of n, 0 <= i < n <= 1000000"),
    ("run", {"shard": (-1, 4), "out": "r.h5"}, "shard -1/4, must be i/n, part i of n, 0 <= i < n <= 1000000"),
    ("converge", {"shard": (0, 0), "out": "r.h5"}, "shard 0/0, must be i/n, part i of n, 0 <= i < n <= 1000000"),
    ("run", {"shard": (0, 50), "out": "r.h5"},
     "50 shards: must be at most as many as there are samples, 40"),
    ("run", {"shard": (0, 2)}, "run: shard writes a part of a result: give the result as out"),
    ("run", {"resume": True}, "run: resume=True goes on with a result: give it as out"),
    ("run", NARROW | {"shard": (0, 2)}, "run: until looks at the samples of all shards: leave out shard"),
    ("run", {"set": {"samples": 3}, "samples": 4}, "set samples=3 and samples give the same: keep one of the two"),
    ("run", {"set": {"rock.grund": 3}}, "set: unknown key rock.grund, did you mean rock.ground?"),
    ("run", {"maps": 5}, "maps: maps.extent is missing: a ramp has no edge; give [west, south, east, north] in m"),
    ("compare", {"margin": {"runout": -1.0}}, "margin: margin.runout = -1, must be > 0 (m)"),
    ("converge", {"margin": {"runot": 1.0}}, "margin: unknown key margin.runot, did you mean margin.runout?"),
    ("compare", {"set": {"margin.runot": 1.0}}, "set: unknown key margin.runot, did you mean margin.runout?"),
    ("compare", {"arms": ["rock.ground"]}, "arms rock.ground, must be key=value,value, as rock.ground=soft,hard"),
    ("compare", {}, "config: has only the scheme implicit; name two or more with `schemes`, or steps with "
                    "`steps`, backends with `backends`, other values with `arms`, or use `scree.run`"),
]


@pytest.mark.parametrize(("command", "arguments", "text"), MISTAKES)
def test_a_mistake_in_an_argument(ramp, tmp_path, monkeypatch, either, command, arguments, text):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(scree.ConfigError) as found:
        getattr(either, command)(ramp, **arguments)
    assert str(found.value) == text
    assert not list(tmp_path.iterdir())


def test_a_mistake_in_a_config(ramp, either):
    with pytest.raises(scree.ConfigError) as found:
        either.run(ramp | {"scheme": ["explicit", "implicit"]})
    assert str(found.value) == (
        "config: has the schemes explicit, implicit; choose one with `scheme`, or use `scree.compare`")


SPACING = "must be a whole number of steps >= 1 or a time > 0 in seconds, as 0.1 or 2s"


def test_a_mistake_in_what_is_asked_of_a_dataset(ramp, tmp_path, either):
    ds, part = either.run(ramp), either.run(ramp, out=tmp_path / "r.h5", shard=(1, 2))
    for call, text in [(lambda: ds.scree.replay(5000), "sample = 5000, must be 0 to 39"),
                       (lambda: ds.scree.replay([3, -1]), "sample = -1, must be 0 to 39"),
                       (lambda: ds.scree.replay(2**70), f"sample = {2**70}, must be 0 to 39"),
                       (lambda: part.scree.replay(3), "sample = 3, must be 20 to 39"),
                       (lambda: ds.scree.replay(3, every=0), f"every 0, {SPACING}"),
                       (lambda: ds.scree.replay(3, every=-0.1), f"every -0.100000000000s, {SPACING}"),
                       (lambda: ds.scree.replay(3, every="often"), f"every often, {SPACING}"),
                       (lambda: ds.scree.extend(3), "the Dataset: samples 3, must be >= 40, which it has")]:
        with pytest.raises(scree.ConfigError) as found:
            call()
        assert str(found.value) == text
    assert ds.scree.replay([]) == {} and list(ds.scree.replay([5, 3, 5])) == [5, 3]
