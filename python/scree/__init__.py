"""Ensembles of small mechanical systems, the same bits everywhere.

    import scree
    ds = scree.run("ramp.toml", scheme="implicit", samples=1000)
    ds.runout.mean(), ds.scree.statistics(), ds.scree.replay(17)

Values, names and order are those of the program `scree`, and so are the bits.
"""

from __future__ import annotations

import importlib
import os
import tomllib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _calls, _core
from ._calls import Progress, ScreeWarning
from ._errors import ConfigError, DeviceError, InputError, Interrupted, RunError, ScreeError, TargetError

if TYPE_CHECKING:
    import xarray as xr

    from ._result import Comparison

__all__ = ["ConfigError", "DeviceError", "InputError", "Interrupted", "RunError", "ScreeError", "ScreeWarning",
           "TargetError", "compare", "defaults", "merge", "open", "run", "run_extended"]
__version__ = _core.version
__commit__ = _core.commit

Config = str | os.PathLike[str] | Mapping[str, Any]


def _results() -> Any:
    # xarray takes a second to import.
    return importlib.import_module("scree._result")


def _one(file: str = "") -> Any:
    return lambda found: next(iter(_results().datasets(found, file).values()))


def _one_or_several(file: str) -> Any:
    return lambda found: _one(file)(found) if len(found.arms) == 1 else _results().Comparison(found, file)


def run(config: Config, *, scheme: str | None = None, samples: int | None = None, seed: int | None = None,
        set: Mapping[str, Any] | None = None, until: str | Sequence[str] | None = None, at_most: int | None = None,
        threads: int | None = None, backend: str = "auto", isa: str = "auto", grace: float = 20,
        out: str | os.PathLike[str] | None = None, force: bool = False, resume: bool = False, checkpoint: float = 10,
        shard: tuple[int, int] | None = None, progress: str | None | Progress = "auto") -> xr.Dataset:
    """An ensemble, as `scree run` makes it: a Dataset along `sample` with a variable for each column, in SI units, and
    the status. The columns are the library's memory, not copies of it.

    `config` is the path of a TOML file, or a dictionary of the same content. `set` changes keys of it:
    {"rock.ground": "soft"}. `until` are targets, as "mean(runout) +- 1 %", with at most `at_most` samples. With `out` the
    result is a file too, which with `resume` goes on where a command was interrupted or killed; finished samples are
    kept beside it every `checkpoint` seconds. `shard` (0, 4) is the first of four parts of the samples.

    Ctrl-C raises Interrupted, whose `partial` is the Dataset with what was finished. Raises ConfigError, InputError,
    DeviceError, RunError, TargetError; warnings are ScreeWarning.
    """
    _calls.require_ranges(threads, grace, checkpoint)
    settings = _calls.settings_of(config, set)
    settings |= _calls.given(schemes=_calls.texts(scheme), samples=samples, seed=seed, until=_calls.texts(until),
                             at_most=at_most, threads=threads, backend=backend, isa=isa, grace=grace,
                             out=out, force=force, resume=resume,
                             checkpoint=checkpoint, shard=None if shard is None else f"{shard[0]}/{shard[1]}",
                             sensitivity=False)
    return _calls.call(_core.run, settings, listener=_calls.Listener(progress), wrap=_one())


def run_extended(result: str | os.PathLike[str], samples: int, *, until: str | Sequence[str] | None = None,
                 at_most: int | None = None, threads: int | None = None, backend: str = "auto", isa: str = "auto",
                 grace: float = 20, out: str | os.PathLike[str] | None = None, force: bool = False,
                 progress: str | None | Progress = "auto") -> xr.Dataset:
    """The result of a `scree run` with more samples, which the file becomes, or `out`. Arguments as of `run`."""
    _calls.require_ranges(threads, grace, 0)
    settings = _calls.given(extend=result, samples=samples, until=_calls.texts(until), at_most=at_most,
                            threads=threads, backend=backend, isa=isa, grace=grace,
                            out=out, force=force, sensitivity=False)
    return _calls.call(_core.run, settings, listener=_calls.Listener(progress), wrap=_one())


def compare(config: Config, *, schemes: Sequence[str] | None = None, arms: Sequence[str] | None = None,
            steps: Sequence[float] | None = None, backends: Sequence[str] | None = None,
            margin: Mapping[str, float] | None = None, step_error: bool = False, samples: int | None = None,
            seed: int | None = None, set: Mapping[str, Any] | None = None, threads: int | None = None,
            grace: float = 20, out: str | os.PathLike[str] | None = None, force: bool = False, resume: bool = False,
            checkpoint: float = 10, progress: str | None | Progress = "auto") -> Comparison:
    """Schemes, steps, backends or values of keys with the same samples, as `scree compare` does. `arms` are texts as
    "rock.ground=soft,hard"; `margin` is what differences may be without mattering, by column and in its unit."""
    _calls.require_ranges(threads, grace, checkpoint)
    sets = dict(set or {})
    for column, width in (margin or {}).items():
        sets[f"margin.{column}"] = width
    settings = _calls.settings_of(config, sets)
    settings |= _calls.given(schemes=_calls.texts(schemes), arms=_calls.texts(arms),
                             steps=None if steps is None else [repr(float(step)) for step in steps],
                             backends=_calls.texts(backends), step_error=step_error, samples=samples, seed=seed,
                             threads=threads, grace=grace, out=out, force=force,
                             resume=resume, checkpoint=checkpoint, sensitivity=False)
    return _calls.call(_core.compare, settings, listener=_calls.Listener(progress),
                       wrap=lambda found: _results().Comparison(found))


def open(path: str | os.PathLike[str]) -> xr.Dataset | Comparison:
    """A result of the program: the Dataset of a run, or the Comparison of several arms. The journal of a command that
    was interrupted or killed is one too."""
    file = os.fspath(path)
    return _calls.call(_core.open, file, wrap=_one_or_several(file))


def merge(parts: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], out: str | os.PathLike[str], *, force: bool = False,
          partial: bool = False, link: bool = False,
          progress: str | None | Progress = "auto") -> xr.Dataset | Comparison:
    """Puts results of shards together into the file `out`, as `scree merge` does, and opens it."""
    file = os.fspath(out)
    return _calls.call(lambda *more: _core.merge(_calls.texts(parts), file, force, partial, link, *more),
                       listener=_calls.Listener(progress), wrap=_one_or_several(file))


def defaults(system: str) -> dict[str, Any]:
    """A config of a system with the defaults that have one, as `scree init` prints it: a dictionary to change and
    run."""
    return tomllib.loads(_core.init(system))
