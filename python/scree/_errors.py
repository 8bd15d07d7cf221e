"""What goes wrong, by the exit codes of the program."""

import re


class ScreeError(Exception):
    """A mistake in one line. `code` is the exit code that the program has for it; `partial` is what was found all the
    same, as after a target that was not reached, or None."""

    code = 1
    partial = None


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
    partial = None


# What is called otherwise here than on the command line, but for the dashes.
_flags = {"force", "link", "no-maps", "partial", "resume", "step-error"}
_called = {"--extend": "run_extended", "-o": "out"} | {f"--{flag}": f"{flag.replace('-', '_')}=True" for flag in _flags}
_options = {"arms", "at-most", "backend", "backends", "checkpoint", "every", "grace", "halvings", "isa", "layers",
            "maps", "sample", "samples", "schemes", "scheme", "seed", "set", "shard", "steps", "threads", "until"}


def in_python(line: str) -> str:
    """A line of the program with the arguments of Python in place of its options."""

    def argument(match: re.Match[str]) -> str:
        option = match[0]
        known = option.removeprefix("--") in _options
        return option.removeprefix("--").replace("-", "_") if known else _called.get(option, option)

    return re.sub(r"(?<![^\s(\"'`])--?[a-z][a-z-]*", argument, line)


def of_code(code: int, line: str) -> BaseException:
    """The exception of an exit code."""
    kinds = (ConfigError, InputError, DeviceError, TargetError, Interrupted)
    return next((kind for kind in kinds if kind.code == code), RunError)(in_python(line))
