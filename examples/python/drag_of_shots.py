"""The drag of the air from measured shots: by least squares with scipy, and its posterior with emcee.

    python drag_of_shots.py

The measurements are made up: shots at 100 m/s and twelve angles, with a drag of 0.05 1/s and ranges that are known to
2 m. scipy.optimize runs the twelve for one drag after the other. emcee asks for those of all its walkers at once, which
are rows of one table of starts, so that a step of the chain is one run.
"""

import tempfile
from pathlib import Path

import emcee
import numpy as np
from scipy import optimize

import scree

TRUE_DRAG, ERROR = 0.05, 2.0  # 1/s, m
ANGLES = np.linspace(0.2, 1.3, 12)  # rad
SHOTS = {"system": "projectile", "scheme": "exact", "step": 0.05, "end": 60.0,
         "start": {"speed": 100.0, "table": "shots.csv"}}


def ranges(drags, folder):
    """Ranges [drags, angles], m, of one run."""
    rows = [(angle, drag) for drag in np.atleast_1d(drags) for angle in ANGLES]
    np.savetxt(Path(folder) / "shots.csv", rows, delimiter=",", header="angle,drag", comments="")
    return scree.run(SHOTS, samples=len(rows), folder=folder)["range"].values.reshape(-1, len(ANGLES))


def main():
    with tempfile.TemporaryDirectory() as folder:
        measured = ranges(TRUE_DRAG, folder)[0] + np.random.default_rng(1).normal(0, ERROR, len(ANGLES))

        def misfit(drag):
            return float((((ranges(drag, folder)[0] - measured) / ERROR) ** 2).sum())

        best = optimize.minimize_scalar(misfit, bounds=(0.0, 0.2), method="bounded", options={"xatol": 1e-6})
        print(f"least squares: a drag of {best.x:.5f} 1/s, chi^2 {best.fun:.1f} of {len(ANGLES) - 1}")

        def log_probability(walkers):
            drags = walkers[:, 0]
            inside = (drags >= 0) & (drags <= 0.2)
            far = ranges(np.where(inside, drags, 0.1), folder)
            return np.where(inside, -0.5 * (((far - measured) / ERROR) ** 2).sum(axis=1), -np.inf)

        np.random.seed(1)
        sampler = emcee.EnsembleSampler(16, 1, log_probability, vectorize=True)
        sampler.run_mcmc(best.x + 1e-3 * np.random.default_rng(2).normal(size=(16, 1)), 150)
    chain = sampler.get_chain(discard=50, flat=True)[:, 0]
    print(f"emcee: {chain.mean():.5f} +- {chain.std():.5f} 1/s from {chain.size} steps; true: {TRUE_DRAG}")


if __name__ == "__main__":
    main()
