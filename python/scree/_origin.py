"""Where results are, and what replays them."""

from __future__ import annotations

import os
import weakref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ._errors import InputError

if TYPE_CHECKING:
    from ._program import Program


class Folder:
    """A temporary folder, which goes with the last that needs it, in the process that made it."""

    def __init__(self) -> None:
        import tempfile

        self.name = tempfile.mkdtemp(prefix="scree_")
        weakref.finalize(self, _remove, self.name, os.getpid())


def _remove(folder: str, process: int) -> None:
    import shutil

    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


class TemporaryFile(str):
    """The name of a file in a temporary folder, which goes with the name."""

    folder: Folder

    def __new__(cls, name: str) -> TemporaryFile:
        folder = Folder()
        made = super().__new__(cls, os.path.join(folder.name, name))
        made.folder = folder
        return made


def stamp_of(file: str) -> tuple[int, ...]:
    """What changes when a file is written again; () if there is none."""
    try:
        found = os.stat(file)
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


@dataclass(frozen=True)
class Origin:
    """Of a result: the `file`, "" if it is in memory alone, and the `program` that replays it, None for the library."""

    file: str = ""
    program: Program | None = None
    stamp: tuple[int, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "stamp", stamp_of(self.file))

    def require_same(self) -> None:
        """Raises InputError where the file is no longer that which was opened."""
        if stamp_of(self.file) != self.stamp:
            raise InputError(f"{self.file}: is no longer the result that was opened")
