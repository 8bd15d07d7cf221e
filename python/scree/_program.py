"""Programs of Scree that are run beside this process, as one with a system of one's own."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from . import _calls, _core
from ._calls import End
from ._commands import Commands, Made
from ._errors import BuildError, ConfigError, Interrupted, RunError, of_code
from ._origin import Folder, Origin, TemporaryFile, stamp_of

if TYPE_CHECKING:
    import subprocess

    import numpy as np
    import xarray as xr
    from numpy.typing import NDArray

    from ._result import Handle

#: A second signal sooner than 0.3 s after the first is no second one for the program.
_AGAIN = 0.4


def _scree(named: str | os.PathLike[str] | None) -> str:
    """The program that builds others: the one that is named, one in PATH, or that beside Python."""
    if named is not None:
        return os.fspath(named)
    beside = os.path.join(os.path.dirname(sys.executable), "scree")
    found = shutil.which("scree") or (beside if os.access(beside, os.X_OK) else None)
    if found is None:
        raise BuildError("build: there is no program scree in PATH, which compiles headers; install it with its "
                         "libraries (`cmake --install`, or Debian's scree and scree-dev), or name it as program=")
    return found


def build(header: str | os.PathLike[str], out: str | os.PathLike[str] | None = None, *, native: bool = False,
          cuda: bool = False, force: bool = False, program: str | os.PathLike[str] | None = None,
          progress: str | None = "auto", stop: End | None = None) -> Program:
    """A program with a system of one's own, from its header (src/systems/README.md), by `scree build`:

        my = scree.build("my_pendulum.hpp")
        ds = my.run(my.defaults("my_pendulum"), samples=1000)

    It takes half a minute, with `native` (for this machine alone) half of that, and a second where the same header was
    compiled already: what is compiled stays in ~/.cache/scree (or XDG_CACHE_HOME), by the text of the header, the
    version and commit of the program, the compiler, `native` and the processor, and `cuda`, which is for kernels for a
    GPU too and takes nvcc. The program itself lies in a temporary folder and goes with what is returned, or is the file
    `out`, which `force` replaces. `program` is the scree that compiles, that of PATH if not given; it has to be installed with its libraries, and of the version of this package. `progress`
    "auto" says on a terminal that it compiles.

    Ctrl-C, or a `stop` that another thread sets, ends it and the compiler, as Interrupted. Raises BuildError with the
    first mistake, its place, and the rule that it breaks; ConfigError for a header that is not there or an `out` that
    is; RunError for a program of another version.
    """
    if progress not in ("auto", None):
        raise ConfigError(f'progress = {progress!r}, must be "auto" or None')
    compiler = Program(_scree(program))
    file, settings = _calls.taken("header", header), _calls.given(out=out, native=native, cuda=cuda, force=force)
    folder = Folder() if out is None else None
    name = os.path.splitext(os.path.basename(file))[0] or "scree"
    path = os.path.abspath(os.path.join(folder.name, name) if folder is not None else settings["out"])
    listener = _calls.Listener(progress, stop)
    words = ["build", _file_word(file), *_words("", settings | {"out": _calls.require_utf8(path, "out")})[1:]]

    def tell(line: str) -> None:
        if listener.is_seen:
            print(line, file=sys.stderr)

    told = compiler._end_of(words, listener, tell=tell, is_group=True)
    if told.code != 0:
        made = of_code(told.code, told.line)
        raise BuildError(*made.args) if isinstance(made, RunError) else made
    return Program(path, _folder=folder)


def _file_word(path: str | os.PathLike[str]) -> str:
    """A path that no program takes for an option."""
    file = os.fsdecode(path)
    return "./" + file if file.startswith("-") else file


@dataclass
class _Told:
    """How a program ended: its exit code, what it printed on stdout, the line of its error, and the file that it named
    as its result."""

    code: int
    out: str
    line: str
    result: str


class Program(Commands):
    """A program of Scree, with the functions that this module has: `run`, `run_extended`, `compare`, `converge`,
    `open`, `merge`, `check`, `defaults` and `list`, with the same arguments, results and exceptions. It runs beside
    this process and writes results to files, temporary ones where there is no `out`, which are opened. So it may have
    systems and backends that this module has not: `scree.build` gives one, `scree.Program("/usr/bin/scree")` is one.

    Progress comes every five seconds, with steps by the rate that the program tells. Paths of replays have units and no
    descriptions.

    `path` is that of a file, or a name in PATH. Raises ConfigError for what is no program of Scree, RunError for one of
    another version than this package.
    """

    def __init__(self, path: str | os.PathLike[str], *, _folder: Folder | None = None):
        file = _calls.taken("path", path)
        found = file if os.path.isfile(file) and os.access(file, os.X_OK) else shutil.which(file)
        if found is None:
            raise ConfigError(f"{file}: there is no such program, here or in PATH")
        #: The file.
        self.path = os.path.abspath(found)
        self._folder = _folder
        try:
            told = self._end_of(["--version"], _calls.Listener(None))
        except RunError as error:
            raise ConfigError(f"{self.path}: is no program of Scree") from error
        version = re.fullmatch(r"scree (\S+) \(commit (\S+)\)\n", told.out)
        if told.code != 0 or version is None:
            raise ConfigError(f"{self.path}: is no program of Scree")
        if version[1] != _core.version:
            raise RunError(f"{self.path}: is of Scree {version[1]}, this package of {_core.version}; one that is built "
                           "with that version runs here")

    def __repr__(self) -> str:
        return f"scree.Program({self.path!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        # For other processes of this machine; a temporary program goes with the first of them.
        return Program, (self.path,)

    def _end_of(self, words: Sequence[str], listener: _calls.Listener, *, text: str | None = None,
                cwd: str | None = None, tell: Callable[[str], None] = lambda line: None,
                is_group: bool = False) -> _Told:
        """Runs it. Ctrl-C, and what `listener` throws, are passed on to it as SIGTERM, which it takes as Ctrl-C, for
        jobs in the background may ignore SIGINT; `is_group`: with all that it starts."""
        import subprocess

        try:
            process = subprocess.Popen([self.path, *words], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       stdin=subprocess.DEVNULL if text is None else subprocess.PIPE, encoding="utf-8",
                                       errors="backslashreplace", process_group=0 if is_group else None)
        except OSError as error:
            raise RunError(f"{self.path}: cannot be started: {error.strerror}") from error
        except KeyboardInterrupt:
            raise Interrupted("interrupted") from None
        with process:
            watch = _Watch(self.path, process, listener, tell, text, is_group)
            try:
                return watch.end()
            except KeyboardInterrupt:
                raise Interrupted("interrupted") from None
            finally:
                watch.abandon()

    # What the commands are carried out by.

    def _carry_out(self, command: str, settings: dict[str, Any], listener: _calls.Listener,
                   wrap: Callable[[Origin], Callable[[_core.Found], Made]]) -> Made:
        settings, text, cwd = _from_stdin(settings)
        # A shard and what goes on take a result with a name, and say so themselves.
        if not settings.keys() & {"out", "extend", "shard"} and not settings.get("resume"):
            settings |= {"out": TemporaryFile("result.h5"), "checkpoint": 0}
        for key, argument in (("out", "out"), ("extend", "result")):
            if key in settings and not isinstance(settings[key], TemporaryFile):
                settings[key] = _calls.require_utf8(os.path.abspath(settings[key]), argument)
        result: str = settings.get("out") or settings.get("extend", "")
        before = stamp_of(result)
        told = self._end_of(_words(command, settings), listener, text=text, cwd=cwd)
        if told.result not in ("", result):  # a shard is a part of it
            result = told.result
        is_there = told.code == 0 or (told.result != "" and stamp_of(result) not in ((), before))
        made = None
        if is_there:
            made = _calls.call(_core.open, result, wrap=wrap(Origin(result, self)))
        if told.code == 0 and made is not None:
            return made
        error = of_code(told.code, told.line)
        error.partial = made  # type: ignore[attr-defined]
        raise error

    def _merged(self, parts: Sequence[str], settings: dict[str, Any], listener: _calls.Listener) -> Any:
        if not parts:
            raise ConfigError("merge: there are no parts")
        told = self._end_of(["merge", *map(_file_word, parts), *_words("", settings)[1:]], listener)
        if told.code != 0:
            raise of_code(told.code, told.line)
        return self.open(settings["out"])

    def _checked(self, settings: dict[str, Any], listener: _calls.Listener) -> tuple[dict[str, Any], str]:
        settings, text, cwd = _from_stdin(settings)
        words = _words("check", settings)
        run = json.loads(self._printed([*words, "--json"], listener, text=text, cwd=cwd))["run"]
        if text is not None:
            run["config"] = os.path.join(cwd or "", "config.toml")
        return run, _as_here(self._printed(words, listener, text=text, cwd=cwd), text)

    def _printed(self, words: Sequence[str], listener: _calls.Listener | None = None, *, text: str | None = None,
                 cwd: str | None = None) -> str:
        told = self._end_of(words, listener or _calls.Listener(None), text=text, cwd=cwd)
        if told.code != 0:
            raise of_code(told.code, told.line)
        return told.out

    def _init(self, system: str) -> str:
        return self._printed(["init", "--", system])

    def _listed(self, system: str) -> str:
        return self._printed(["list", "--json", *(["--", system] if system else [])])

    def _origin(self, file: str) -> Origin:
        return Origin(file, self)

    # Of results.

    def _table(self, handle: Handle, words: Sequence[str], choices: Mapping[str, Sequence[str]],
               stop: End | None) -> tuple[list[tuple[str, str]], NDArray[np.float64]]:
        """What replay writes of the arm of a result: names and units, and values [rows, columns]. Columns of names have
        the places of these among `choices`."""
        import csv
        from tempfile import TemporaryDirectory

        import numpy as np

        handle.origin.require_same()
        with TemporaryDirectory(prefix="scree_") as folder:
            path = os.path.join(folder, "table.csv")
            told = self._end_of(["replay", _file_word(handle.origin.file), f"--scheme={handle.facts['name']}", *words,
                                 "-o", path, "--quiet"], _calls.Silent(None, stop))
            if told.code != 0:
                raise of_code(told.code, told.line)
            with open(path, encoding="utf-8", newline="") as file:
                labels = [_name_and_unit(label) for label in next(csv.reader(file))]
            places: dict[int | str, Callable[[str], Any]] = {
                column: choices[name].index for column, (name, _) in enumerate(labels) if choices.get(name)}
            values = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2, comments=None, quotechar='"',
                                encoding="utf-8", converters=places)
            return labels, values

    def _replayed(self, handle: Handle, samples: Sequence[int], every: str, stop: End | None) -> dict[int, xr.Dataset]:
        """The paths of samples, one or more."""
        import xarray as xr

        labels, values = self._table(handle, [f"--sample={_ranges(samples)}", *_option("every", every)], {}, stop)
        status = handle.require_found().status(handle.arm, handle.finer)
        made = {}
        for sample in samples:
            rows = values[values[:, 0] == sample] if labels[0][0] == "sample" else values
            variables = {name: ("time", rows[:, column], {"units": unit})
                         for column, (name, unit) in enumerate(labels) if name != "sample"}
            ending = _core.status_names()[int(status[sample - handle.first])]
            made[sample] = xr.Dataset(variables, attrs={"sample": sample, "status": ending})
        return made

    def _drawn(self, handle: Handle, stop: End | None) -> xr.Dataset:
        """What the samples drew."""
        import xarray as xr

        inputs = {name: (meaning, choices) for name, meaning, choices in handle.require_found().varied}
        last = handle.first + handle.facts["samples"]
        labels, values = self._table(handle, ["--inputs", f"--sample={handle.first}:{last}"],
                                     {name: choices for name, (_, choices) in inputs.items()}, stop)
        # The table gives no unit to names; the module gives them that of the start which they are.
        has_names = any(choices for _, choices in inputs.values())
        starts = self.list(handle.run["system"])["starts"] if has_names else {}
        variables = {}
        for column, (name, unit) in enumerate(labels[1:], start=1):
            meaning, choices = inputs[name]
            if choices:
                unit = starts.get(name.removeprefix("start."), {"unit": ""})["unit"]
            variables[name] = ("sample", values[:, column], {"units": unit, "long_name": meaning})
        return xr.Dataset(variables, coords={"sample": values[:, 0].astype(int)})


def _ranges(samples: Sequence[int]) -> str:
    """As replay takes them: "3,7,10:20"."""
    ranges: list[list[int]] = []
    for sample in sorted(samples):
        if ranges and ranges[-1][1] == sample:
            ranges[-1][1] += 1
        else:
            ranges.append([sample, sample + 1])
    return ",".join(f"{first}" if end == first + 1 else f"{first}:{end}" for first, end in ranges)


def _name_and_unit(label: str) -> tuple[str, str]:
    """Of "speed [m/s]"."""
    name, _, unit = label.partition(" [")
    return name, unit.removesuffix("]")


def _as_here(line: str, text: str | None) -> str:
    """A line of the program as the library has it: without its help, of an option without the command, and of the
    `text` on standard input as of a dictionary."""
    line = re.sub(r"^(?:\w+: (?=--))?(.*); see scree \w+ --help$", r"\1", line)
    return _calls.of_dictionary(line, "stdin" if text is not None else "")


def _from_stdin(settings: Mapping[str, Any]) -> tuple[dict[str, Any], str | None, str | None]:
    """The settings with "-" for a config that is a dictionary; its text; and the folder of its data files, if that is
    not the current one."""
    text = settings.get("text")
    if text is None:
        return {name: _file_word(value) if name == "config" else value for name, value in settings.items()}, None, None
    rest = {name: value for name, value in settings.items() if name != "text"} | {"config": "-"}
    return rest, str(text), os.path.dirname(settings["config"]) or None


#: Options of several, which may have commas between them, and those that are given again and again.
_LISTS, _REPEATED = {"schemes", "steps", "backends"}, {"sets": "set", "until": "until", "arms": "arms"}


def _option(name: str, value: Any) -> list[str]:
    """An option with its value, of which an empty one is a word of its own: after "=" the next word is taken for it."""
    option, text = "--" + name.replace("_", "-"), str(value)
    return [f"{option}={text}"] if text else [option, ""]


def _words(command: str, settings: Mapping[str, Any]) -> list[str]:
    """Settings of the library as a command line. Raises ConfigError for what has no words."""
    words = [command]
    for name, value in settings.items():
        if name == "config":
            words.append(value)
        elif name == "out":
            words += ["-o", _file_word(value)]
        elif name == "sensitivity":
            words += [] if value else ["--no-sensitivity"]
        elif name in _REPEATED:
            words += [word for one in value for word in _option(_REPEATED[name], one)]
        elif name == "schemes" and command == "run":
            words += [word for one in value for word in _option("scheme", one)]
        elif name in _LISTS:
            for one in value:
                if "," in one:
                    raise ConfigError(f'{name} = "{one}", must be without a comma, which a program takes for two')
                words += _option(name, one)
        elif value is True or name == "maps" and value == "true":
            words.append("--" + name.replace("_", "-"))
        elif value is not False:
            words += _option(name, value)
    return words


class _Watch:
    """A process until its end: what it says, and who ends it sooner."""

    def __init__(self, path: str, process: subprocess.Popen[str], listener: _calls.Listener,
                 tell: Callable[[str], None], text: str | None, is_group: bool):
        self._path, self._process, self._listener, self._tell = path, process, listener, tell
        self._text, self._is_group = text, is_group
        self._out: list[str] = []
        self._lines: list[str] = []
        self._begun = self._heard = time.monotonic()
        self._failure: BaseException | None = None
        self._interrupted = 0
        self._said: list[str] = []
        self._result, self._label = "", ""

    def end(self) -> _Told:
        stop = _core.Stop()
        readers = [threading.Thread(target=self._read, args=(stream, into), daemon=True)
                   for stream, into in ((self._process.stdout, self._out), (self._process.stderr, self._lines))]
        readers.append(threading.Thread(target=self._write, daemon=True))
        for reader in readers:
            reader.start()
        with _calls.running(stop):
            while True:
                try:
                    self._look(stop)
                    if self._process.poll() is not None:
                        break
                    time.sleep(0.02)
                except KeyboardInterrupt:
                    self._interrupt()
                except BaseException as error:
                    self._failure = self._failure or error
                    self._leave()
            for reader in readers:
                reader.join()
        try:
            self._look(stop)
        finally:
            self._listener.end_stage()
        if self._failure is not None:
            raise self._failure
        code = self._process.returncode
        if self._interrupted and code in (0, -signal.SIGINT, -signal.SIGTERM):
            code = 130
        if code < 0:
            return _Told(1, "", f"{self._path}: was ended by signal {-code}", "")
        line = _calls.ending(self._said) if code == 130 else "".join(self._said[-1:])
        if code != 0 and not line:
            line = f"{self._path}: exit code {code}"
        return _Told(code, "".join(self._out), line, self._result)

    def _read(self, stream: IO[str], into: list[str]) -> None:
        try:
            for line in stream:
                into.append(line)
        except ValueError:
            pass  # it is not watched any more

    def _write(self) -> None:
        if self._process.stdin is None:
            return
        try:
            with self._process.stdin:
                self._process.stdin.write(self._text or "")
        except (BrokenPipeError, ValueError):
            pass  # it had enough, or is not watched any more

    def abandon(self) -> None:
        """Ends the process where Ctrl-C came before or after it was looked for."""
        if self._process.poll() is None:
            self._interrupt()

    def _interrupt(self) -> None:
        self._interrupted += 1
        try:
            if self._is_group:
                os.killpg(self._process.pid, signal.SIGTERM)
            else:
                self._process.send_signal(signal.SIGTERM)
        except ProcessLookupError:
            pass

    def _leave(self) -> None:
        """An end without the samples in flight."""
        self._interrupt()
        time.sleep(_AGAIN)
        if self._process.poll() is None:
            self._interrupt()

    def _look(self, stop: _core.Stop) -> None:
        if stop.insisted() and not self._interrupted:
            self._leave()
        if self._failure is None and self._listener.ends():
            self._interrupt()
        while self._lines:
            self._hear(self._lines.pop(0).rstrip("\n"))

    def _hear(self, line: str) -> None:
        if line.startswith("warning: "):
            if self._failure is None:
                self._listener.warn(_as_here(line.removeprefix("warning: "), self._text))
        elif said := re.match(r"scree(?:-mpi)?: (.*)", line):
            self._said.append(_as_here(said[1], self._text))
            if line.endswith(": is complete"):
                self._result = self._said[-1].removesuffix(": is complete")
        elif line.startswith("result: "):
            self._result = line.removeprefix("result: ")
        elif stage := re.match(r"(.*): (\d+)/(\d+) samples(?:, ([\d.]+(?:e\+?\d+)?) ([MGk]?)steps/s)?", line):
            self._show(*stage.groups())
        else:
            self._tell(line)

    def _show(self, label: str, done: str, samples: str, rate: str | None, prefix: str | None) -> None:
        if label != self._label:
            self._listener.end_stage()
            self._label, self._begun = label, self._heard
        self._heard = time.monotonic()
        seconds = self._heard - self._begun
        each = float(rate or 0) * {"k": 1e3, "M": 1e6, "G": 1e9}.get(prefix or "", 1.0)
        if self._failure is None:
            self._listener.show(label, int(done), int(samples), round(each * seconds), seconds, math.nan)
