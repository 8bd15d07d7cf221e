"""What goes wrong, by the exit codes of the program."""

from __future__ import annotations

import re
from typing import Any


class ScreeError(Exception):
    """A mistake in one line. `code` is the exit code that the program has for it; `partial` is what was found all the
    same, as after a target that was not reached, or None."""

    code = 1
    partial: Any = None


class RunError(ScreeError, RuntimeError):
    """A run that failed: a result that cannot be written, samples that a strict run does not accept."""


class BuildError(RunError):
    """A program that cannot be built: a header that breaks a rule, which is named, or no compiler."""


class ConfigError(ScreeError, ValueError):
    """A config or an argument that is not right."""

    code = 2


class InputError(ScreeError, OSError):
    """A data file or a result that cannot be used."""

    code = 3


class DeviceError(ScreeError, RuntimeError):
    """A backend, a device or memory that is not there."""

    code = 4


class TargetError(ScreeError, RuntimeError):
    """The targets of `until` were not reached with the most samples allowed; `partial` has these."""

    code = 5


class Interrupted(KeyboardInterrupt):
    """Ctrl-C. `partial` is what was finished, of which statistics take the samples that are no biased part of all, or
    None."""

    code = 130
    partial: Any = None


# What is called otherwise here than on the command line, but for the dashes.
_flags = {"force", "link", "no-maps", "partial", "resume", "step-error"}
_called = {"--extend": "run_extended", "-o": "out"} | {f"--{flag}": f"{flag.replace('-', '_')}=True" for flag in _flags}
_options = {"arms", "at-most", "backend", "backends", "checkpoint", "every", "grace", "halvings", "isa", "layers",
            "maps", "sample", "samples", "schemes", "scheme", "seed", "set", "shard", "steps", "threads", "until"}
_commands = {"run --extend": "scree.run_extended", "info": "scree.open", "replay --inputs": "ds.scree.drawn()"} | {
    command: f"scree.{command}" for command in ("run", "compare", "converge", "merge")}


def in_python(line: str) -> str:
    """A line of the program with the functions and arguments of Python in place of its commands and options."""

    def argument(match: re.Match[str]) -> str:
        option = match[0]
        known = option.removeprefix("--") in _options
        name = option.removeprefix("--").replace("-", "_") if known else _called.get(option, option)
        # "steps with steps" would not be understood.
        return f"`{name}`" if line.endswith("with ", 0, match.start()) else name

    line = line.replace("--schemes a,b", "--schemes")
    line = re.sub("|".join(rf"\bscree {command}(?![\w-])" for command in _commands),
                  lambda match: _commands[match[0].removeprefix("scree ")], line)
    return re.sub(r"(?<![^\s(\"'`])--?[a-z][a-z-]*", argument, line)


def of_code(code: int, line: str) -> BaseException:
    """The exception of an exit code."""
    kinds = (ConfigError, InputError, DeviceError, TargetError, Interrupted)
    return next((kind for kind in kinds if kind.code == code), RunError)(in_python(line))


def with_name(error: ScreeError, file: str, name: str) -> ScreeError:
    """An error of a file that its user does not know, called so."""
    made = type(error)(str(error).replace(file, name))
    made.partial = error.partial
    return made
