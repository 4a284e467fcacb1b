"""A file of the user, or standard input, in the place of a finding: it is examined, and its finding is written."""

from __future__ import annotations

import argparse
from pathlib import Path

from chcfuzz.commands.inputs import STANDARD_INPUT, unit_in
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers.z3_release import ensure_available

FINDINGS = Path("findings")


class NothingWrongError(ChcfuzzError):
    """A problem whose answer shows nothing wrong; the message is the verdict."""


def add_flag(parser: argparse.ArgumentParser) -> None:
    """Add the flag that names the folder for the finding of a file."""
    parser.add_argument(
        "--findings",
        type=Path,
        default=FINDINGS,
        metavar="DIR",
        help="folder for the finding of a file (default: %(default)s)",
    )


def is_own(path: Path) -> bool:
    """Return whether a path names a file with a problem or a unit, or standard input."""
    return path == STANDARD_INPUT or (path.is_file() and path.suffix != ".json")


def finding_of(path: Path, solving: Solving, findings: Path, unit: bytes | None = None) -> Path:
    """Return the folder of a finding; a file is examined first, and its finding is written into `findings`.

    `unit` is the content of a file that has been read. Raises `NothingWrongError` if the answer shows nothing wrong.
    """
    if not is_own(path):
        return path
    from chcfuzz.mutators.envelope import is_sealed
    from chcfuzz.mutators.recipe import text_of
    from chcfuzz.triage.findings.own_file import examine, kept

    if solving.z3 is not None:
        ensure_available(solving.z3, "--z3")
    unit = unit_in(path) if unit is None else unit
    if not is_sealed(unit) and text_of(unit) is None:  # bytes that stand for a built-in seed
        raise UsageError(f"{str(path)!r} is neither SMT-LIB nor a unit of a campaign; name a file with a problem")
    examined = examine(unit, solving)
    folder = kept(examined, findings, solving)
    if folder is None:
        raise NothingWrongError(f"{str(path)!r}: {' '.join(line.strip() for line in examined.lines[:2])}")
    return folder
