#!/usr/bin/env python3
"""Runs the commands that the README and the pages of docs/ show, and compares what they print with what is shown.

    docs/run_commands.py --program build/release/scree [--own PROGRAM] [--slow] [PAGE ...]

Each page is run from top to bottom in a fresh folder, which has configs/, docs/ and a PATH that begins with the program. Every
block of code is run or says by words after its language why it is not:

- a block ```console: a line that begins with "$ " is a command, and what follows it, up to the next one, is what it
  prints, on stdout and stderr. A line `...` stands for any lines, and ... within a line for anything in it. Where
  nothing follows, nothing is compared. The exit code is 0, or N where the command ends with "# exit N".
- a block ```console slow: the same, with --slow only. ```console own: with --own only, whose program is ./my_scree.
  ```console with PROGRAM,PROGRAM: where there are these; slow comes before with.
- a block ```toml NAME, ```sh NAME, ```cpp NAME: the file NAME, written into that folder. A ```toml without a name is
  a part of one, and is TOML.
- any language, then `taken FILE`: run by the test FILE of the tree, which takes it out of the page and so names that.
- any language, then `elsewhere FILE ...`: the lines are run by these scripts of the tree, which hold them: the program,
  and after it in the same line the other words in this order. A variable of the script may stand for a word that is no
  option, and a pattern as *.deb for the name of a file; more words may come between.
- any language, then `unrun REASON`: by nothing, for that reason. What is ```text or ```math cannot be run.

Lines that tell how far a command is, which come or not as fast as the machine is, are left out of what is printed.
"""

import argparse
import difflib
import fnmatch
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter

TREE = pathlib.Path(__file__).resolve().parent.parent
PROGRESS = re.compile(r"^.*: \d+/\d+ samples(, .*)?\n", re.MULTILINE)


class Command:
    def __init__(self, text, line):
        self.line, self.shown = line, []
        code = re.search(r"\s+# exit (\d+)$", text)
        self.text, self.code = (text[: code.start()], int(code[1])) if code else (text, 0)


def blocks_of(page):
    """The blocks of code of a page: their words after the fence, the number of their first line, their lines. An
    indented one has no words."""
    lines = page.read_text().splitlines()
    at, in_list = 0, False
    while at < len(lines):
        line = lines[at]
        fence = re.match(r"```+", line)
        if fence:
            words, first = line[fence.end() :].split(), at + 1
            end = next(k for k in range(first, len(lines)) if lines[k].strip() == fence[0])
            yield words, first + 1, lines[first:end]
            at = end
        elif line.startswith("    ") and not in_list and (at == 0 or not lines[at - 1].strip()):
            ends = (k for k in range(at, len(lines)) if lines[k].strip() and not lines[k].startswith("    "))
            end = next(ends, len(lines))
            yield [], at + 1, lines[at:end]
            at = end - 1
        elif line.strip() and not line.startswith(" "):
            in_list = re.match(r"[-*] |\d+\. ", line) is not None
        at += 1


def words_of_scripts(scripts):
    """The words of each line of these, comments left out."""
    for script in scripts:
        text = (TREE / script).read_text().replace("\\\n", " ")
        for line in text.splitlines():
            if not line.lstrip().startswith(("#", "//")):
                yield re.findall(r"[^\s\"'();|&{}<>]+", line)


def stands_for(word, of_page):
    """Whether a word of a script is, or may be, that of a page."""
    if "$" in word:
        return not of_page.startswith("-")
    return word == of_page or ("*" in word and fnmatch.fnmatch(pathlib.Path(of_page).name, pathlib.Path(word).name))


def is_run_by(command, line):
    """Whether the words of a line of a script run a command of a page, the program with or without its folder."""
    program, *rest = command
    for at, word in enumerate(line):
        if pathlib.Path(word).name.removeprefix("$") != pathlib.Path(program).name:
            continue
        words = iter(line[at + 1 :])
        if all(any(stands_for(word, of_page) for word in words) for of_page in rest):
            return True
    return False


def not_run_by(scripts, language, lines):
    """The first line that none of these scripts runs; None if they run all."""
    shown = [line[2:] for line in lines if line.startswith("$ ")] if language == "console" else lines
    found = list(words_of_scripts(scripts))
    for line in shown:
        for part in re.sub(r"(^|\s)#.*", "", line).split("&&"):
            command = shlex.split(part.replace("(", " ").replace(")", " "))
            command = command[1:] if command[:1] == ["sudo"] else command  # tests are root, or need not be
            if command and not any(is_run_by(command, words) for words in found):
                return part.strip()
    return None


def kind_of(words, lines, page):
    """What becomes of a block: text, run, slow, own, lacking, file, part, taken, elsewhere or unrun; else a mistake, as
    a sentence."""
    language, marks = (words[0], words[1:]) if words else ("", [])
    if language in ("text", "math") or language.startswith("{"):
        return "text" if not marks or language.startswith("{") else f"{language} has no words after it"
    if marks[:1] == ["unrun"] and len(marks) > 1:
        return "unrun"
    if marks[:1] in (["taken"], ["elsewhere"]) and len(marks) > 1:
        for script in marks[1:]:
            if not (TREE / script).is_file():
                return f"there is no {script}"
            if marks[0] == "taken" and page.name not in (TREE / script).read_text():
                return f"{script} takes nothing out of {page.name}"
        left = not_run_by(marks[1:], language, lines) if marks[0] == "elsewhere" else None
        return marks[0] if left is None else f"{' and '.join(marks[1:])} does not run: {left}"
    if language == "console" and not marks:
        return "run"
    if language == "console" and marks in (["slow"], ["own"]):
        return marks[0]
    if language == "console" and marks[-2:-1] == ["with"] and marks[:-2] in ([], ["slow"]):
        return (marks[:-2] or ["run"])[0] if all(map(shutil.which, marks[-1].split(","))) else "lacking"
    if language in ("toml", "sh", "cpp") and len(marks) == 1 and "." in marks[0]:
        return "file"
    if language == "toml" and not marks:
        try:
            tomllib.loads("\n".join(lines))
        except tomllib.TOMLDecodeError as error:
            return f"not TOML: {error}"
        return "part"
    return "neither run nor marked" if words else "a block without a language is neither run nor marked"


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


def run_page(page, program, own, slow):
    """How many commands ran, how many blocks are of each kind; what was not as shown, and what is no block, as text."""
    count, kinds, wrong, unmarked = 0, Counter(), [], []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in ("configs", "docs"):
            (folder / name).symlink_to(TREE / name)
        (folder / ".bin").mkdir()
        (folder / ".bin/scree").symlink_to(program)
        if own:
            (folder / "my_scree").symlink_to(own)
        environment = os.environ | {"PATH": f"{folder}/.bin:{os.environ['PATH']}", "NO_COLOR": "1"}
        for words, number, lines in blocks_of(page):
            kind = kind_of(words, lines, page)
            kinds[kind] += 1
            if " " in kind:
                unmarked.append(f"{page.relative_to(TREE)}:{number - bool(words)}: {kind}")
            if kind == "file":
                (folder / words[1]).write_text("\n".join(lines) + "\n")
            if not (kind == "run" or (kind == "slow" and slow) or (kind == "own" and own)):
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
    return count, kinds, wrong, unmarked


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the built scree")
    parser.add_argument("--own", type=pathlib.Path, help="a scree with the systems that pages add")
    parser.add_argument("--slow", action="store_true", help="blocks marked slow too")
    parser.add_argument("pages", nargs="*", type=pathlib.Path, help="these pages; all if none is given")
    options = parser.parse_args()
    program = options.program.resolve(strict=True)
    own = options.own.resolve(strict=True) if options.own else None
    pages = [page.resolve() for page in options.pages] or [
        TREE / "README.md", *sorted((TREE / "docs").rglob("*.md")), TREE / "src/systems/README.md"]
    failed = commands = mistakes = 0
    blocks = Counter()
    for page in pages:
        begin = time.monotonic()
        count, kinds, wrong, unmarked = run_page(page, program, own, options.slow)
        commands += count
        blocks += kinds
        failed += len(wrong)
        mistakes += len(unmarked)
        if count:
            print(f"{page.relative_to(TREE)}: {count} commands, {time.monotonic() - begin:.1f} s", flush=True)
        for text in wrong + unmarked:
            print(text, flush=True)
    print(f"{commands} commands, {failed} not as shown")
    left = "" if options.slow else f"{blocks['slow']} left to --slow, "
    left += "" if own else f"{blocks['own']} left to --own, "
    left += f"{blocks['lacking']} for want of programs, " if blocks["lacking"] else ""
    by_others = blocks["taken"] + blocks["elsewhere"]
    print(f"of the other blocks {left}{by_others} run by other tests, {blocks['unrun']} not at all, "
          f"{mistakes} neither run nor marked")
    sys.exit(failed + mistakes != 0)


if __name__ == "__main__":
    main()
