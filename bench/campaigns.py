"""Functions that the benchmarks share: running campaigns in temporary folders, and printing tables."""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import math
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, NoReturn, TypeVar

import msgspec
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.flags import positive
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers.process_group import stopped_by_signals
from chcfuzz.solvers.python import INTERRUPTED

ROOT = Path(__file__).resolve().parent.parent
SPACER = ROOT / "fuzz_targets" / "spacer.py"
COMMAND = ROOT / "fuzz_targets" / "chc_command.py"
CORPUS = ROOT / "corpus"
R = TypeVar("R")
_SUMMARY = "chcfuzz-summary: "
_STATUS = re.compile(r"^chcfuzz (\d+):(\d+) \| (\d+) executions, .*?(\d+) traces,", re.MULTILINE)


def campaign(
    arguments: Sequence[object],
    corpora: Sequence[Path] = (CORPUS,),
    traced: Path | None = None,
    script: Path = SPACER,
) -> dict[str, Any]:
    """Run a campaign of a fuzz target with new findings and corpus folders, and return its statistics.

    The result also has "rows" (statistics of each mutation), "growth" (minute, second, executions, unique traces of
    each status line) and "grown" (number of new corpus entries); with a traced build, it has "lines" (number of lines
    of Z3 that the corpora and the new entries reach).
    """
    with tempfile.TemporaryDirectory(prefix="chcfuzz-bench-") as name:
        folder = Path(name)
        (folder / "grown").mkdir()
        own = [f"--findings={folder / 'findings'}", f"--json={folder / 'numbers.json'}"]
        command = [sys.executable, str(script), *own, *map(str, arguments), str(folder / "grown"), *map(str, corpora)]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode != 0:
            raise SystemExit(f"a campaign failed with exit code {done.returncode}:\n{done.stderr[-2000:]}")
        numbers: dict[str, Any] = json.loads((folder / "numbers.json").read_text())
        state = folder / "findings" / "state.json"
        numbers["rows"] = json.loads(state.read_text())["rows"] if state.exists() else {}
        numbers["grown"] = len(list((folder / "grown").iterdir()))
        numbers["growth"] = [tuple(map(int, found)) for found in _STATUS.findall(done.stderr)]
        if traced is not None:
            numbers["lines"] = _lines_reached(traced, (*corpora, folder / "grown"), folder / "coverage")
    return numbers


def summary_of(output: str) -> dict[str, Any]:
    """Return the summary at the end of a campaign's standard output; empty without one."""
    last = output[output.rstrip().rfind("\n") + 1 :]
    found: dict[str, Any] = json.loads(last.removeprefix(_SUMMARY)) if last.startswith(_SUMMARY) else {}
    return found


def _lines_reached(traced: Path, corpora: Sequence[Path], into: Path) -> int:
    program = str(Path(sys.executable).parent / "chcfuzz")
    flags = [f"--z3-library={traced}", f"--into={into}", "--second-opinion=0"]
    command = [program, "coverage", *flags, *map(str, corpora)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    found = re.search(r"^(\d+) of \d+ lines in ", done.stdout, re.MULTILINE)
    if found is None:
        raise SystemExit(f"chcfuzz coverage failed with exit code {done.returncode}:\n{done.stderr[-2000:]}")
    return int(found[1])


def ratio(number: float, by: float) -> float:
    """Return a quotient; not a number if a campaign ended before its worker had started, so that `by` is 0."""
    return number / by if by else math.nan


def print_table(rows: Sequence[Sequence[object]]) -> None:
    """Print an aligned table whose first row is the header: text to the left, numbers to the right."""
    cells = [[cell if isinstance(cell, str) else f"{cell:.4g}" for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        aligned = (c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        print("  ".join(aligned))


class ResultFile(Generic[R]):
    """Results as JSON lines, so that an interrupted benchmark continues; without a path, nothing is stored."""

    def __init__(self, path: Path | None, kind: type[R]) -> None:
        self._path = path
        self._kind = kind

    def read(self) -> list[R]:
        """Return the stored results; a last line that was cut off is removed. Raises `UsageError` for other damage."""
        if self._path is None or not self._path.exists():
            return []
        content = self._path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:
            self._path.write_bytes(whole)
        return [self._decoded(number, line) for number, line in enumerate(whole.splitlines(), 1)]

    def _decoded(self, number: int, line: bytes) -> R:
        try:
            return msgspec.json.decode(line, type=self._kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            problem = f"line {number} of {str(self._path)!r} is damaged, or of another version: {error}"
            raise UsageError(f"{problem}; delete the line, or name another folder") from error

    def add(self, result: R) -> None:
        """Store another result."""
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as stream:
                stream.write(msgspec.json.encode(result) + b"\n")


def run_as_program(main: Callable[[], None]) -> NoReturn:
    """Run the main function of a benchmark; an error from outside, or Ctrl-C or SIGTERM, is one line."""
    try:
        with stopped_by_signals():
            main()
    except ChcfuzzError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        print("interrupted; the same command continues", file=sys.stderr)
        sys.exit(INTERRUPTED)
    sys.exit(0)


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep other runs of a benchmark out of the folder of its results. Raises `UsageError` if one writes there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "lock", "ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
    except BlockingIOError as error:
        raise UsageError(f"another run writes to {str(folder)!r}; wait for its end, or name another --into") from error


def check_settings(folder: Path, flags: str, *, has_results: bool) -> None:
    """Raise `UsageError` if the results in a folder are those of other flags; before the first one, store the flags."""
    file = folder / "settings"
    if not (has_results and file.exists()):
        write_whole(file, flags.encode())
    elif file.read_bytes() != flags.encode():
        former = file.read_text(errors="replace")
        raise UsageError(f"the results in {str(folder)!r} are those of {former}; give these, or another --into")


def write_json(path: Path | None, content: object) -> None:
    """Write the measurements to the file of `--json`, if it was given."""
    if path is not None:
        path.write_text(json.dumps(content, indent=2) + "\n")


def named_flags(text: str) -> tuple[str, str]:
    """Parse NAME=FLAGS, where FLAGS may be empty; raises `ArgumentTypeError`."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE; for the default flags, write {text}=")
    return name, value


def arms_of(given: Sequence[tuple[str, str]] | None) -> dict[str, str]:
    """Return the flags of each `--arm` by its name, which is that of a folder; without one, those of the default.

    Raises `UsageError` for a name that is there twice, or that names another folder.
    """
    arms: dict[str, str] = {}
    for name, words in given or [("default", "")]:
        if name in arms or name in (".", "..") or "/" in name:
            raise UsageError(f"--arm {name}={words}: the name is used twice, or is no name of a folder; choose another")
        arms[name] = words
    return arms


def add_numbers(flags: argparse.ArgumentParser, rows: Sequence[tuple[str, int, str]]) -> None:
    """Add flags that take a positive number: each has a name, a default and a text."""
    for name, usual, text in rows:
        flags.add_argument(name, type=positive, default=usual, metavar="N", help=f"{text} (default: %(default)s)")


def parser(description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the flag `--json FILE`."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--json", type=Path, metavar="FILE", help="write the measurements to FILE")
    return made
