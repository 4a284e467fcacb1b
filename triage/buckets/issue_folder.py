"""Folders that are ready to be filed as an issue: `chcfuzz report --bundle` writes them, `--check` checks them.

::

    issue.md             the issue: a title, five labelled paragraphs, the input, the commands with their output
    input.smt2           the smallest input, without `:status`; further inputs are called input-*.smt2
    input.py             instead, if only the API of the solver shows the bug: a script of its Python package
    input.expected.out   the right answer to each check, as in the tests of Z3; for a script, its right output
    part.smt2, part.py   optional: commands that show the faulty part of the solver alone
    fix.patch            optional: a unified diff of the solver's sources
    test.cpp             optional: a unit test for the solver's own suite
    checked.md           the runs behind the claims: releases, findings cured, answers changed

A block of issue.md with the language `console` is a test, as in Python's doctest: after each line `$ program words`,
the block has the output of that command in the folder. `...` matches any text. The commands run in a copy of the
folder: only programs of solvers, with files of the folder and options such as `dump_models=true`, `-T:1` and
`--engine=lawi` as arguments.
A script can do anything, so `python` is run only if the caller has it among the programs.
"""

from __future__ import annotations

import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.execution.files import read_plain
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printable import counted
from chcfuzz.grammar.solver_options import writing_option
from chcfuzz.triage.buckets.cause import UNKNOWN

ISSUE, INPUT, PATCH, CHECKED = "issue.md", "input.smt2", "fix.patch", "checked.md"
SCRIPT, PYTHON = "input.py", "python"
EXPECTED = ".expected.out"  # instead of .smt2, in the repository z3test
LABELS = ("Wrong", "Witness", "Cause", "Releases", "Checked")
MAX_LINES = 40
LABEL_LINES = 25  # the first screen, which has all labels
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_OPTION = re.compile(r"[\w.]+=(true|false|\d+)|-T:\d+|(--?|\+)[a-z][a-z-]*(=\w+)?")
_SECONDS = 60.0
# In the first sentence, which is about `INPUT`.
_RIGHT = re.compile(r"^\*\*Wrong\.\*\* (?:(?!\. ).)*?`(sat|unsat)`(?:, which)? is right", re.MULTILINE)
_ANSWERS = ("sat", "unsat")
_LANGUAGES = {".smt2": "smt2", ".py": PYTHON}  # of inputs, as Markdown names them

Programs = Mapping[str, Sequence[str]]  # the words that start a solver, by the name that issues use


class IssueFolderError(ChcfuzzError):
    """A folder that cannot be read or written; the message gives advice."""


@dataclass(frozen=True)
class ShownRun:
    """A command of a console block, as words, and the output that the block shows."""

    words: tuple[str, ...]
    output: str

    def __str__(self) -> str:
        return shlex.join(self.words)


def blocks(text: str, language: str) -> list[str]:
    """Return the code blocks of a language in Markdown."""
    return [match[2] for match in _BLOCK.finditer(text) if match[1] == language]


def shown_runs(issue: str) -> list[ShownRun]:
    """Return the commands of an issue in their order; raises `IssueFolderError` for a block without a command."""
    found: list[ShownRun] = []
    for block in blocks(issue, "console"):
        head, *pieces = re.split(r"^\$ ", block, flags=re.MULTILINE)
        if head or not pieces:
            raise IssueFolderError("a console block does not begin with a command; write `$ z3 input.smt2` first")
        for piece in pieces:
            line, _, output = piece.partition("\n")
            found.append(ShownRun(tuple(shlex.split(line)), output))
    return found


def faults_of(folder: Path, programs: Programs) -> Iterator[str]:
    """Yield the faults of a folder, each as a line without the folder's name.

    Raises `IssueFolderError` for a folder without an issue, and `LinkError` for a link.
    """
    issue = _text(folder, ISSUE)
    yield from _faults_of_form(issue)
    yield from _faults_of_inputs(folder, issue)
    if not (folder / CHECKED).is_file():
        yield f"{CHECKED} is missing; write which runs support the claims"
    runs = shown_runs(issue)
    if not runs:
        yield f"{ISSUE} does not show a command; add a console block with `$ z3 {INPUT}` and its output"
    for run in runs:
        yield from _faults_of_run(folder, run, programs)


def _text(folder: Path, name: str) -> str:
    try:
        return read_plain(folder / name).decode()
    except OSError as error:
        raise IssueFolderError(f"cannot read {str(folder / name)!r}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise IssueFolderError(f"{str(folder / name)!r} is not UTF-8, at byte {error.start}") from error


def _faults_of_form(issue: str) -> Iterator[str]:
    lines = issue.splitlines()
    if not lines or not lines[0].startswith("# "):
        yield f"{ISSUE} does not begin with a title (`# ...`)"
    if len(lines) > MAX_LINES:
        yield f"{ISSUE} has {len(lines)} lines; at most {MAX_LINES} are read"
    first = "\n".join(lines[:LABEL_LINES])
    for label in LABELS:
        found = re.search(rf"^\*\*{label}\.\*\* (\S.*)", first, re.MULTILINE)
        if found is not None and found[1].lower().startswith(UNKNOWN):
            yield f"{ISSUE} says `{found[0]}`; find it out, and write it there"
        elif found is None:
            yield f"{ISSUE} lacks `**{label}.**` with a text in its first {LABEL_LINES} lines"


def _faults_of_inputs(folder: Path, issue: str) -> Iterator[str]:
    shown = [name for name in (INPUT, SCRIPT) if (folder / name).is_file()]
    if not shown:
        yield f"{INPUT} is missing, and {SCRIPT} too"
    for path in sorted(path for suffix in _LANGUAGES for path in folder.glob(f"input*{suffix}")):
        text = _text(folder, path.name)
        if "(set-info :status" in text:
            yield f"{path.name} has a `:status`, with which other solvers print an error; remove it"
        yield from _faults_of_answer(folder, path, issue)
    for name in shown:
        language = _LANGUAGES[Path(name).suffix]
        if _text(folder, name) not in blocks(issue, language):
            yield f"{ISSUE} does not show {name} as it is, in a block of language {language}"


def _faults_of_answer(folder: Path, path: Path, issue: str) -> Iterator[str]:
    expected = path.with_suffix(EXPECTED)
    if not expected.is_file():
        yield f"{expected.name} is missing; write the right {_right(path)} into it"
        return
    answer = _text(folder, expected.name).strip()
    if _is_script(path.name):
        if not answer or any(path.name in run.words and _matches(run.output, answer) for run in shown_runs(issue)):
            yield f"{expected.name} is empty or the output that {ISSUE} shows; write the right output into it"
        return
    answers, checks = answer.split(), _text(folder, path.name).count("(check-sat")
    if not answers or not set(answers) <= set(_ANSWERS):
        yield f"{expected.name} is neither `sat` nor `unsat`"
    elif len(answers) != max(checks, 1):
        yield f"{expected.name} has {counted(len(answers), 'answer')} to {counted(checks, 'check')}"
    elif path.name == INPUT and (right := _RIGHT.search(issue)) and right[1] not in answers:
        yield f"{expected.name} lacks `{right[1]}`, the answer that {ISSUE} calls right"


def _right(path: Path) -> str:
    return "output" if _is_script(path.name) else "answer"


def _is_script(name: str) -> bool:
    return _LANGUAGES.get(Path(name).suffix) == PYTHON


def _faults_of_run(folder: Path, run: ShownRun, programs: Programs) -> Iterator[str]:
    name, *arguments = run.words
    strange = [word for word in arguments if not (_OPTION.fullmatch(word) or _is_file_name(folder, word))]
    writing = [word for word in arguments if _is_file_name(folder, word) and writing_option(_read(folder / word))]
    if name not in programs and name == PYTHON:
        yield f"`{run}` was not run: a script can do anything; read it, and name a Python that has the solver's package"
    elif name not in programs:
        yield f"`{run}` was not run: {name!r} is not a program at hand; known are {', '.join(sorted(programs))}"
    elif strange:
        yield f"`{run}` was not run: {strange[0]!r} is neither a file of the folder nor an option like x=true or --x=y"
    elif writing:
        option = writing_option(_read(folder / writing[0]))
        yield f"`{run}` was not run: {writing[0]} sets {option}, which may write a file"
    else:
        output = printed((*programs[name], *arguments), folder)
        if not _matches(run.output, output):
            yield f"`{run}` prints {_short(output)}, and {ISSUE} shows {_short(run.output)}"


def _read(path: Path) -> str:
    return read_plain(path).decode(errors="replace")


def _is_file_name(folder: Path, word: str) -> bool:
    return word == Path(word).name and _is_plain(folder / word)


def _is_plain(path: Path) -> bool:
    """Return whether a path is a file of the folder itself, and not a link to another one."""
    return path.is_file() and not path.is_symlink()


def printed(command: Sequence[str], folder: Path) -> str:
    """Return all output of a command in a copy of a folder, and the name of the signal that ended it, as shells do."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name)
        for path in folder.iterdir():
            if _is_plain(path):
                shutil.copyfile(path, copy / path.name)
        try:
            done = subprocess.run(
                command, cwd=copy, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                timeout=_SECONDS, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"nothing within {_SECONDS:.0f} s\n"
    text = done.stdout.decode(errors="replace")
    return text if done.returncode >= 0 else f"{text}{signal.strsignal(-done.returncode)}\n"


def _matches(shown: str, printed: str) -> bool:
    """Return whether an output is as shown, where `...` matches any text."""
    pattern = ".*".join(map(re.escape, shown.rstrip().split("...")))
    return re.fullmatch(pattern, printed.rstrip(), re.DOTALL) is not None


def _short(output: str) -> str:
    lines = output.strip().splitlines() or [""]
    return repr(lines[0]) + (f" and {len(lines) - 1} more lines" if len(lines) > 1 else "")
