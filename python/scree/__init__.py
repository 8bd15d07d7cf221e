"""Ensembles of small mechanical systems, the same bits everywhere.

    import scree
    ds = scree.run("ramp.toml", scheme="implicit", samples=1000)
    ds.runout.mean(), ds.scree.statistics(), ds.scree.replay(17)

Values, names and order are those of the program `scree`, and so are the bits.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _installed

_installed.require_own_folder(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from . import _calls, _core  # noqa: E402
from ._calls import Progress, ScreeWarning  # noqa: E402
from ._errors import (ConfigError, DeviceError, InputError, Interrupted, RunError, ScreeError,  # noqa: E402
                      TargetError)

if TYPE_CHECKING:
    import xarray as xr

    from ._result import Comparison

__all__ = ["ConfigError", "DeviceError", "InputError", "Interrupted", "RunError", "ScreeError", "ScreeWarning",
           "TargetError", "__build__", "check", "compare", "converge", "defaults", "list", "merge", "open", "run",
           "run_extended"]
__version__ = _core.version
__commit__ = _core.commit
#: How the library was built: `compiler`, `build_type`, `version`, `commit` and its `date`, the `systems`, `isas` (the
#: instruction sets of its kernels) and `isas_here` (those that this processor has), and whether with `cuda`.
__build__: dict[str, Any] = _core.build()

Config = str | os.PathLike[str] | Mapping[str, Any]


# xarray takes a second to import.
def _one(found: _core.Found) -> xr.Dataset:
    from ._result import datasets

    return next(iter(datasets(found).values()))


def _several(found: _core.Found) -> Comparison:
    from ._result import Comparison

    return Comparison(found)


def _one_or_several(file: str) -> Callable[[_core.Found], xr.Dataset | Comparison]:
    def wrap(found: _core.Found) -> xr.Dataset | Comparison:
        from ._result import one_or_several

        return one_or_several(found, file)

    return wrap


def run(config: Config, *, scheme: str | None = None, samples: int | None = None, seed: int | None = None,
        set: Mapping[str, Any] | None = None, folder: str | os.PathLike[str] | None = None,
        until: str | Sequence[str] | None = None, at_most: int | None = None, maps: bool | float = False,
        no_maps: bool = False, threads: int | None = None, backend: str = "auto", isa: str = "auto",
        grace: float = 20, out: str | os.PathLike[str] | None = None, force: bool = False, resume: bool = False,
        checkpoint: float = 10, shard: tuple[int, int] | None = None,
        progress: str | None | Progress = "auto") -> xr.Dataset:
    """An ensemble, as `scree run` makes it: a Dataset along `sample` with a variable for each column, in SI units, and
    the status. The columns are the library's memory, not copies of it.

    `config` is the path of a TOML file, or a dictionary of the same content. The data files of a dictionary are found
    in `folder`, the current one if not given; those of a file beside it; and first of all in SCREE_DATA, if that is
    set. `set` changes keys of the config: {"rock.ground": "soft"}. `until` are targets, as "mean(runout) +- 1 %", with
    at most `at_most` samples. `maps` True makes maps of the paths as [maps] says, a number makes them in cells of so
    many metres, `no_maps` makes none. With `out` the result is a file too, which with `resume` goes on where a command
    was interrupted or killed; finished samples are kept beside it every `checkpoint` seconds. `shard` (0, 4) is the
    first of four parts of the samples.

    Ctrl-C raises Interrupted, whose `partial` is the Dataset with what was finished. Raises ConfigError, InputError,
    DeviceError, RunError, TargetError; warnings are ScreeWarning.
    """
    _calls.require_ranges(threads, grace, checkpoint)
    settings = _calls.settings_of(config, set, folder) | _calls.map_settings(maps, no_maps)
    settings |= _calls.given(schemes=_calls.texts(scheme), samples=samples, seed=seed, until=_calls.texts(until),
                             at_most=at_most, threads=threads, backend=backend, isa=isa, grace=grace,
                             out=out, force=force, resume=resume,
                             checkpoint=checkpoint, shard=None if shard is None else f"{shard[0]}/{shard[1]}",
                             sensitivity=False)
    return _calls.call(_core.run, settings, listener=_calls.Listener(progress), wrap=_one)


def run_extended(result: str | os.PathLike[str], samples: int, *, until: str | Sequence[str] | None = None,
                 at_most: int | None = None, threads: int | None = None, backend: str = "auto", isa: str = "auto",
                 grace: float = 20, out: str | os.PathLike[str] | None = None, force: bool = False,
                 progress: str | None | Progress = "auto") -> xr.Dataset:
    """The result of a `scree run` with more samples, which the file becomes, or `out`. Arguments as of `run`."""
    _calls.require_ranges(threads, grace, 0)
    settings = _calls.given(extend=result, samples=samples, until=_calls.texts(until), at_most=at_most,
                            threads=threads, backend=backend, isa=isa, grace=grace,
                            out=out, force=force, sensitivity=False)
    return _calls.call(_core.run, settings, listener=_calls.Listener(progress), wrap=_one)


def compare(config: Config, *, schemes: Sequence[str] | None = None, arms: Sequence[str] | None = None,
            steps: Sequence[float] | None = None, backends: Sequence[str] | None = None,
            margin: Mapping[str, float] | None = None, step_error: bool = False, samples: int | None = None,
            seed: int | None = None, set: Mapping[str, Any] | None = None,
            folder: str | os.PathLike[str] | None = None, maps: bool | float = False, no_maps: bool = False,
            threads: int | None = None, grace: float = 20, out: str | os.PathLike[str] | None = None,
            force: bool = False, resume: bool = False, checkpoint: float = 10,
            progress: str | None | Progress = "auto") -> Comparison:
    """Schemes, steps, backends or values of keys with the same samples, as `scree compare` does. `arms` are texts as
    "rock.ground=soft,hard"; `margin` is what differences may be without mattering, by column and in its unit;
    `step_error` runs each arm at half its step too. The rest as of `run`."""
    _calls.require_ranges(threads, grace, checkpoint)
    settings = _calls.settings_of(config, _with_margins(set, margin), folder) | _calls.map_settings(maps, no_maps)
    settings |= _calls.given(schemes=_calls.texts(schemes), arms=_calls.texts(arms),
                             steps=None if steps is None else [repr(float(step)) for step in steps],
                             backends=_calls.texts(backends), step_error=step_error, samples=samples, seed=seed,
                             threads=threads, grace=grace, out=out, force=force,
                             resume=resume, checkpoint=checkpoint, sensitivity=False)
    return _calls.call(_core.compare, settings, False, listener=_calls.Listener(progress),
                       wrap=_several)


def converge(config: Config, *, schemes: Sequence[str] | None = None, halvings: int = 3,
             margin: Mapping[str, float] | None = None, samples: int | None = None, seed: int | None = None,
             set: Mapping[str, Any] | None = None, folder: str | os.PathLike[str] | None = None,
             maps: bool | float = False, no_maps: bool = False, threads: int | None = None, backend: str = "auto",
             grace: float = 20, out: str | os.PathLike[str] | None = None, force: bool = False, resume: bool = False,
             checkpoint: float = 10, progress: str | None | Progress = "auto") -> Comparison:
    """Each scheme at the config's step and, with the same samples, at halves of it, as `scree converge` does:
    `halvings` times, 1 to 10. The Comparison has these in `finer`, and how means change with the step in `steps`. The
    rest as of `compare`."""
    _calls.require_ranges(threads, grace, checkpoint)
    if not 1 <= halvings <= 10:
        raise ConfigError(f"halvings = {halvings}, must be a whole number from 1 to 10")
    settings = _calls.settings_of(config, _with_margins(set, margin), folder) | _calls.map_settings(maps, no_maps)
    settings |= _calls.given(schemes=_calls.texts(schemes), halvings=halvings, samples=samples, seed=seed,
                             threads=threads, backend=backend, grace=grace, out=out, force=force, resume=resume,
                             checkpoint=checkpoint, sensitivity=False)
    return _calls.call(_core.compare, settings, True, listener=_calls.Listener(progress),
                       wrap=_several)


def _with_margins(changes: Mapping[str, Any] | None, margin: Mapping[str, float] | None) -> dict[str, Any]:
    return dict(changes or {}) | {f"margin.{column}": width for column, width in (margin or {}).items()}


def open(path: str | os.PathLike[str]) -> xr.Dataset | Comparison:
    """A result of the program: the Dataset of a run, or the Comparison of several arms or steps. The journal of a
    command that was interrupted or killed is one too. After Ctrl-C what was read is the `partial` of Interrupted."""
    file = os.fspath(path)
    return _calls.call(_core.open, file, wrap=_one_or_several(file))


def merge(parts: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], out: str | os.PathLike[str], *,
          force: bool = False, partial: bool = False, link: bool = False,
          progress: str | None | Progress = "auto") -> xr.Dataset | Comparison:
    """Puts results of shards together into the file `out`, as `scree merge` does, and opens it. After Ctrl-C it ends
    with the part in hand, and writes nothing."""
    file = os.fspath(out)
    return _calls.call(_core.merge, _calls.texts(parts), file, force, partial, link,
                       listener=_calls.Listener(progress), wrap=_one_or_several(file))


def check(config: Config, *, samples: int | None = None, seed: int | None = None,
          set: Mapping[str, Any] | None = None, folder: str | os.PathLike[str] | None = None) -> dict[str, Any]:
    """What a config describes, without a run of it, as `scree check` does: a dictionary with what that has in --json
    as `run` (docs/json.md), and its `text`. Arguments as of `run`. Raises ConfigError or InputError with the first
    mistake; warnings are ScreeWarning."""
    settings = _calls.settings_of(config, set, folder) | _calls.given(samples=samples, seed=seed)

    def wrap(told: tuple[str, str]) -> dict[str, Any]:
        return dict(json.loads(told[0])["run"]) | {"text": told[1]}

    return _calls.call(_core.check, settings, wrap=wrap)


def defaults(system: str) -> dict[str, Any]:
    """A config of a system with the defaults that have one, as `scree init` prints it: a dictionary to change and
    run."""
    return tomllib.loads(_core.init(system))


def list(system: str | None = None) -> dict[str, Any]:
    """What `scree list` has: of all systems a dictionary by their names, or that of one. A system has `name`,
    `meaning`, and by their names `params`, `starts`, `columns` and `schemes`, `maps` (their quantities), `terrain` (its
    kinds, with their `keys`) and `presets` (by key and name). pandas.DataFrame(scree.list("rock")["columns"]).T is a
    table. Raises ConfigError for a system that there is not."""
    if system == "":
        raise ConfigError('list: system = "", must be a name')
    systems = {one["name"]: _by_name(one) for one in json.loads(_core.listed(system or ""))["systems"]}
    return systems if system is None else dict(systems[system])


def _by_name(system: dict[str, Any]) -> dict[str, Any]:
    made = dict(system)
    for table in ("params", "starts", "columns", "schemes", "maps"):
        made[table] = {one.pop("name"): one for one in system.get(table, [])}
    made["terrain"] = {kind.pop("kind"): kind | {"keys": {key.pop("name"): key for key in kind["keys"]}}
                       for kind in system.get("terrain", [])}
    made["presets"] = {}
    for preset in system["presets"]:
        made["presets"].setdefault(preset.pop("key"), {})[preset.pop("name")] = preset
    return made
