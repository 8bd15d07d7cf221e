"""The commands, as methods of what carries them out: the library, or a program (_program.py)."""

from __future__ import annotations

import contextlib
import json
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from . import _calls, _core
from ._calls import Config, End, Progress
from ._errors import ConfigError, with_name
from ._origin import Origin

if TYPE_CHECKING:
    import xarray as xr

    from ._result import Comparison


Made = TypeVar("Made")


class Commands:
    """The commands of the library in this process."""

    # What the commands below are carried out by; settings are called what the library calls them. `wrap` gives, for
    # where a result is, what makes a Dataset or a Comparison of it.

    def _carry_out(self, command: str, settings: dict[str, Any], listener: _calls.Listener,
                   wrap: Callable[[Origin], Callable[[_core.Found], Made]]) -> Made:
        def wrap_found(found: _core.Found) -> Made:
            # A result that was complete was read.
            read = json.loads(found.json).get("result", {"path": ""})
            return wrap(Origin(read["path"]))(found)

        if command == "run":
            return _calls.call(_core.run, settings, listener=listener, wrap=wrap_found)
        return _calls.call(_core.compare, settings, command == "converge", listener=listener, wrap=wrap_found)

    def _merged(self, parts: Sequence[str], settings: dict[str, Any],
                listener: _calls.Listener) -> xr.Dataset | Comparison:
        out = settings["out"]
        return _calls.call(_core.merge, parts, out, settings["force"], settings["partial"], settings["link"],
                           listener=listener, wrap=self._one_or_several(self._origin(out)))

    def _checked(self, settings: dict[str, Any], listener: _calls.Listener) -> tuple[dict[str, Any], str]:
        def wrap(told: tuple[str, str]) -> tuple[dict[str, Any], str]:
            text = _calls.of_dictionary(told[1], settings["config"] if "text" in settings else "")
            return json.loads(told[0])["run"], text

        return _calls.call(_core.check, settings, listener=listener, wrap=wrap)

    def _init(self, system: str) -> str:
        return _core.init(system)

    def _listed(self, system: str) -> str:
        return _core.listed(system)

    def _origin(self, file: str) -> Origin:
        return Origin(file)

    # xarray takes a second to import.
    def _one(self, origin: Origin) -> Callable[[_core.Found], xr.Dataset]:
        def wrap(found: _core.Found) -> xr.Dataset:
            from ._result import datasets

            return next(iter(datasets(found, origin).values()))

        return wrap

    def _several(self, origin: Origin) -> Callable[[_core.Found], Comparison]:
        def wrap(found: _core.Found) -> Comparison:
            from ._result import Comparison

            return Comparison(found, origin)

        return wrap

    def _one_or_several(self, origin: Origin) -> Callable[[_core.Found], xr.Dataset | Comparison]:
        def wrap(found: _core.Found) -> xr.Dataset | Comparison:
            from ._result import one_or_several

            return one_or_several(found, origin)

        return wrap

    def run(self, config: Config, *, scheme: str | None = None, samples: int | None = None, seed: int | None = None,
            set: Mapping[str, Any] | None = None, folder: str | os.PathLike[str] | None = None,
            until: str | Sequence[str] | None = None, at_most: int | None = None, maps: bool | float = False,
            no_maps: bool = False, sensitivity: bool = False, threads: int | None = None, backend: str = "auto",
            isa: str = "auto", grace: float = 20, out: str | os.PathLike[str] | None = None, force: bool = False,
            resume: bool = False, checkpoint: float = 10, shard: tuple[int, int] | None = None,
            progress: str | None | Progress = "auto", stop: End | None = None) -> xr.Dataset:
        """An ensemble, as `scree run` makes it: a Dataset along `sample` with a variable for each column, in SI units,
        and the status. The columns are the library's memory, not copies of it.

        `config` is the path of a TOML file, or a dictionary of the same content. The data files of a dictionary are
        found in `folder`, the current one if not given; those of a file beside it; and first of all in SCREE_DATA, if
        that is set. `set` changes keys of the config: {"rock.ground": "soft"}. `until` are targets, as
        "mean(runout) +- 1 %", with at most `at_most` samples. `scheme`, `samples` and `seed` take the place of those of
        the config. `maps` True makes maps of the paths as [maps] says, a number makes them in cells of so many metres,
        `no_maps` makes none. `sensitivity` runs it again for each value of [sensitivity], for
        `ds.scree.sensitivity()`. `threads` are as many as there are cores if not given. `backend` is "auto", "scalar",
        "pack", "cuda" or "cuda:1", or several with commas between, which share the samples; `isa` the instructions of
        "pack": "auto", "baseline", "avx2" or "avx512", with the same bits. With `out` the result is a file too, which
        with `resume` goes on where a command was interrupted or killed, and which `force` replaces where it is there;
        finished samples are kept beside it every `checkpoint` seconds. `shard` (0, 4) is the first of four parts of
        the samples. `progress` is "auto" (a bar of tqdm, or lines, on a terminal or in a notebook), None, or a function
        of samples done, samples, steps and seconds.

            ds = scree.run("ramp.toml", scheme="implicit", samples=1000, set={"rock.ground": "soft"}, out="ramp.h5")

        After Ctrl-C samples in flight have `grace` seconds to their end; then it raises Interrupted, whose `partial`
        is the Dataset with what was finished. So does a `stop`, as a threading.Event, that another thread sets. Raises
        ConfigError, InputError, DeviceError, RunError, TargetError; warnings are ScreeWarning.
        """
        settings = _calls.settings_of(config, set, folder) | _calls.map_settings(maps, no_maps)
        settings |= _calls.given(scheme=scheme, samples=samples, seed=seed, until=until, at_most=at_most,
                                 threads=threads, backend=backend, isa=isa, grace=grace, out=out, force=force,
                                 resume=resume, checkpoint=checkpoint, shard=shard, sensitivity=sensitivity)
        return self._carry_out("run", settings, _calls.Listener(progress, stop), self._one)

    def run_extended(self, result: str | os.PathLike[str], samples: int, *, until: str | Sequence[str] | None = None,
                     at_most: int | None = None, threads: int | None = None, backend: str = "auto", isa: str = "auto",
                     grace: float = 20, out: str | os.PathLike[str] | None = None, force: bool = False,
                     progress: str | None | Progress = "auto", stop: End | None = None) -> xr.Dataset:
        """The result of a `scree run` with more samples, which the file becomes, or `out`. Arguments as of `run`."""
        settings = {"extend": _calls.taken("result", result), "samples": _calls.taken("samples", samples)}
        settings |= _calls.given(until=until, at_most=at_most, threads=threads, backend=backend, isa=isa, grace=grace,
                                 out=out, force=force, sensitivity=False)
        return self._carry_out("run", settings, _calls.Listener(progress, stop), self._one)

    def compare(self, config: Config, *, schemes: Sequence[str] | None = None, arms: Sequence[str] | None = None,
                steps: Sequence[float] | None = None, backends: Sequence[str] | None = None,
                margin: Mapping[str, float] | None = None, step_error: bool = False, samples: int | None = None,
                seed: int | None = None, set: Mapping[str, Any] | None = None,
                folder: str | os.PathLike[str] | None = None, maps: bool | float = False, no_maps: bool = False,
                sensitivity: bool = False, threads: int | None = None, backend: str = "auto", isa: str = "auto",
                grace: float = 20, out: str | os.PathLike[str] | None = None, force: bool = False,
                resume: bool = False, checkpoint: float = 10, shard: tuple[int, int] | None = None,
                progress: str | None | Progress = "auto", stop: End | None = None) -> Comparison:
        """Schemes, steps, backends or values of keys with the same samples, as `scree compare` does. `arms` are texts
        as "rock.ground=soft,hard"; `steps` are in s; `backends` are arms too, in place of one `backend` for all;
        `margin` is what differences may be without mattering, by column and in its unit; `step_error` runs
        each arm at half its step too; `sensitivity` is for `c.sensitivity()`. The rest as of `run`."""
        settings = _calls.settings_of(config, _with_margins(set, margin), folder) | _calls.map_settings(maps, no_maps)
        settings |= _calls.given(schemes=schemes, arms=arms, steps=steps, backends=backends, step_error=step_error,
                                 samples=samples, seed=seed, threads=threads, backend=backend, isa=isa, grace=grace,
                                 out=out, force=force, resume=resume, checkpoint=checkpoint, shard=shard,
                                 sensitivity=sensitivity)
        with _named_as(margin):
            return self._carry_out("compare", settings, _calls.Listener(progress, stop), self._several)

    def converge(self, config: Config, *, schemes: Sequence[str] | None = None, halvings: int = 3,
                 margin: Mapping[str, float] | None = None, samples: int | None = None, seed: int | None = None,
                 set: Mapping[str, Any] | None = None, folder: str | os.PathLike[str] | None = None,
                 maps: bool | float = False, no_maps: bool = False, threads: int | None = None, backend: str = "auto",
                 isa: str = "auto", grace: float = 20, out: str | os.PathLike[str] | None = None,
                 force: bool = False, resume: bool = False, checkpoint: float = 10,
                 shard: tuple[int, int] | None = None, progress: str | None | Progress = "auto",
                 stop: End | None = None) -> Comparison:
        """Each scheme at the config's step and, with the same samples, at halves of it, as `scree converge` does:
        `halvings` times, 1 to 10. The Comparison has these in `finer`, and how means change with the step in `steps`.
        The rest as of `compare`."""
        settings = _calls.settings_of(config, _with_margins(set, margin), folder) | _calls.map_settings(maps, no_maps)
        settings |= _calls.given(schemes=schemes, halvings=halvings, samples=samples, seed=seed, threads=threads,
                                 backend=backend, isa=isa, grace=grace, out=out, force=force, resume=resume,
                                 checkpoint=checkpoint, shard=shard, sensitivity=False)
        with _named_as(margin):
            return self._carry_out("converge", settings, _calls.Listener(progress, stop), self._several)

    def open(self, path: str | os.PathLike[str], *, stop: End | None = None) -> xr.Dataset | Comparison:
        """A result of the program: the Dataset of a run, or the Comparison of several arms or steps. The journal of a
        command that was interrupted or killed is one too. A result of a system that this does not have is shown, but
        not replayed, which the `open` of a Program that has it does. Raises InputError, and after Ctrl-C, or once
        `stop` is set, Interrupted."""
        file = _calls.taken("path", path)
        return _calls.call(_core.open, file, listener=_calls.Listener(None, stop),
                           wrap=self._one_or_several(self._origin(file)))

    def merge(self, parts: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], out: str | os.PathLike[str], *,
              force: bool = False, partial: bool = False, link: bool = False,
              progress: str | None | Progress = "auto", stop: End | None = None) -> xr.Dataset | Comparison:
        """Puts results of shards together into the file `out`, as `scree merge` does, and opens it. After Ctrl-C, or
        once `stop` is set, it ends with the part in hand, and writes nothing."""
        words = {"out": out, "force": force, "partial": partial, "link": link}
        settings = {name: _calls.taken(name, value) for name, value in words.items()}
        _calls.require_utf8(os.path.abspath(settings["out"]), "out")  # where it is opened
        return self._merged(_calls.taken("parts", parts), settings, _calls.Listener(progress, stop))

    def check(self, config: Config, *, samples: int | None = None, seed: int | None = None,
              set: Mapping[str, Any] | None = None, folder: str | os.PathLike[str] | None = None,
              stop: End | None = None) -> dict[str, Any]:
        """What a config describes, without a run of it, as `scree check` does: a dictionary with what that has in
        --json as `run` (docs/json.md), and its `text`. Arguments as of `run`. Raises ConfigError or InputError with
        the first mistake, and after Ctrl-C, or once `stop` is set, Interrupted; warnings are ScreeWarning."""
        settings = _calls.settings_of(config, set, folder) | _calls.given(samples=samples, seed=seed)
        run, text = self._checked(settings, _calls.Listener(None, stop))
        return run | {"text": text}

    def defaults(self, system: str) -> dict[str, Any]:
        """A config of a system with the defaults that have one, as `scree init` prints it: a dictionary to change and
        run."""
        return tomllib.loads(self._init(_calls.taken("system", system)))

    def list(self, system: str | None = None) -> dict[str, Any]:
        """What `scree list` has: of all systems a dictionary by their names, or that of one. A system has `name`,
        `meaning`, and by their names `params`, `starts`, `columns` and `schemes`, `maps` (their quantities), `terrain`
        (its kinds, with their `keys`) and `presets` (by key and name).
        pandas.DataFrame(scree.list("rock")["columns"]).T is a table. Raises ConfigError for a system that there is
        not."""
        if system == "":
            raise ConfigError('list: system = "", must be a name')
        listed = self._listed("" if system is None else _calls.taken("system", system))
        systems = {one["name"]: _by_name(one) for one in json.loads(listed)["systems"]}
        return systems if system is None else dict(systems[system])


#: Of this process.
LIBRARY = Commands()


def _with_margins(changes: Mapping[str, Any] | None, margin: Mapping[str, float] | None) -> dict[str, Any]:
    tables: dict[str, dict[str, Any]] = {"set": {}, "margin": {}} | _calls.given(set=changes, margin=margin)
    return tables["set"] | {f"margin.{column}": width for column, width in tables["margin"].items()}


@contextlib.contextmanager
def _named_as(margin: Mapping[str, float] | None) -> Iterator[None]:
    """Mistakes in what `set` has of `margin` are told as of `margin`."""
    try:
        yield
    except ConfigError as error:
        line = str(error)
        if line.startswith("set: ") and any(f"margin.{column}" in line for column in margin or {}):
            raise with_name(error, "set: ", "margin: ") from None
        raise


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
