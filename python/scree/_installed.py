"""Where this package lies."""

from __future__ import annotations

import os


def require_own_folder(packages: str) -> None:
    """Raises ImportError where the folder `packages` has another distribution called `scree` (PyPI has one, of ragged
    tensors): both have the same folder then, and files of one over those of the other."""
    for name in os.listdir(packages):
        if name.startswith("scree-") and name.endswith((".dist-info", ".egg-info")):
            raise ImportError(f"{packages} has the package scree of another distribution too, {name}, and files of one "
                              "over those of the other: pip uninstall scree scree-engine, and install scree-engine "
                              "again")
