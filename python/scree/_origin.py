"""Where results are, and what replays them."""

from __future__ import annotations

import os
import shutil
import weakref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ._calls import require_utf8
from ._errors import ConfigError, InputError, RunError

if TYPE_CHECKING:
    from ._program import Program


class Folder:
    """A temporary folder, which goes with the last that needs it, in the process that made it."""

    def __init__(self) -> None:
        import tempfile

        self.name = tempfile.mkdtemp(prefix="scree_")
        weakref.finalize(self, _remove, self.name, os.getpid())


def _remove(folder: str, process: int) -> None:
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
        if self.file and not self.is_temporary:
            file = require_utf8(os.path.abspath(self.file), "path")  # for another current folder later
            object.__setattr__(self, "file", file)
        object.__setattr__(self, "stamp", stamp_of(self.file))

    @property
    def is_temporary(self) -> bool:
        """Whether the file has a name that nobody knows."""
        return isinstance(self.file, TemporaryFile)

    def require_same(self) -> None:
        """Raises InputError where the file is no longer that which was opened."""
        if stamp_of(self.file) != self.stamp:
            raise InputError(f"{self.file}: is no longer the result that was opened")

    def is_whole(self) -> bool:
        """Whether the file is a result, and no journal."""
        with open(self.file, "rb") as file:
            return file.read(8) == b"\x89HDF\r\n\x1a\n"

    def copy_to(self, path: str, force: bool) -> None:
        """The file, once more."""
        if os.path.exists(path) and not force:
            raise ConfigError(f"{path}: exists already; give another name, or force=True to replace it")
        beside = f"{path}.{os.getpid()}.tmp"
        try:
            shutil.copyfile(self.file, beside)
            os.replace(beside, path)
        except OSError as error:
            raise RunError(f"{path}: cannot be written: {error.strerror}") from error
        finally:
            if os.path.exists(beside):
                os.unlink(beside)
