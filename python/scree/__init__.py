"""Ensembles of small mechanical systems, the same bits everywhere.

    import scree
    ds = scree.run("ramp.toml", scheme="implicit", samples=1000)
    ds.runout.mean(), ds.scree.statistics(), ds.scree.replay(17)

Values, names and order are those of the program `scree`, and so are the bits.
"""

from __future__ import annotations

import os
from typing import Any

from . import _installed

_installed.require_own_folder(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from . import _core  # noqa: E402
from ._calls import ScreeWarning  # noqa: E402
from ._commands import LIBRARY  # noqa: E402
from ._errors import (BuildError, ConfigError, DeviceError, InputError, Interrupted, RunError,  # noqa: E402
                      ScreeError, TargetError)
from ._program import Program, build  # noqa: E402

__all__ = ["BuildError", "ConfigError", "DeviceError", "InputError", "Interrupted", "Program", "RunError", "ScreeError",
           "ScreeWarning", "TargetError", "__build__", "build", "check", "compare", "converge", "defaults", "list",
           "merge", "open", "run", "run_extended"]
__version__ = _core.version
__commit__ = _core.commit
#: How the library was built: `compiler`, `build_type`, `version`, `commit` and its `date`, the `systems`, `isas` (the
#: instruction sets of its kernels) and `isas_here` (those that this processor has), and whether with `cuda`.
__build__: dict[str, Any] = _core.build()

run, run_extended = LIBRARY.run, LIBRARY.run_extended
compare, converge = LIBRARY.compare, LIBRARY.converge
open, merge = LIBRARY.open, LIBRARY.merge
check, defaults, list = LIBRARY.check, LIBRARY.defaults, LIBRARY.list
