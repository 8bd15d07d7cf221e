"""Calls of the library: settings from arguments, progress, Ctrl-C, exceptions."""

from __future__ import annotations

import math
import os
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _core
from ._errors import of_code

Progress = Callable[[int, int, int, float], None]


class ScreeWarning(UserWarning):
    """What the program prints as a warning."""


class Listener:
    """Hears how a command goes. `progress` is "auto" (a bar of tqdm where that is installed, else a line every five
    seconds, both where standard error is a terminal), None, or a function of samples that are done, samples, steps and
    seconds, which is called at most five times a second."""

    def __init__(self, progress: str | None | Progress = "auto"):
        if isinstance(progress, str) and progress != "auto":
            raise ValueError(f'progress = "{progress}", must be "auto", None or a function')
        self.told: list[str] = []
        self._show = progress if callable(progress) else None
        self._on_terminal = progress == "auto" and sys.stderr is not None and sys.stderr.isatty()
        self._bar: Any = None
        self._next = 0.0

    def warn(self, line: str) -> None:
        warnings.warn(line, ScreeWarning, stacklevel=4)

    def say(self, line: str) -> None:
        self.told.append(line)

    def note(self, line: str) -> None:
        pass

    def show(self, label: str, done: int, samples: int, steps: int, seconds: float, left: float) -> None:
        if seconds < self._next:
            return
        if self._show is not None:
            self._next = seconds + 0.2
            self._show(done, samples, steps, seconds)
        elif self._on_terminal:
            self._draw(label, done, samples, seconds, left)

    def _draw(self, label: str, done: int, samples: int, seconds: float, left: float) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._next = seconds + 5
            rest = "" if math.isnan(left) else f", {left:.0f} s left"
            print(f"{label}: {done}/{samples} samples{rest}", file=sys.stderr)
            return
        self._next = seconds + 0.2
        if self._bar is None:
            self._bar = tqdm(total=samples, desc=label, unit="sample", leave=False)
        self._bar.update(done - self._bar.n)

    def end_stage(self) -> None:
        self._next = 0.0
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def toml_value(value: Any) -> str:
    """A value as a config writes it."""
    import tomli_w

    if hasattr(value, "tolist"):
        value = value.tolist()
    return tomli_w.dumps({"v": value}).removeprefix("v = ").rstrip("\n")


def settings_of(config: str | os.PathLike[str] | Mapping[str, Any], set: Mapping[str, Any] | None) -> dict[str, Any]:
    """The settings that say what is run: a file, or a config as a dictionary."""
    if isinstance(config, Mapping):
        import tomli_w

        plain = {key: value.tolist() if hasattr(value, "tolist") else value for key, value in config.items()}
        settings: dict[str, Any] = {"config": "config.toml", "text": tomli_w.dumps(plain)}
    else:
        settings = {"config": os.fspath(config)}
    if set:
        settings["sets"] = [f"{key}={toml_value(value)}" for key, value in set.items()]
    return settings


def given(**arguments: Any) -> dict[str, Any]:
    """Those that are not None, as the library takes them."""
    kept = {name: value for name, value in arguments.items() if value is not None}
    for name, value in kept.items():
        if isinstance(value, Path):
            kept[name] = os.fspath(value)
        elif isinstance(value, tuple):
            kept[name] = list(value)
    return kept


def texts(value: str | Sequence[str] | None) -> list[str] | None:
    """One text or several as a list."""
    if value is None:
        return None
    return [value] if isinstance(value, str) else list(value)


def call(command: Callable[..., tuple[Any, int, str]], *arguments: Any, listener: Listener | None = None,
         wrap: Callable[[Any], Any]) -> Any:
    """Carries out a command of the library and wraps what it found; raises what its exit code says, with that as
    `partial`."""
    listener = listener or Listener(None)
    stop = _core.Stop()
    try:
        found, code, line = command(*arguments, listener, stop)
    finally:
        listener.end_stage()
    result = None if found is None else wrap(found)
    if code == 0:
        return result
    error = of_code(code, line or "; ".join(listener.told))
    error.partial = result  # type: ignore[attr-defined]
    raise error
