"""The drag of the air from measured shots: by least squares with scipy, and its posterior with emcee.

    python drag_of_shots.py

The measurements are made up: shots at 100 m/s and twelve angles, with a drag of 0.05 1/s and ranges that are known to
2 m. scipy.optimize runs the twelve for one drag after the other. emcee asks for those of all its walkers at once, which
are rows of one table of starts, so that a step of the chain is one run. posterior_with_arviz.py looks at the chain.
"""

import tempfile
from pathlib import Path
from typing import Any

import emcee
import numpy as np
from numpy.typing import NDArray
from scipy import optimize

import scree

TRUE_DRAG, ERROR = 0.05, 2.0  # 1/s, m
MOST_DRAG = 0.2  # 1/s, of a uniform prior from 0
ANGLES = np.linspace(0.2, 1.3, 12)  # rad
SHOTS = {"system": "projectile", "scheme": "exact", "step": 0.05, "end": 60.0,
         "start": {"speed": 100.0, "table": "shots.csv"}}
WALKERS = 16

Numbers = NDArray[np.float64]


def ranges(drags: float | Numbers, folder: str) -> Numbers:
    """Ranges [drags, angles], m, of one run."""
    rows = [(angle, drag) for drag in np.atleast_1d(drags) for angle in ANGLES]
    np.savetxt(Path(folder) / "shots.csv", rows, delimiter=",", header="angle,drag", comments="")
    ranges: Numbers = scree.run(SHOTS, samples=len(rows), folder=folder)["range"].values
    return ranges.reshape(-1, len(ANGLES))


def measured_ranges(folder: str) -> Numbers:
    """What was measured [angles], m."""
    made: Numbers = ranges(TRUE_DRAG, folder)[0] + np.random.default_rng(1).normal(0, ERROR, len(ANGLES))
    return made


def least_squares(measured: Numbers, folder: str) -> Any:
    """The drag, 1/s, as `x`, and chi^2 as `fun`."""

    def misfit(drag: float) -> float:
        return float((((ranges(drag, folder)[0] - measured) / ERROR) ** 2).sum())

    return optimize.minimize_scalar(misfit, bounds=(0.0, MOST_DRAG), method="bounded", options={"xatol": 1e-6})


def chain(measured: Numbers, start: float, steps: int, folder: str) -> Any:
    """The sampler of emcee after so many steps from about a drag of `start`, 1/s."""

    def log_probability(walkers: Numbers) -> Numbers:
        drags = walkers[:, 0]
        inside = (drags >= 0) & (drags <= MOST_DRAG)
        far = ranges(np.where(inside, drags, MOST_DRAG / 2), folder)
        return np.where(inside, -0.5 * (((far - measured) / ERROR) ** 2).sum(axis=1), -np.inf)

    np.random.seed(1)
    sampler = emcee.EnsembleSampler(WALKERS, 1, log_probability, vectorize=True, moves=emcee.moves.DEMove())
    sampler.run_mcmc(start + 2e-4 * np.random.default_rng(2).normal(size=(WALKERS, 1)), steps)
    return sampler


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        measured = measured_ranges(folder)
        best = least_squares(measured, folder)
        print(f"least squares: a drag of {best.x:.5f} 1/s, chi^2 {best.fun:.1f} of {len(ANGLES) - 1}")
        drags = chain(measured, best.x, 150, folder).get_chain(discard=50, flat=True)[:, 0]
    print(f"emcee: {drags.mean():.5f} +- {drags.std():.5f} 1/s from {drags.size} steps; true: {TRUE_DRAG}")


if __name__ == "__main__":
    main()
