"""What was found: xarray Datasets whose columns are the library's own memory, and tables of their statistics."""

from __future__ import annotations

import copy
import hashlib
import html
import json
import os
import re
import sys
import tempfile
import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from . import _calls, _core
from ._calls import End
from ._commands import LIBRARY
from ._errors import ConfigError, ScreeError, in_python, of_code, with_name
from ._origin import Origin, TemporaryFile
from ._plot import ComparisonPlots, Plots

# How a sample may end, in the order of its numbers.
_endings = _core.status_names()


class Handle:
    """What a Dataset came from: the samples of one arm of what a command found, or with `finer` = k the same at 1/2^k
    of its step."""

    def __init__(self, found: Any, arm: int, finer: int, facts: dict[str, Any], run: dict[str, Any], config: str,
                 origin: Origin):
        self.found, self.arm, self.finer, self.facts, self.run = found, arm, finer, facts, run
        self.config, self.origin = config, origin
        self.columns: list[str] = []
        self.first = 0
        self.ends = np.zeros(len(_endings), dtype=int)
        self.status: Any = None
        self.sum = b""  # of the samples, where the library no longer has them

    def __reduce__(self) -> tuple[Any, ...]:
        # The samples travel with the Dataset; what is computed again from the library does not.
        kept = {"columns": self.columns, "first": self.first, "ends": self.ends,
                "sum": self.sum if self.found is None else _sum(self._variables())}
        return Handle, (None, self.arm, self.finer, self.facts, self.run, self.config, Origin(str(self.origin.file))), kept

    def __deepcopy__(self, memo: Any) -> Handle:
        return self

    def _variables(self) -> dict[str, Any]:
        """The library's columns, and the status, by name."""
        return dict(zip(self.columns, self.found.values(self.arm, self.finer))) | {"status": self.status}

    def is_of(self, made: xr.Dataset) -> bool:
        """Whether a Dataset has these samples, all and in order, and their values."""
        count = self.facts["samples"]
        if made.sizes.get("sample") != count or not {*self.columns, "status"} <= set(made.data_vars):
            return False
        if not np.array_equal(made.sample.values, self.first + np.arange(count)):
            return False
        if self.found is None:
            return _sum({name: made[name].values for name in (*self.columns, "status")}) == self.sum
        return all(_have_same_bits(made[name].values, values) for name, values in self._variables().items())

    def require_found(self) -> Any:
        if self.found is None:
            raise RuntimeError("this Dataset has been pickled: it has its samples and statistics, and nothing to "
                               "replay, extend, save or draw them with; scree.open or scree.run gives that")
        return self.found

    def replayed(self, samples: Iterable[int], every: str, stop: End | None) -> dict[int, xr.Dataset]:
        """The paths of samples by their numbers, as `ds.scree.replay` has them."""
        found = self.require_found()
        numbers = list(dict.fromkeys(_calls.taken("sample", number) for number in samples))
        last = self.first + self.facts["samples"] - 1
        for number in numbers:
            if not self.first <= number <= last:
                raise ConfigError(f"sample = {number}, must be {self.first} to {last}")
        if not numbers:
            return {}
        if self.origin.program is not None:
            return self.origin.program._replayed(self, numbers, every, stop)
        names, paths = _calls.call(found.replay, self.arm, self.finer, numbers, every, self.origin.file,
                                   listener=_calls.Silent(None, stop), wrap=tuple)
        made = {}
        for number, status, different, rows in paths:
            if different:
                raise of_code(1, f"sample {number} differs from this Dataset: {different}")
            variables = {name: ("time", rows[:, place], {"units": unit, "description": meaning})
                         for place, (name, unit, meaning) in enumerate(names) if place > 0}
            made[number] = xr.Dataset(variables, coords={"time": ("time", rows[:, 0], {"units": names[0][1]})},
                                      attrs={"sample": number, "status": _endings[status]})
        return made


def _have_same_bits(one: Any, other: Any) -> bool:
    """Whether two arrays are of one type and have the same values, bit for bit."""
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    lies_there = one.__array_interface__["data"][0] == other.__array_interface__["data"][0]
    return (lies_there and one.strides == other.strides) or bool(np.array_equal(_bytes(one), _bytes(other)))


def _bytes(values: Any) -> Any:
    return np.ascontiguousarray(values).view(np.uint8)


def _sum(variables: Mapping[str, Any]) -> bytes:
    """Equal where types and values are, bit for bit."""
    made = hashlib.blake2b(digest_size=16)
    for values in variables.values():
        made.update(values.dtype.str.encode())
        if not values.dtype.hasobject:
            made.update(_bytes(values))
    return made.digest()


def datasets(found: Any, origin: Origin) -> dict[str, xr.Dataset]:
    """A Dataset for each arm, by its name."""
    all_facts = json.loads(found.json)
    arms = all_facts.get("arms") or {found.arms[0]: all_facts}
    result = {}
    for arm, name in enumerate(found.arms):
        facts = arms[name] if isinstance(arms, Mapping) else arms[arm]
        result[name] = dataset(Handle(found, arm, 0, facts, all_facts["run"], found.config, origin))
    return result


def at_finer_steps(found: Any, run: dict[str, Any], origin: Origin) -> dict[str, list[xr.Dataset]]:
    """Of each arm, by its name, the Datasets at half its step, a quarter, ..., as far as it was run."""
    return {name: [dataset(Handle(found, arm, finer, json.loads(found.facts(arm, finer)), run, found.config,
                                  origin))
                   for finer in range(1, found.finer(arm) + 1)] for arm, name in enumerate(found.arms)}


def one_or_several(found: Any, origin: Origin) -> xr.Dataset | Comparison:
    """The Dataset of a run, or the Comparison of several arms or steps."""
    if len(found.arms) == 1 and found.finer(0) == 0:
        return next(iter(datasets(found, origin).values()))
    return Comparison(found, origin)


def dataset(handle: Handle) -> xr.Dataset:
    """The samples of an arm: a variable for each column, and the status."""
    found, arm = handle.found, handle.arm
    values, status = found.values(arm, handle.finer), found.status(arm, handle.finer).astype(np.uint8)
    status.setflags(write=False)  # as the columns are
    handle.status = status
    handle.first = found.first(arm, handle.finer)
    handle.columns = [column[0] for column in found.columns(arm)]
    handle.ends = np.bincount(status, minlength=len(_endings))
    variables: dict[str, Any] = {}
    for row, (name, unit, meaning, of_stopped) in enumerate(found.columns(arm)):
        attributes = {"units": unit, "long_name": name.replace("_", " "), "description": meaning,
                      "samples_counted": "stopped" if of_stopped else "all"}
        variables[name] = ("sample", values[row], attributes)
    variables["status"] = ("sample", status,
                           {"long_name": "how the sample ended",
                            "flag_values": np.arange(len(_endings), dtype=np.uint8),
                            "flag_meanings": " ".join(_endings)})
    made = xr.Dataset(variables, coords={"sample": handle.first + np.arange(status.size)},
                      attrs={"title": handle.run["title"], "system": handle.run["system"],
                             "scheme": handle.facts["scheme"], "digest": handle.facts["digest"],
                             "step": handle.facts["step"], "seed": handle.run["seed"],
                             "scree": f"{_core.version} (commit {_core.commit})"})
    made.encoding["scree"] = handle
    return made


def handle_of(made: xr.Dataset) -> Handle | None:
    """What a Dataset came from; None if it was made from another, or by others."""
    handle = made.encoding.get("scree")
    return handle if isinstance(handle, Handle) and handle.is_of(made) else None


def _index(keys: list[tuple[Any, ...]], names: list[str]) -> pd.MultiIndex:
    return pd.MultiIndex.from_arrays([[key[level] for key in keys] for level in range(len(names))], names=names)


def _sensitivity(facts: Mapping[str, Any]) -> pd.DataFrame:
    """The rows of [sensitivity] by value, scheme and column."""
    if "sensitivity" not in facts:
        raise ConfigError("there is no table of [sensitivity]: sensitivity=True makes one where the config has values")
    rows, keys = [], []
    for row in facts["sensitivity"]["rows"]:
        for column, found in row["statistics"].items():
            keys.append((row["value"], row["scheme"], column))
            rows.append({"n": found["n"], "mean": found["mean"], "ci95_low": found["ci95"][0],
                         "ci95_high": found["ci95"][1]})
    table = pd.DataFrame(rows, index=_index(keys, [facts["sensitivity"]["key"], "scheme", "column"]))
    numbers = [name for name in table.columns if name != "n"]
    table[numbers] = table[numbers].astype(float)
    return table


@xr.register_dataset_accessor("scree")  # type: ignore[no-untyped-call]
class Scree:
    """What a Dataset of Scree knows besides its samples: `ds.scree.statistics()`, `ds.scree.replay(17)`. It is of all
    samples as they were found, with variables of your own beside them; where samples were selected or changed, all of
    it raises RuntimeError."""

    def __init__(self, made: xr.Dataset):
        # xarray keeps the accessor in the Dataset, which may be gone before what was asked of it is told.
        self._made: Callable[[], xr.Dataset | None] = weakref.ref(made)
        self._was_of = handle_of(made)

    # xarray pickles it with the Dataset that it is of.
    def __getstate__(self) -> tuple[xr.Dataset | None, Handle | None]:
        return self._made(), self._was_of

    def __setstate__(self, state: tuple[xr.Dataset | None, Handle | None]) -> None:
        made, self._was_of = state
        self._made = weakref.ref(made) if made is not None else lambda: None

    @property
    def _handle(self) -> Handle:
        made = self._made()
        handle = self._was_of if made is None else handle_of(made)
        if handle is None:
            raise RuntimeError("this Dataset is not what scree.run, scree.open or scree.compare gave, but made from it")
        return handle

    @property
    def digest(self) -> str:
        """The digest of the samples: equal where they are, bit for bit."""
        return str(self._handle.facts["digest"])

    @property
    def config(self) -> str:
        """The text of the config."""
        return self._handle.config

    @property
    def facts(self) -> dict[str, Any]:
        """What the program prints of it with --json (docs/json.md)."""
        return copy.deepcopy(self._handle.facts)

    @property
    def status(self) -> pd.Series:
        """How many samples ended how."""
        return pd.Series(self._handle.ends, index=list(_endings), name="samples")

    def statistics(self) -> pd.DataFrame:
        """A row for each column: unit, n, mean, its 95 % confidence interval, standard deviation, extremes and
        quantiles, to the last bit as the program prints them. They rest on samples 0 to the first unfinished one."""
        rows = {}
        for name, found in self._handle.facts["statistics"].items():
            row = {"unit": found["unit"], "n": found["n"], "mean": found["mean"], "sd": found["sd"],
                   "ci95_low": found["ci95"][0], "ci95_high": found["ci95"][1], "min": found["min"],
                   "max": found["max"]}
            row.update({f"q{float(level):g}": value for level, value in found["quantiles"].items()})
            rows[name] = row
        table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("column")
        numbers = [name for name in table.columns if name not in ("unit", "n")]
        table[numbers] = table[numbers].astype(float)
        return table

    def sensitivity(self) -> pd.DataFrame:
        """What other values of the key of [sensitivity] give, for a run with `sensitivity=True`: a row for each value,
        scheme and column with n, mean and its 95 % confidence interval. Raises ConfigError where it was not run."""
        return _sensitivity(self._handle.facts)

    def drawn(self, *, stop: End | None = None) -> xr.Dataset:
        """What the samples drew: a variable for each input that varies. Ctrl-C, or a `stop` that another thread sets,
        raises Interrupted."""
        found = self._handle.require_found()
        if self._handle.origin.program is not None:
            return self._handle.origin.program._drawn(self._handle, stop)
        names, values = _calls.call(found.drawn, self._handle.arm, self._handle.finer, self._handle.origin.file,
                                    listener=_calls.Silent(None, stop), wrap=tuple)
        variables = {name: ("sample", values[row], {"units": unit, "long_name": meaning})
                     for row, (name, unit, meaning) in enumerate(names)}
        return xr.Dataset(variables, coords={"sample": self._handle.first + np.arange(values.shape[1])})

    def replay(self, sample: int | Iterable[int], every: int | float | str = 1, *, stop: End | None = None) -> Any:
        """The whole path of a sample, a Dataset over `time`; of several samples a dictionary of them. `every` keeps, as
        a whole number (10), every tenth step, and with a decimal point (0.1) or as "0.1s" the first step of each tenth
        of a second. Ctrl-C, or a `stop` that another
        thread sets, raises Interrupted without any of them. Raises ConfigError for a sample that there is not, RunError
        where the end of a sample is not that of the Dataset, bit for bit, and DeviceError where paths take more memory
        than there is."""
        if isinstance(every, float):
            every = f"{every:.12f}s"
        every = _calls.require_utf8(str(every), "every")
        if isinstance(sample, Iterable) and np.ndim(sample) > 0:  # type: ignore[arg-type]
            return self._handle.replayed(sample, every, stop)
        paths = self._handle.replayed([sample], every, stop)  # type: ignore[list-item]
        return next(iter(paths.values()))

    def maps(self, layers: str | Iterable[str] | None = None) -> xr.Dataset:
        """The maps of the paths: a variable along y and x for each layer, or for these, with units; y and x are the
        centres of cells, m. Layers of an arm of a comparison are also how its reach differs from that of the first.
        Where the system of the coordinates is known, the scalar `crs` has it as crs_wkt, as CF and rioxarray want it,
        or, in a build without PROJ, as it was given, as spatial_ref alone where that is no WKT.
        Raises ConfigError where there are none, or not that layer."""
        found, layers = self._handle.require_found(), _calls.given(layers=layers).get("layers", [])
        made = None
        if self._handle.finer == 0:
            made = found.maps(self._handle.arm, layers, self._handle.origin.file)
        if made is None:
            raise ConfigError("this Dataset has no maps: maps=True, or [maps] in the config, makes them")
        told, found_layers = made
        system = told["crs_wkt"]
        attributes = {"grid_mapping": "crs"} if system else {}
        variables: dict[str, Any] = {
            name: (("y", "x"), values,
                   {"units": unit, "long_name": name.replace("_", " "), "description": meaning} | attributes)
            for name, unit, meaning, values in found_layers}

        def centres(name: str, first: float, count: int) -> tuple[str, Any, dict[str, str]]:
            return name, first + (np.arange(count) + 0.5) * told["cell"], {
                "units": "m", "standard_name": f"projection_{name}_coordinate",
                "long_name": f"{name} of the centres of cells"}

        coordinates: dict[str, Any] = {"y": centres("y", told["south"], told["rows"]),
                                       "x": centres("x", told["west"], told["columns"])}
        if system:
            coordinates["crs"] = ((), 0, _crs_attributes(system, told["grid_mapping_name"]))
        return xr.Dataset(variables, coords=coordinates,
                          attrs={name: told[name] for name in ("cell", "west", "south", "n", "interval",
                                                               "maps_digest")})

    @property
    def plot(self) -> Plots:
        """Figures with matplotlib: `plot.hist("runout")`, `plot.deposition()`, `plot.exceedance()` of gates and
        barriers, `plot.along("kinetic_energy")` of paths."""
        return Plots({self._handle.facts["name"]: self._handle})

    def extend(self, samples: int, **arguments: Any) -> xr.Dataset:
        """The same ensemble with more samples: those that are there, and the new ones. Arguments as of
        `scree.run_extended`."""
        origin = self._handle.origin
        if origin.program is not None:
            origin.require_same()
            if arguments.get("out") is None:
                arguments["out"] = TemporaryFile("result.h5")
            try:
                return origin.program.run_extended(origin.file, samples, **arguments)
            except ScreeError as error:
                raise with_name(error, origin.file, "the Dataset") if origin.is_temporary else error from None
        with tempfile.TemporaryDirectory(prefix="scree_") as folder:
            path = os.path.join(folder, "samples.h5")
            self.save(path)
            try:
                return LIBRARY.run_extended(path, samples, **arguments)
            except ScreeError as error:
                raise with_name(error, path, "the Dataset") from None

    def save(self, path: str | os.PathLike[str], force: bool = False) -> None:
        """Writes all arms as a result of the program."""
        found, origin = self._handle.require_found(), self._handle.origin
        out, force = _calls.taken("path", path), _calls.taken("force", force)
        if not origin.file:
            found.save(out, force)
            return
        # What was read leaves out what only the commands need, as where gates lie.
        origin.require_same()
        if origin.is_whole() and "linked_parts" not in json.loads(found.json)["result"]:
            origin.copy_to(out, force)
        else:
            (origin.program or LIBRARY)._merged([origin.file], {"out": out, "force": force, "partial": True,
                                                                "link": False}, _calls.Silent(None))

    def __repr__(self) -> str:
        return f"<scree: {_words(self._handle)}>"

    def _repr_html_(self) -> str:
        made = self._made()
        return _header(self._handle) + (made._repr_html_() if made is not None else "")


def _crs_attributes(system: str, name: str) -> dict[str, str]:
    """Of a system of coordinates, and what CF calls its projection, if anything."""
    is_wkt = re.match(r"\s*\w+\s*[\[(]", system)
    return ({"grid_mapping_name": name} if name else {}) | ({"crs_wkt": system} if is_wkt else {}) | {
        "spatial_ref": system}


def _words(handle: Handle) -> str:
    """Of what it is, and how its samples ended."""
    ends = ", ".join(f"{count} {name}" for name, count in zip(_endings, handle.ends) if count)
    return f"{handle.run['system']}, {handle.facts['scheme']}: {ends}; digest {handle.facts['digest']}"


def _header(handle: Handle) -> str:
    return (f"<p>{html.escape(_words(handle))}; <code>.scree.replay({handle.first})</code> gives a path</p>")


def _show_in_notebooks() -> None:
    """Notebooks show Datasets of Scree with the header of `.scree`, and others as before."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None:
        return

    def shown(made: xr.Dataset) -> str:
        handle = handle_of(made)
        return (_header(handle) if handle is not None else "") + (before(made) if before else made._repr_html_())

    before = shell.display_formatter.formatters["text/html"].for_type(xr.Dataset, shown)


_show_in_notebooks()


class Comparison:
    """What `scree.compare` or `scree.converge` found: `arms` by name, `samples` along `arm` and `sample`, `table`,
    `verdict`; `finer`, of each arm the Datasets at half its step, a quarter, ..., and what these show in `steps`."""

    def __init__(self, found: Any, origin: Origin):
        self.facts: dict[str, Any] = json.loads(found.json)
        self.arms = datasets(found, origin)
        self.finer = at_finer_steps(found, self.facts["run"], origin)

    @property
    def samples(self) -> xr.Dataset:
        """All arms, along a dimension `arm`."""
        names = list(self.arms)
        arms = [self.arms[name].drop_encoding() for name in names]
        return xr.concat(arms, dim=pd.Index(names, name="arm"), combine_attrs="drop_conflicts")

    @property
    def verdict(self) -> list[str]:
        """What is found, in sentences."""
        return [in_python(sentence) for sentence in self.facts["verdict"]]

    @property
    def table(self) -> pd.DataFrame:
        """A row for each arm and column: the paired difference from the first arm, its interval, effect size and
        tests."""
        rows, keys = [], []
        for arm, columns in self.facts["paired"].items():
            for column, found in columns.items():
                keys.append((arm, column))
                row = {}
                for name, value in found.items():
                    if isinstance(value, dict):
                        row.update({f"{name}_{inner}": deeper for inner, deeper in value.items()})
                    elif isinstance(value, list) and len(value) == 2:
                        row.update({f"{name}_low": value[0], f"{name}_high": value[1]})
                    else:
                        row[name] = value
                rows.append(row)
        return pd.DataFrame(rows, index=_index(keys, ["arm", "column"]))

    @property
    def steps(self) -> pd.DataFrame:
        """A row for each arm, column and step: n, the mean, its change to the next step, the order seen in this change
        and the next, and the error of the mean, each with its 95 % interval, over the samples that count at every step.
        Where no order is seen, the error is the distance from the finest step. Without finer steps it is empty."""
        rows, keys = [], []
        for arm, of_arm in self.facts["arms"].items():
            found = of_arm.get("step_error", {"steps": [], "columns": {}})
            for column, numbers in found["columns"].items():
                for place, step in enumerate(found["steps"]):
                    row = {"n": numbers["n"], "mean": numbers["means"][place], "order_seen": numbers["order_seen"]}
                    for name in ("change", "order", "error"):
                        known = numbers[f"{name}s"][place:place + 1] or [{"value": None, "ci95": [None, None]}]
                        row |= {name: known[0]["value"], f"{name}_low": known[0]["ci95"][0],
                                f"{name}_high": known[0]["ci95"][1]}
                    rows.append(row)
                    keys.append((arm, column, step))
        table = pd.DataFrame(rows, index=_index(keys, ["arm", "column", "step"]))
        numbers = [name for name in table.columns if name not in ("n", "order_seen")]
        table[numbers] = table[numbers].astype(float)
        return table

    def sensitivity(self) -> pd.DataFrame:
        """What other values of the key of [sensitivity] give, of a comparison with `sensitivity=True`: a row for each
        value, scheme and column. Raises ConfigError where it was not run."""
        return _sensitivity(self.facts)

    @property
    def plot(self) -> ComparisonPlots:
        """Figures with matplotlib: `plot.differences("runout")`, and those of a run with all arms."""
        return ComparisonPlots({name: made.encoding["scree"] for name, made in self.arms.items()}, self.facts)

    def __repr__(self) -> str:
        return "\n".join([f"Comparison of {', '.join(self.arms)}", *self.verdict[:5]])

    def _repr_html_(self) -> str:
        sentences = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in self.verdict)
        return f"<p>Comparison of {html.escape(', '.join(self.arms))}</p><ul>{sentences}</ul>"
