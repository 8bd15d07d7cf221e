"""What was found: xarray Datasets whose columns are the library's own memory, and tables of their statistics."""

from __future__ import annotations

import copy
import json
import operator
import os
import tempfile
import weakref
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from . import _calls, _core


class Handle:
    """What a Dataset came from: the samples of one arm of what a command found."""

    def __init__(self, found: Any, arm: int, facts: dict[str, Any], run: dict[str, Any], config: str, file: str):
        self.found, self.arm, self.facts, self.run, self.config, self.file = found, arm, facts, run, config, file
        self.columns: list[str] = []
        self.first = 0
        self.ends = np.zeros(len(_core.status_names), dtype=int)

    def __reduce__(self) -> tuple[Any, ...]:
        # The samples travel with the Dataset; what is computed again from the library does not.
        kept = {"columns": self.columns, "first": self.first, "ends": self.ends}
        return Handle, (None, self.arm, self.facts, self.run, self.config, self.file), kept

    def __deepcopy__(self, memo: Any) -> Handle:
        return self

    def is_of(self, made: xr.Dataset) -> bool:
        """Whether a Dataset has these samples, all and in order, and their values."""
        count = self.facts["samples"]
        if dict(made.sizes) != {"sample": count} or list(made.data_vars)[:-1] != self.columns:
            return False
        if not np.array_equal(made.sample.values, self.first + np.arange(count)):
            return False
        if self.found is None:
            return True
        values = self.found.values(self.arm)
        return all(np.may_share_memory(made[name].values, values[row]) for row, name in enumerate(self.columns))

    def require_found(self) -> Any:
        if self.found is None:
            raise RuntimeError("this Dataset has been pickled: it has its samples and statistics, and nothing to "
                               "replay, extend or save them with; scree.open or scree.run gives that")
        return self.found


def datasets(found: Any, file: str = "") -> dict[str, xr.Dataset]:
    """A Dataset for each arm, by its name."""
    all_facts = json.loads(found.json)
    arms = all_facts.get("arms") or {found.arms[0]: all_facts}
    result = {}
    for arm, name in enumerate(found.arms):
        facts = arms[name] if isinstance(arms, Mapping) else arms[arm]
        handle = Handle(found, arm, facts, all_facts["run"], found.config, file)
        result[name] = dataset(handle)
    return result


def dataset(handle: Handle) -> xr.Dataset:
    """The samples of an arm: a variable for each column, and the status."""
    found, arm = handle.found, handle.arm
    values, status = found.values(arm), found.status(arm)
    handle.first = found.first(arm)
    handle.columns = [column[0] for column in found.columns(arm)]
    handle.ends = np.bincount(status, minlength=len(_core.status_names))
    variables: dict[str, Any] = {}
    for row, (name, unit, meaning, of_stopped) in enumerate(found.columns(arm)):
        attributes = {"units": unit, "long_name": name.replace("_", " "), "description": meaning,
                      "samples_counted": "stopped" if of_stopped else "all"}
        variables[name] = ("sample", values[row], attributes)
    variables["status"] = ("sample", status.astype(np.uint8),
                           {"long_name": "how the sample ended",
                            "flag_values": np.arange(len(_core.status_names), dtype=np.uint8),
                            "flag_meanings": " ".join(_core.status_names)})
    made = xr.Dataset(variables, coords={"sample": handle.first + np.arange(status.size)},
                      attrs={"title": handle.run["title"], "system": handle.run["system"],
                             "scheme": handle.facts["scheme"], "digest": handle.facts["digest"],
                             "step": handle.facts["step"], "seed": handle.run["seed"],
                             "scree": f"{_core.version} (commit {_core.commit})"})
    made.encoding["scree"] = handle
    return made


@xr.register_dataset_accessor("scree")
class Scree:
    """What a Dataset of Scree knows besides its samples: `ds.scree.statistics()`, `ds.scree.replay(17)`. It is of all
    samples, and not there where some were selected."""

    def __init__(self, made: xr.Dataset):
        handle = made.encoding.get("scree")
        if not isinstance(handle, Handle) or not handle.is_of(made):
            raise RuntimeError("this Dataset is not what scree.run, scree.open or scree.compare gave, but made from it")
        self._handle = handle
        # xarray keeps the accessor in the Dataset.
        self._made = weakref.ref(made)

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
        return pd.Series(self._handle.ends, index=list(_core.status_names), name="samples")

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

    def drawn(self) -> xr.Dataset:
        """What the samples drew: a variable for each input that varies."""
        found = self._handle.require_found()
        names, values = found.drawn(self._handle.arm, self._handle.file)
        variables = {name: ("sample", values[row], {"units": unit, "long_name": meaning})
                     for row, (name, unit, meaning) in enumerate(names)}
        return xr.Dataset(variables, coords={"sample": self._handle.first + np.arange(values.shape[1])})

    def replay(self, sample: int | Iterable[int], every: int | float | str = 1) -> Any:
        """The whole path of a sample, a Dataset over `time`; of several samples a dictionary of them. `every` 10 keeps
        every tenth step, 0.1 or "0.1s" the first step of each tenth of a second. Raises RunError where the end of a
        sample is not that of the Dataset, bit for bit."""
        found = self._handle.require_found()
        one = np.ndim(sample) == 0
        numbers = [operator.index(number) for number in ([sample] if one else sample)]  # type: ignore[union-attr]
        if isinstance(every, float):
            every = f"{every:.12f}s"
        stop = _core.Stop()
        names, paths, code, line = found.replay(self._handle.arm, numbers, str(every), self._handle.file,
                                                _calls.Listener(None), stop)
        if code != 0:
            raise _calls.of_code(code, line)
        made = {}
        for number, status, different, rows in paths:
            if different:
                raise _calls.of_code(1, f"sample {number} differs from this Dataset: {different}")
            variables = {name: ("time", rows[:, place], {"units": unit, "description": meaning})
                         for place, (name, unit, meaning) in enumerate(names) if place > 0}
            made[number] = xr.Dataset(variables, coords={"time": ("time", rows[:, 0], {"units": names[0][1]})},
                                      attrs={"sample": number, "status": _core.status_names[status]})
        return made[numbers[0]] if one else made

    def extend(self, samples: int, **arguments: Any) -> xr.Dataset:
        """The same ensemble with more samples: those that are there, and the new ones. Arguments as of
        `scree.run_extended`."""
        from . import run_extended

        with tempfile.TemporaryDirectory(prefix="scree_") as folder:
            path = os.path.join(folder, "samples.h5")
            self.save(path)
            return run_extended(path, samples, **arguments)

    def save(self, path: str | os.PathLike[str], force: bool = False) -> None:
        """Writes all arms as a result of the program."""
        self._handle.require_found().save(os.fspath(path), force)

    def _repr_html_(self) -> str:
        ends = ", ".join(f"{count} {name}" for name, count in self.status.items() if count)
        made = self._made()
        return (f"<p>{self._handle.run['system']}, {self._handle.facts['scheme']}: {ends}; digest "
                f"<code>{self.digest}</code>; <code>.scree.replay({self._handle.first})</code> gives a path</p>"
                + (made._repr_html_() if made is not None else ""))


class Comparison:
    """What `scree.compare` found: `arms` by name, `samples` along `arm` and `sample`, `table`, `verdict`."""

    def __init__(self, found: Any, file: str = ""):
        self.facts: dict[str, Any] = json.loads(found.json)
        self.arms = datasets(found, file)

    @property
    def samples(self) -> xr.Dataset:
        """All arms, along a dimension `arm`."""
        names = list(self.arms)
        arms = [self.arms[name].drop_encoding() for name in names]
        return xr.concat(arms, dim=pd.Index(names, name="arm"), combine_attrs="drop")

    @property
    def verdict(self) -> list[str]:
        """What is found, in sentences."""
        return list(self.facts["verdict"])

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
        return pd.DataFrame(rows, index=pd.MultiIndex.from_tuples(keys, names=["arm", "column"]))

    def __repr__(self) -> str:
        return "\n".join([f"Comparison of {', '.join(self.arms)}", *self.verdict[:5]])
