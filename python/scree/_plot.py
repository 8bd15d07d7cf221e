"""Figures of the kinds that `scree report` has, with matplotlib."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import ConfigError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _axes(given: Axes | None) -> Axes:
    if given is not None:
        return given
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError('plots need matplotlib: pip install "scree-engine[plot]"') from error
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
