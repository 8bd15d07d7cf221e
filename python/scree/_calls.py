"""Calls of the library: settings from arguments, progress, Ctrl-C, exceptions."""

from __future__ import annotations

import atexit
import contextlib
import math
import operator
import os
import re
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, TypeVar

from . import _core
from ._errors import ConfigError, Interrupted, in_python, of_code

Config = str | os.PathLike[str] | Mapping[str, Any]
Progress = Callable[[int, int, int, float], None]
Result = TypeVar("Result")

_folder = os.path.dirname(__file__) + os.sep


class ScreeWarning(UserWarning):
    """What the program prints as a warning."""


class End(Protocol):
    """What another thread ends a command with, as threading.Event."""

    def is_set(self) -> bool: ...


class Listener:
    """Hears how a command goes. `progress` is "auto" (a bar of tqdm where that is installed, else a line every five
    seconds, both where standard error is a terminal or a notebook), None, or a function of samples that are done,
    samples, steps and seconds, which is called at most five times a second, and when all are done. `stop` ends the
    command, as Ctrl-C does, once it is set."""

    def __init__(self, progress: str | None | Progress = "auto", stop: End | None = None):
        if isinstance(progress, str) and progress != "auto":
            raise ConfigError(f'progress = "{progress}", must be "auto", None or a function')
        if progress is not None and not isinstance(progress, str) and not callable(progress):
            raise ConfigError(f'progress = {_shown(progress)}, must be "auto", None or a function')
        if stop is not None and not callable(getattr(stop, "is_set", None)):
            raise ConfigError(f"stop = {stop!r}, must have is_set(), as a threading.Event")
        self.told: list[str] = []
        self.dictionary = ""  # where the text of a config is said to be that is in no file
        self._stop = stop
        self._show = progress if callable(progress) else None
        self.is_seen = progress == "auto" and sys.stderr is not None and (sys.stderr.isatty() or _in_a_notebook())
        self._bar: Any = None
        self._next, self._has_ended = 0.0, False

    def ends(self) -> bool:
        """Whether `stop` is set, once."""
        if self._stop is None or not self._stop.is_set():
            return False
        self._stop = None
        return True

    def warn(self, line: str) -> None:
        line = of_dictionary(line, self.dictionary)
        # Of the line that called the package.
        level, frame = 1, sys._getframe()
        while frame.f_back is not None and frame.f_code.co_filename.startswith(_folder):
            level, frame = level + 1, frame.f_back
        warnings.warn(in_python(line), ScreeWarning, stacklevel=level)

    def say(self, line: str) -> None:
        self.told.append(line)

    def note(self, line: str) -> None:
        if line.endswith("is left out"):  # what was asked for, as `sensitivity` of a shard
            self.warn(line)

    def show(self, label: str, done: int, samples: int, steps: int, seconds: float, left: float) -> None:
        ends = done >= samples
        if self._show is not None:
            if seconds >= self._next or ends and not self._has_ended:
                self._next, self._has_ended = seconds + 0.2, ends
                self._show(done, samples, steps, seconds)
        # What is over before anything was drawn needs nothing drawn.
        elif self.is_seen and seconds >= self._next and not (ends and self._bar is None):
            self._draw(label, done, samples, seconds, left)

    def _draw(self, label: str, done: int, samples: int, seconds: float, left: float) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of widgets, without which it draws in characters
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
        self._next, self._has_ended = 0.0, False
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _in_a_notebook() -> bool:
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return hasattr(shell, "kernel")


class Silent(Listener):
    """Of what was warned of before."""

    def warn(self, line: str) -> None:
        pass


def of_dictionary(line: str, name: str) -> str:
    """A line that may name the text of a config that is in no file, whose name and lines its user does not know."""
    if not name:
        return line
    place = rf"(?<![\w/.-]){re.escape(name)}(?::\d+)?(?![\w/.-])"
    return re.sub(place, "config", re.sub(rf" \({place}\)", "", line))


def ending(told: list[str]) -> str:
    """What was told of an end that was asked for, without how to ask again, for which it is too late."""
    return "; ".join(line for line in told if "once more, and they are left" not in line) or "interrupted"


def plain(value: Any, key: str) -> Any:
    """A value as TOML knows it: of arrays and numbers of numpy, paths and tuples. Raises ConfigError with the key of
    what is none."""
    value = _of_python(value)
    if isinstance(value, Mapping):
        names = {require_utf8(str(name), key or "key"): inner for name, inner in value.items()}
        return {name: plain(inner, f"{key}.{name}" if key else name) for name, inner in names.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner, key) for inner in value]
    if isinstance(value, os.PathLike):
        value = os.fsdecode(value)
    if not isinstance(value, (bool, int, float, str)):
        raise ConfigError(f"{key} = {_shown(value)}, must be a number, a text, true or false, or lists and tables of these")
    return require_utf8(value, key) if isinstance(value, str) else value


def toml_value(value: Any, key: str) -> str:
    """A value as a config writes it, in one line."""
    import tomli_w

    def written(inner: Any) -> str:
        if isinstance(inner, dict):
            pairs = ", ".join(f"{written(name)} = {written(deeper)}" for name, deeper in inner.items())
            return "{ " + pairs + " }"
        if isinstance(inner, list):
            return "[" + ", ".join(written(deeper) for deeper in inner) + "]"
        return tomli_w.dumps({"v": inner}).removeprefix("v = ").rstrip("\n")

    return written(plain(value, key))


def settings_of(config: Config, set: Mapping[str, Any] | None,
                folder: str | os.PathLike[str] | None) -> dict[str, Any]:
    """The settings that say what is run: a file, or a config as a dictionary, whose data files are in `folder`.
    Raises ConfigError."""
    data = None if folder is None else taken("folder", folder)
    if isinstance(config, Mapping):
        import tomli_w

        if data is not None and not os.path.isdir(data):
            raise ConfigError(f"folder = {data}, there is no such folder")
        settings: dict[str, Any] = {"config": os.path.join(data or "", "config.toml"),
                                    "text": tomli_w.dumps(plain(config, ""))}
    else:
        settings = {"config": taken("config", config)}
        if data is not None:
            raise ConfigError(f"folder = {data} is for a config that is a dictionary; the data files of "
                              f"{settings['config']} are found beside it")
    if set is not None:
        settings["sets"] = [f"{require_utf8(str(key), 'set')}={toml_value(value, key)}"
                            for key, value in taken("set", set).items()]
    return settings


def map_settings(maps: bool | float, no_maps: bool) -> dict[str, Any]:
    """Whether maps are made, and in cells of how many metres. Raises ConfigError."""
    maps, no_maps = _of_python(maps), taken("no_maps", no_maps)
    if no_maps and maps is not False:
        raise ConfigError("maps and no_maps exclude each other")
    if maps is False:
        return {"no_maps": no_maps}
    return {"maps": "true" if maps is True else repr(taken("maps", maps))}


def _of_python(value: Any) -> Any:
    """Without numpy, whose truth values are no bool and whose numbers are shown with their type, and xarray."""
    if hasattr(value, "to_numpy"):
        value = value.to_numpy()
    return value.tolist() if hasattr(value, "tolist") else value


def _shown(value: Any) -> str:
    """In one line, as of an array."""
    return repr(value).replace("\n", " ")


# What arguments are made of, as the library and the words of a program take it. Each raises what Python does of others:
# TypeError, ValueError or OverflowError.

def _flag(value: Any) -> bool:
    if not isinstance(_of_python(value), bool):
        raise TypeError
    return bool(value)


def _whole(value: Any) -> int:
    value = _of_python(value)
    if isinstance(value, bool):  # True counts as 1 in Python
        raise TypeError
    return operator.index(value)


def _number(value: Any) -> float:
    value = _of_python(value)
    if isinstance(value, (bool, str, bytes)):
        raise TypeError
    return float(value)


def _numbers(value: Any) -> list[str]:
    return [repr(_number(one)) for one in value]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _texts(value: Any) -> list[str]:
    """One or several."""
    return [os.fsdecode(one) for one in ([value] if isinstance(value, (str, bytes, os.PathLike)) else value)]


def _scheme(value: Any) -> list[str]:
    return [_text(value)]


def _shard(value: Any) -> str:
    number, count = value
    return f"{_whole(number)}/{_whole(count)}"


def _table(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError
    return dict(value)


_FILES = ("config", "header", "out", "path", "result")
_TYPES: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("samples", "sample", "paths", "seed", "at_most", "threads", "halvings"), _whole),
    **dict.fromkeys(("grace", "checkpoint", "maps"), _number),
    **dict.fromkeys(("cuda", "force", "link", "native", "no_maps", "partial", "resume", "sensitivity", "step_error"), _flag),
    **dict.fromkeys(("backend", "isa", "system"), _text),
    **dict.fromkeys((*_FILES, "folder"), os.fsdecode),
    **dict.fromkeys(("arms", "backends", "layers", "parts", "schemes", "until"), _texts),
    **dict.fromkeys(("margin", "set"), _table), "scheme": _scheme, "shard": _shard, "steps": _numbers}
_WORDS: dict[Callable[[Any], Any], str] = {
    _flag: "True or False", _whole: "a whole number", _number: "a number", _numbers: "numbers", _text: "a text",
    _texts: "a text or several", _scheme: "a text", _shard: "two whole numbers, as (0, 4)", _table: "a dictionary",
    os.fsdecode: "a path"}
_WORDS_OF = {"config": "a path or a dictionary", "maps": "True, False or a number", "parts": "a path or several",
             "sample": "a whole number or several"}
_MOST = 2**63 - 1
#: As the program has them of its options.
_RANGES: dict[str, tuple[float, float, str]] = {
    "seed": (0, _MOST, f"a whole number from 0 to {_MOST}"),
    **dict.fromkeys(("samples", "at_most", "paths"), (1, _MOST, f"a whole number from 1 to {_MOST}")),
    "threads": (1, 4096, ">= 1 and <= 4096"),
    "halvings": (1, 10, "a whole number from 1 to 10"),
    **dict.fromkeys(("grace", "checkpoint"), (0, 86400, "a number from 0 to 86400 (s)"))}


def require_utf8(text: str, key: str) -> str:
    """The text, where the library can take it: of the names of files, whose other bytes are surrogates in Python, and
    which end at NUL. Raises ConfigError."""
    try:
        is_taken = b"\0" not in text.encode()
    except UnicodeEncodeError:
        is_taken = False
    if not is_taken:
        raise ConfigError(f"{key} = {text!r}, must be UTF-8 without NUL")
    return text


def taken(name: str, value: Any) -> Any:
    """The argument of this name as the library takes it, paths as texts. Raises ConfigError."""
    try:
        made = _TYPES[name](value)
    except (TypeError, ValueError, OverflowError):
        words = _WORDS_OF.get(name) or _WORDS[_TYPES[name]]
        raise ConfigError(f"{name} = {_shown(value)}, must be {words}") from None
    low, high, words = _RANGES.get(name, (0, 0, ""))
    if words and not low <= made <= high:  # as nan
        raise ConfigError(f"{name} = {_of_python(value)}, must be {words}")
    for text in made if isinstance(made, list) else [made]:
        if isinstance(text, str):
            require_utf8(text, name)
    if made == "" and name in _FILES:
        raise ConfigError(f'{name} = "", must be the name of a file')
    return made


def given(**arguments: Any) -> dict[str, Any]:
    """Those that are not None as the library takes and calls them. Raises ConfigError."""
    return {"schemes" if name == "scheme" else name: taken(name, value)
            for name, value in arguments.items() if value is not None}


_running: set[_core.Stop] = set()


# A forked process has none of the threads that they are of.
os.register_at_fork(after_in_child=_running.clear)


@atexit.register
def _end_all() -> None:
    """Commands of other threads end before the interpreter does, which they call back."""
    for stop in list(_running):
        stop.ask()
        stop.ask()
    while _running:
        time.sleep(0.01)


@contextlib.contextmanager
def running(stop: _core.Stop) -> Iterator[None]:
    """While a command goes on that this ends."""
    _running.add(stop)
    try:
        yield
    finally:
        _running.discard(stop)


@contextlib.contextmanager
def _without_ctrl_c() -> Iterator[None]:
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or handler is None:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def call(command: Callable[..., tuple[Any, int, str]], *arguments: Any, listener: Listener | None = None,
         wrap: Callable[[Any], Result]) -> Result:
    """Carries out a command of the library and wraps what it found; raises what its exit code says, with that as
    `partial`."""
    listener = listener or Listener(None)
    if arguments and isinstance(arguments[0], dict) and "text" in arguments[0]:
        listener.dictionary = arguments[0]["config"]
    stop = _core.Stop()
    try:
        with running(stop):
            found, code, line = command(*arguments, listener, stop)
    finally:
        listener.end_stage()
    # A second Ctrl-C is to leave samples, not what was found of them.
    with _without_ctrl_c() if code == Interrupted.code else contextlib.nullcontext():
        result = None if found is None else wrap(found)
    if code == 0 and result is not None:
        return result
    error = of_code(code, of_dictionary(line, listener.dictionary) or ending(listener.told))
    error.partial = result  # type: ignore[attr-defined]
    raise error
