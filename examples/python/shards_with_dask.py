"""A run in parts, each a task of dask, put together into the result that one run has.

    python shards_with_dask.py

The tasks may run in threads, as here, in processes, or on machines that share a folder. Each writes its part beside the
result; one that was killed goes on where it was with resume=True.
"""

import tempfile
from pathlib import Path
from typing import Any

import dask
import xarray as xr

import scree

CONFIG = Path(__file__).resolve().parents[2] / "configs" / "rock_ramp.toml"
CHOICES: dict[str, Any] = {"scheme": "implicit", "samples": 200}
PARTS = 4


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "ramp.h5"
        task = dask.delayed(scree.run)
        parts = [task(CONFIG, shard=(number, PARTS), out=result, threads=1, resume=True, **CHOICES)
                 for number in range(PARTS)]
        done = dask.compute(*parts, scheduler="threads", num_workers=2)
        print(f"parts of {[part.sizes['sample'] for part in done]} rocks")
        whole = scree.merge(f"{result}.shards", result)
        assert isinstance(whole, xr.Dataset)
        print(f"digest {whole.scree.digest}, mean run-out {float(whole.runout.mean()):.1f} m")
        assert whole.scree.digest == scree.run(CONFIG, **CHOICES).scree.digest


if __name__ == "__main__":
    main()
