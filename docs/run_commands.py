#!/usr/bin/env python3
"""Runs the commands that the README and the pages of docs/ show, and compares what they print with what is shown.

    docs/run_commands.py --program build/release/scree [--slow] [PAGE ...]

Each page is run from top to bottom in a fresh folder, which has configs/ and a PATH that begins with the program:

- a block ```console: a line that begins with "$ " is a command, and what follows it, up to the next one, is what it
  prints, on stdout and stderr. A line `...` stands for any lines, and ... within a line for anything in it. Where
  nothing follows, nothing is compared. The exit code is 0, or N where the command ends with "# exit N".
- a block ```console slow: the same, with --slow only. ```console elsewhere: shown, and run by another test.
- a block ```toml NAME or ```sh NAME: the file NAME, written into that folder.

Lines that tell how far a command is, which come or not as fast as the machine is, are left out of what is printed.
"""

import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

TREE = pathlib.Path(__file__).resolve().parent.parent
PROGRESS = re.compile(r"^.*: \d+/\d+ samples(, .*)?\n", re.MULTILINE)


class Command:
    def __init__(self, text, line):
        self.line, self.shown = line, []
        code = re.search(r"\s+# exit (\d+)$", text)
        self.text, self.code = (text[: code.start()], int(code[1])) if code else (text, 0)


def blocks_of(page):
    """The fenced blocks of a page: their words after the fence, the number of their first line, their lines."""
    lines = page.read_text().splitlines()
    at = 0
    while at < len(lines):
        fence = re.match(r"```+", lines[at])
        if fence:
            words, first = lines[at][fence.end() :].split(), at + 1
            end = next(k for k in range(first, len(lines)) if lines[k].strip() == fence[0])
            yield words, first + 1, lines[first:end]
            at = end
        at += 1


def commands_of(lines, number, page):
    commands = []
    for k, line in enumerate(lines):
        if line.startswith("$ "):
            commands.append(Command(line[2:], number + k))
        elif commands and commands[-1].text.endswith("\\") and not commands[-1].shown:
            commands[-1].text = commands[-1].text[:-1] + line.strip()
        elif commands:
            commands[-1].shown.append(line)
        else:
            sys.exit(f"{page}:{number + k}: a block ```console begins with a command, $ ...")
    return commands


def is_as_shown(shown, printed):
    pattern = ""
    for line in shown:
        pattern += r"(?:.*\n)*?" if line.strip() == "..." else ".*?".join(map(re.escape, line.split("..."))) + r"\n"
    return re.fullmatch(pattern, printed) is not None


def run_page(page, program, slow):
    """How many commands ran; what went wrong, as text."""
    count, wrong = 0, []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "configs").symlink_to(TREE / "configs")
        (folder / ".bin").mkdir()
        (folder / ".bin/scree").symlink_to(program)
        environment = os.environ | {"PATH": f"{folder}/.bin:{os.environ['PATH']}", "NO_COLOR": "1"}
        for words, number, lines in blocks_of(page):
            if len(words) == 2 and words[0] in ("toml", "sh"):
                (folder / words[1]).write_text("\n".join(lines) + "\n")
            if not words or words[0] != "console":
                continue
            if set(words[1:]) - {"slow", "elsewhere"}:
                sys.exit(f"{page}:{number - 1}: {' '.join(words)}: console, console slow or console elsewhere")
            if "elsewhere" in words or ("slow" in words and not slow):
                continue
            for command in commands_of(lines, number, page):
                count += 1
                done = subprocess.run(
                    ["bash", "-c", command.text],
                    cwd=folder,
                    env=environment,
                    text=True,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                )
                printed = PROGRESS.sub("", done.stdout)
                where = f"{page.relative_to(TREE)}:{command.line}: {command.text}\n"
                if done.returncode != command.code:
                    wrong.append(f"{where}  exit code {done.returncode}, must be {command.code}\n{printed}")
                elif command.shown and not is_as_shown(command.shown, printed):
                    rows = difflib.unified_diff(
                        command.shown, printed.splitlines(), "shown", "printed", lineterm="", n=2
                    )
                    wrong.append(where + "\n".join(f"  {row}" for row in rows))
    return count, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the built scree")
    parser.add_argument("--slow", action="store_true", help="blocks marked slow too")
    parser.add_argument("pages", nargs="*", type=pathlib.Path, help="these pages; all if none is given")
    options = parser.parse_args()
    program = options.program.resolve(strict=True)
    pages = [page.resolve() for page in options.pages] or [TREE / "README.md", *sorted((TREE / "docs").rglob("*.md"))]
    failed = commands = 0
    for page in pages:
        begin = time.monotonic()
        count, wrong = run_page(page, program, options.slow)
        commands += count
        failed += len(wrong)
        if count:
            print(f"{page.relative_to(TREE)}: {count} commands, {time.monotonic() - begin:.1f} s", flush=True)
        for text in wrong:
            print(text, flush=True)
    print(f"{commands} commands, {failed} not as shown")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
