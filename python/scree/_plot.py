"""Figures of the kinds that `scree report` has, with matplotlib."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._calls import taken
from ._errors import ConfigError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_not_run = _core.status_names().index("not_run")
#: Paths that are in memory at a time, where all are asked for.
_at_once = 20


def _axes(given: Axes | None) -> Axes:
    if given is not None:
        return given
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install matplotlib") from error
    return pyplot.subplots()[1]


def _label(name: str, unit: str) -> str:
    return name.replace("_", " ") + ("" if unit == "1" else f" ({unit})")


class Plots:
    """Figures of the samples of arms, by their names. Each takes axes to draw in, or makes some, and gives them
    back."""

    def __init__(self, handles: Mapping[str, Any]):
        self._handles = dict(handles)

    def _columns(self) -> list[Any]:
        first = next(iter(self._handles.values()))
        return list(first.require_found().columns(first.arm))

    def _place(self, column: str) -> int:
        names = [one[0] for one in self._columns()]
        if column not in names:
            raise ConfigError(f'there is no column "{column}", there are {", ".join(names)}')
        return names.index(column)

    def hist(self, column: str, bins: int = 40, ax: Axes | None = None) -> Axes:
        """A histogram of the samples that enter the statistics of a column, and their mean as a dashed line; of several
        arms over each other."""
        place = self._place(column)
        values = {}
        for name, handle in self._handles.items():
            enter = handle.found.entering(handle.arm, handle.finer, place).astype(bool)
            values[name] = handle.found.values(handle.arm, handle.finer)[place][enter]
        every = np.concatenate(list(values.values()))
        low, high = (float(every.min()), float(every.max())) if every.size else (0.0, 1.0)
        # What differs by roundings alone is one value.
        if not high - low > 1e-9 * max(abs(low), abs(high)):
            high = low + (max(abs(low), abs(high)) or 1.0)
        drawn = _axes(ax)
        for number, (name, of_arm) in enumerate(values.items()):
            colour = f"C{number}"
            counts, edges = np.histogram(of_arm, bins=bins, range=(low, high))
            drawn.stairs(counts, edges, color=colour, linewidth=1.5, label=name)
            if of_arm.size:
                drawn.axvline(float(of_arm.mean()), color=colour, linestyle="--", linewidth=1)
        drawn.set_xlabel(_label(column, self._columns()[place][1]))
        drawn.set_ylabel("samples")
        if len(values) > 1:
            drawn.legend()
        return drawn

    def deposition(self, ax: Axes | None = None) -> Axes:
        """Where samples stopped, and the ellipse that holds 95 % of a normal law with their mean and covariance. Raises
        ConfigError of a system without such places."""
        columns = self._columns()
        drawn = None
        for number, (name, handle) in enumerate(self._handles.items()):
            x, y = handle.found.resting_place(handle.arm)
            if x < 0 or y < 0:
                raise ConfigError(f"{handle.run['system']} has no columns of where samples stop")
            enter = (handle.found.entering(handle.arm, handle.finer, x).astype(bool)
                     & handle.found.entering(handle.arm, handle.finer, y).astype(bool))
            values = handle.found.values(handle.arm, handle.finer)
            drawn = drawn or _axes(ax)
            drawn.plot(values[x][enter], values[y][enter], ".", color=f"C{number}", markersize=3, label=name)
            found = handle.facts.get("deposition")
            if found and found["semi_major"] is not None:
                around = np.linspace(0, 2 * math.pi, 200)
                along, across = found["semi_major"] * np.cos(around), found["semi_minor"] * np.sin(around)
                cos, sin = math.cos(found["angle"]), math.sin(found["angle"])
                drawn.plot(found["mean"][0] + along * cos - across * sin, found["mean"][1] + along * sin + across * cos,
                           color=f"C{number}", linewidth=1)
            drawn.set_xlabel(_label(*columns[x][:2]))
            drawn.set_ylabel(_label(*columns[y][:2]))
        assert drawn is not None
        drawn.set_aspect("equal", adjustable="datalim")
        if len(self._handles) > 1:
            drawn.legend()
        return drawn


    def exceedance(self, of: str = "kinetic_energy", ax: Axes | None = None) -> Axes:
        """The share of all samples that cross a gate, or arrive at a barrier, with more `of` than the axis says, and
        its 95 % interval at each point as a band. `of` is "kinetic_energy" or "height". Arms of a comparison have each
        a colour, its gates the kinds of line; those of one run a colour each. Raises ConfigError where nothing was
        crossed."""
        if of not in ("kinetic_energy", "height"):
            raise ConfigError(f'of = "{of}", must be "kinetic_energy" or "height"')
        curves = [(arm, name, facts) for arm, handle in self._handles.items()
                  for name, facts in (handle.facts.get("gates", {}) | handle.facts.get("barriers", {})).items()
                  if len(facts["exceedance"][of]) > 1]
        if not curves:
            raise ConfigError(f"there are no gates or barriers that samples came to with a {of.replace('_', ' ')}")
        drawn = _axes(ax)
        names, arms = list(dict.fromkeys(curve[1] for curve in curves)), list(self._handles)
        for arm, name, facts in curves:
            points = facts["exceedance"][of]
            above, share = [point["above"] for point in points], [point["share"] for point in points]
            low, high = (np.array([point["ci95"][end] for point in points], dtype=float) for end in (0, 1))
            is_one = len(arms) == 1
            colour = f"C{names.index(name) if is_one else arms.index(arm)}"
            drawn.fill_between(above, low, high, color=colour, alpha=0.15, linewidth=0)
            drawn.plot(above, share, color=colour, linewidth=1.5, label=name if is_one else f"{name}, {arm}",
                       linestyle=("-", "--", ":", "-.")[names.index(name) % 4])
        drawn.set_xlabel(_label(f"{of} above", curves[0][2]["statistics"][of]["unit"]))
        drawn.set_ylabel("share of all samples")
        drawn.set_ylim(bottom=0)
        drawn.legend()
        return drawn

    def along(self, column: str, paths: int = 200, ax: Axes | None = None) -> Axes:
        """The largest value of a column of paths, as "kinetic_energy", in each stretch of their way, by its horizontal
        length from the release (m): the median, and bands from 25 to 75 % and from 5 to 95 %, over the first `paths`
        samples that ran and came so far, five at least. They are replayed for that, each step of them. Raises
        ConfigError for a column that paths have not, or of a system whose paths have no x and y."""
        paths = taken("paths", paths)
        drawn, unit = None, ""
        for number, (name, handle) in enumerate(self._handles.items()):
            ran = np.flatnonzero(handle.require_found().status(handle.arm, handle.finer) != _not_run)[:paths]
            ways = []
            for first in range(0, len(ran), _at_once):
                for path in handle.replayed(handle.first + ran[first:first + _at_once], "1", None).values():
                    for needed in (column, "x", "y"):
                        if needed not in path:
                            raise ConfigError(f'paths have no column "{needed}", they have {", ".join(path)}')
                    unit = path[column].attrs["units"]
                    ways.append(_way(path.x.values, path.y.values, path[column].values))
            length, bands = _bands(ways)
            drawn = drawn or _axes(ax)
            middles = length * (np.arange(bands.shape[1]) + 0.5)
            for low, high, alpha in ((0, 4, 0.15), (1, 3, 0.25)):
                drawn.fill_between(middles, bands[low], bands[high], color=f"C{number}", alpha=alpha, linewidth=0)
            drawn.plot(middles, bands[2], color=f"C{number}", linewidth=1.5, label=name)
        assert drawn is not None
        drawn.set_xlabel("horizontal length of the way (m)")
        drawn.set_ylabel(_label(column, unit))
        if len(self._handles) > 1:
            drawn.legend()
        return drawn


def _way(x: Floats, y: Floats, values: Floats) -> tuple[Floats, Floats]:
    """A column by the horizontal length of the way, where it has a value."""
    length = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    known = ~np.isnan(values)
    return length[known], values[known]


def _largest(way: tuple[Floats, Floats], length: float) -> Floats:
    """The largest value in each stretch of the way, linear between those given; nan where there is none."""
    at, values = way
    stretch = (at / length).astype(int)
    largest = np.full(stretch[-1] + 1 if len(at) else 0, np.nan)
    np.fmax.at(largest, stretch, values)
    if len(at):
        edges = np.arange(stretch[0] + 1, stretch[-1] + 1)
        after = np.searchsorted(stretch, edges)
        share = (edges * length - at[after - 1]) / (at[after] - at[after - 1])
        there = values[after - 1] + share * (values[after] - values[after - 1])
        np.fmax.at(largest, edges - 1, there)
        np.fmax.at(largest, edges, there)
    return largest


def _bands(ways: list[tuple[Floats, Floats]]) -> tuple[float, Floats]:
    """The length of a stretch, at most a hundred of them, and the quantiles of the largest values of ways in each
    [5, stretches], to the last one with five ways."""
    farthest = max((way[0][-1] for way in ways if len(way[0])), default=0.0)
    length = 1 / 64
    while int(farthest / length) >= 100:
        length *= 2
    each = [_largest(way, length) for way in ways]
    largest = np.full((len(each), max(map(len, each), default=0)), np.nan)
    for row, one in zip(largest, each):
        row[:len(one)] = one
    counts = np.flatnonzero((~np.isnan(largest)).sum(axis=0) >= 5)
    largest = largest[:, :counts[-1] + 1 if len(counts) else 0]
    bands = np.full((5, largest.shape[1]), np.nan)
    some = (~np.isnan(largest)).any(axis=0)
    if some.any():
        bands[:, some] = np.nanquantile(largest[:, some], [0.05, 0.25, 0.5, 0.75, 0.95], axis=0)
    return length, bands


class ComparisonPlots(Plots):
    """Figures of a comparison."""

    def __init__(self, handles: Mapping[str, Any], facts: dict[str, Any]):
        super().__init__(handles)
        self._facts = facts

    def differences(self, column: str, ax: Axes | None = None) -> Axes:
        """The mean difference of a column from the first arm over the same samples, of each other arm with its 95 %
        interval, the judgement beside its name; a grey bar is the margin."""
        place = self._place(column)
        if not self._facts["paired"]:
            raise ConfigError("there is one arm, and nothing to compare it with")
        drawn = _axes(ax)
        names = []
        for row, (arm, columns) in enumerate(self._facts["paired"].items()):
            found = columns[column]
            margin = (found.get("margin") or {}).get("value")
            if margin:
                drawn.barh(row, 2 * margin, left=-margin, height=0.5, color="0.85", zorder=0)
            if found["difference"] is not None and found["ci95"][0] is not None:
                drawn.plot(found["ci95"], [row, row], color=f"C{row + 1}", linewidth=2)
            if found["difference"] is not None:
                drawn.plot([found["difference"]], [row], "o", color=f"C{row + 1}")
            names.append(f"{arm}\n{found['judgement']}")
        drawn.axvline(0, color="0.4", linewidth=1, zorder=0)
        drawn.set_yticks(range(len(names)), names)
        drawn.set_ylim(len(names) - 0.5, -0.5)
        drawn.set_xlabel(_label(f"{column} less that of {self._facts['baseline']}", self._columns()[place][1]))
        return drawn
