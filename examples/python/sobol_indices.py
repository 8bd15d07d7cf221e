"""Which property of the ground decides how far a rock goes? Sobol indices with SALib.

    python sobol_indices.py

SALib chooses values of three parameters, a table of starts has a row for each choice, and one run has a sample for each
row: not a run for each. All rocks are released alike, so that what differs between them is the ground. What is looked
at is the angle of reach, from the release to where a rock stops: run-outs themselves have so long a tail that a few
rocks decide their indices.
"""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from SALib.analyze import sobol as indices
from SALib.sample import sobol as choices

import scree

PROBLEM: dict[str, Any] = {"num_vars": 3, "names": ["friction_min", "restitution", "drag"],
           "bounds": [[0.2, 0.6], [0.0, 0.4], [0.2, 1.0]]}

CONFIG = {"system": "rock", "scheme": "implicit", "step": 0.002, "end": 120.0,
          "terrain": {"kind": "ramp", "slope": 45.0, "height": 100.0},
          "shape": [{"name": "block", "kind": "cuboid", "size": [1.0, 0.8, 0.6], "density": 2700.0}],
          "start": {"table": "ground.csv"}}


def reach_angles(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The angle of reach of a rock for each row of values, degrees."""
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(Path(folder) / "ground.csv", values, delimiter=",", header=",".join(PROBLEM["names"]), comments="")
        ds = scree.run(CONFIG, samples=len(values), folder=folder)
    assert ds.scree.status["stopped"] == len(values)
    angles: NDArray[np.float64] = ds.reach_angle.values
    return angles


def main() -> None:
    values = choices.sample(PROBLEM, 512, calc_second_order=False, seed=1)
    angles = reach_angles(values)
    found = indices.analyze(PROBLEM, angles, calc_second_order=False, seed=1)
    print(f"{len(angles)} rocks, angles of reach from {angles.min():.1f} to {angles.max():.1f} degrees")
    print("parameter      first order   total")
    for name, first, total, width in zip(PROBLEM["names"], found["S1"], found["ST"], found["ST_conf"], strict=True):
        print(f"{name:14s} {first:11.2f} {total:7.2f} +- {width:.2f}")


if __name__ == "__main__":
    main()
