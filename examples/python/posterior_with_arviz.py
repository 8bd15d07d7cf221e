"""Whether a chain of emcee is long enough, and whether the model fits, with ArviZ.

    python posterior_with_arviz.py

The chain is that of drag_of_shots.py, the drag of the air from twelve measured shots. ArviZ tells how many independent
samples it is worth and whether its walkers agree (R-hat). The shots of 200 drags out of it are one more run of Scree,
whose Dataset becomes the posterior predictive: a model that fits has the measurements within it.
"""

import tempfile

import arviz as az
import numpy as np
import xarray as xr

from drag_of_shots import ANGLES, ERROR, TRUE_DRAG, chain, least_squares, measured_ranges, ranges

STEPS, BURN_IN, DRAWS = 400, 50, 200


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        measured = measured_ranges(folder)
        data = az.from_emcee(chain(measured, least_squares(measured, folder).x, STEPS, folder), var_names=["drag"])
        posterior = data["posterior"].isel(draw=slice(BURN_IN, None))
        drags = posterior["drag"]
        low, high = np.quantile(drags, [0.025, 0.975])
        print(f"drag: {float(drags.mean()):.5f} 1/s, 95 % from {low:.5f} to {high:.5f}; true: {TRUE_DRAG}")
        print(f"worth {float(az.ess(posterior)['drag']):.0f} independent samples of {drags.size}, "
              f"R-hat {float(az.rhat(posterior)['drag']):.3f}")

        some = np.random.default_rng(3).choice(drags.values.ravel(), DRAWS)
        far = xr.DataArray(ranges(some, folder), dims=("draw", "angle"), coords={"angle": ANGLES})
    predicted = far + np.random.default_rng(4).normal(0, ERROR, far.shape)
    within = (predicted.quantile(0.05, "draw") <= measured) & (measured <= predicted.quantile(0.95, "draw"))
    print(f"{int(within.sum())} of {within.size} measurements lie within 90 % of the posterior predictive")


if __name__ == "__main__":
    main()
