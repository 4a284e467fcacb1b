"""The inputs of commands: units, findings, and the flags of the solver that a finding was seen with."""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from chcfuzz.execution.console import print_error
from chcfuzz.execution.files import read_plain
from chcfuzz.execution.seed_answers import SeedAnswer, SeedAnswers
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.printable import printable
from chcfuzz.grammar.reading.decoding import content_of

STANDARD_INPUT = Path("-")
_MOST_BYTES = 1 << 28  # of a file, unpacked

if TYPE_CHECKING:
    from chcfuzz.domains.protocol import Roots
    from chcfuzz.mutators.recipe import Recipe
    from chcfuzz.triage.findings.record import Record


def bytes_of(path: Path) -> bytes:
    """Return the content of a file, unpacked if its name ends in .gz, or of standard input for `-`.

    Raises `UsageError`.
    """
    if path == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    try:
        content = read_plain(path) if path.name == "recipe" else content_of(path, _MOST_BYTES)
    except OSError as error:
        raise UsageError(f"cannot read {str(path)!r}: {error.strerror or error}; name another file") from error
    except (EOFError, zlib.error) as error:
        raise UsageError(f"{str(path)!r} is not packed correctly: {error}; name another file") from error
    if content is None:
        raise UsageError(f"{str(path)!r} has more than {_MOST_BYTES >> 20} MiB; name a smaller file")
    return content


def unit_in(path: Path) -> bytes:
    """Return the unit in a file, or in a finding's folder; raises `UsageError` for a text that is not a problem."""
    from chcfuzz.mutators.recipe import read, refusal_of

    if path.is_dir():
        recipe = path / "recipe"
        if not recipe.is_file():
            raise UsageError(f"{str(path)!r} is not a finding: the file `recipe` is missing")
        path = recipe
    unit = bytes_of(path)
    if not unit and path.name != "recipe":  # libFuzzer's first unit is empty, and may be a finding
        raise UsageError(f"{str(path)!r} is empty; name a file with a problem")
    refused = refusal_of(unit, str(path))
    if refused is not None:
        raise UsageError(f"{refused}{_hint(unit)}")
    found = read(unit)
    if found.text is not None:
        print_left_out(path, found.text, found.roots)
    return unit


def print_left_out(path: Path, text: str, roots: Roots, every: bool = False) -> None:
    """Print a line for each command of a text that solvers do not get: those that matter, or every one."""
    for found in roots.left_out(text, str(path)):
        if every or found.matters:
            print_error(printable(f"chcfuzz: {str(path)!r}: left out: {found.command}: {found.reason}"))


def print_any_bytes(given: argparse.Namespace) -> None:
    """Print a line if the input is neither a text nor a unit that a campaign has written."""
    from chcfuzz.mutators.envelope import is_sealed
    from chcfuzz.mutators.recipe import text_of

    if not is_sealed(given.unit) and text_of(given.unit) is None:
        reason = "is neither SMT-LIB nor a unit of a campaign; its bytes stand for a built-in seed and some mutations"
        print_error(printable(f"chcfuzz: {str(given.input)!r} {reason}"))


def recipe_of(given: argparse.Namespace) -> Recipe:
    """Return the recipe of the unit that was read; raises `UsageError` for a damaged recipe."""
    from chcfuzz.mutators.recipe import read

    unit = read(given.unit)
    if unit.fault is not None:
        raise UsageError(f"{str(given.input)!r} {unit.fault}{_hint(given.unit)}")
    return unit.recipe


def _hint(refused: bytes) -> str:
    """Return the flag that makes a refused unit readable; empty if no other domain reads it."""
    from chcfuzz.campaign.corpus_folder import reading_domain

    name = reading_domain(refused)
    return f"; --domain={name} reads it" if name else ""


def answers_of(path: Path, seed: str) -> SeedAnswers:
    """Return the answers with that of a finding's seed, if `path` is a finding."""
    answers = SeedAnswers()
    record = _record(path)
    if record is not None and record.seed is not None:
        answers.note(seed, SeedAnswer(record.seed.status, record.seed.ground))
    return answers


def known_answers(findings: Path | None, corpora: Sequence[Path]) -> SeedAnswers:
    """Return the answers of seeds that a campaign knows: of this findings folder, or of the corpora's run folder.

    Raises `UsageError` for a findings folder that does not exist.
    """
    from chcfuzz.campaign.runs.run_folder import RunFolder

    if findings is not None:
        return SeedAnswers(findings_folder(findings))
    runs = (RunFolder(corpus.absolute().parent) for corpus in corpora)
    found = next((run.findings for run in runs if run.is_begun and run.findings.is_dir()), None)
    return SeedAnswers(found)


def findings_folder(path: Path) -> Path:
    """Return the folder; raises `UsageError` if it does not exist."""
    if not path.is_dir():
        raise UsageError(f"no findings folder {str(path)!r}; run a campaign, or name its --findings")
    return path


def recorded(path: Path) -> list[str]:
    """Return the flags that the solver of a finding was started with; none if `path` is not a finding.

    Raises `UsageError` for a finding whose record cannot be read: other flags could hide it.
    """
    from chcfuzz.grammar.errors import ChcfuzzError
    from chcfuzz.triage.findings.record import RECIPE, RECORD, Finding

    if not path.is_dir() or not all((path / name).is_file() for name in (RECORD, RECIPE)):
        return []
    try:
        return list(Finding.read(path).record.solving)
    except ChcfuzzError as error:
        raise UsageError(f"{error}, or name the file {RECIPE!r} in it") from error


def is_of_wrong_step(path: Path) -> bool:
    """Return whether `path` is a finding of a wrong step of the solver."""
    from chcfuzz.oracles.verdict import is_wrong_step

    record = _record(path)
    return record is not None and is_wrong_step(record.kind)


def _record(path: Path) -> Record | None:
    from chcfuzz.grammar.errors import ChcfuzzError
    from chcfuzz.triage.findings.record import Finding

    try:
        return Finding.read(path).record
    except ChcfuzzError:
        return None
