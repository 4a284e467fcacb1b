"""`chcfuzz import`."""

from __future__ import annotations

import argparse
import sys
from collections import Counter as Tally
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from chcfuzz.commands import json_output
from chcfuzz.commands.subcommand import Uses
from chcfuzz.commands.tables import progress_bars
from chcfuzz.execution.domain import load
from chcfuzz.execution.files import see_folder
from chcfuzz.execution.flags import positive
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.printable import counted, printable
from chcfuzz.solvers.python import INTERRUPTED

if TYPE_CHECKING:
    from chcfuzz.corpus_tools.importer import ImportOptions

NAME, HELP, USES = "import", "import a corpus from folders of .smt2 and .smt2.gz files", Uses.GIVEN
EXAMPLES = (
    "chcfuzz import ~/chc-comp24-benchmarks/",
    "chcfuzz import corpus-smt/lia/ --domain interpolation --into splits --reading reals",
    "chcfuzz import corpus/arrays/ --domain parts --into projected --reading projections",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument(
        "--into", type=Path, default=Path("imported"), metavar="DIR", help="the corpus (default: %(default)s)"
    )
    parser.add_argument(
        "--max-bytes",
        type=positive,
        default=64 * 1024,
        metavar="N",
        help="refuse larger files (default: %(default)s)",
    )
    parser.add_argument(
        "--reading",
        action="append",
        default=[],
        metavar="NAME",
        help="read files in another way; may be repeated. Interpolation problems: reals (Ints as Reals), functions "
        "(arrays as functions with two axioms); questions to parts: projections (the formulas that Spacer projects "
        "while it solves a CHC system)",
    )
    Solving.add_flags(parser)


def check(given: argparse.Namespace) -> None:
    """Check the readings, the files to read, and the folder to write."""
    from chcfuzz.corpus_tools.importer import files_of

    readings = load(given.solving.domain).roots.readings
    for name in given.reading:
        if name not in readings:
            known = ", ".join(readings) or "none"
            raise UsageError(f"--reading {name!r} is not known for this domain; there are: {known}")
    files_of(_options(given))
    see_folder(given.into)


def _options(given: argparse.Namespace) -> ImportOptions:
    from chcfuzz.corpus_tools.importer import ImportOptions

    return ImportOptions(tuple(given.folders), given.into, given.max_bytes, tuple(given.reading))


def run(given: argparse.Namespace) -> int:
    """Import all files; return 130 after Ctrl-C."""
    from chcfuzz.corpus_tools.importer import import_folders
    from chcfuzz.execution.pipeline import Pipeline

    options = _options(given)
    try:
        with progress_bars(given.quiet) as show:
            tally = import_folders(options, Pipeline(given.solving), partial(show, "importing"))
    except KeyboardInterrupt:
        print("chcfuzz: interrupted; run the same command to continue", file=sys.stderr)
        return INTERRUPTED
    if given.json:
        json_output.show({"into": str(given.into), "files": dict(sorted(tally.items()))})
        return 0
    print("\n".join(summary(tally, options)))
    return 0


def summary(tally: Tally[str], options: ImportOptions) -> Sequence[str]:
    """Return the lines that describe the result."""
    from chcfuzz.corpus_tools.importer import CUT, IMPORTED, IN_DOUBT, KNOWN, WRONG_STATUS

    remarks = {
        WRONG_STATUS: "declare a status that a checked witness contradicts: the status of the witness is used",
        IN_DOUBT: "are in doubt: a campaign will examine them",
        CUT: "have commands that solvers do not get",
    }
    new = tally[IMPORTED] + sum(tally[remark] for remark in remarks)
    into, journal = printable(str(options.into)), printable(options.refused.name)
    every = new + tally[KNOWN]
    files = f"{counted(every, 'file', 'has', 'have')} problems in {into}"
    lines = [f"{files} ({new} new, {tally[KNOWN]} known already)"]
    lines += [f"{tally[remark]} of the new {text}" for remark, text in remarks.items() if tally[remark]]
    others = (IMPORTED, KNOWN, *remarks)
    refused = {reason: number for reason, number in sorted(tally.items()) if reason not in others}
    if len(lines) > 1 and not refused:
        lines.append(f"see {journal} next to it")
    if refused:
        reasons = ", ".join(f"{number} {_reason(reason, options)}" for reason, number in refused.items())
        lines.append(f"{sum(refused.values())} left out: {reasons}; see {journal} next to it")
    return lines


def _reason(reason: str, options: ImportOptions) -> str:
    """Return the reason of a refusal, with the flag that changes it if there is one."""
    from chcfuzz.corpus_tools.importer import TOO_LARGE

    return f"{reason} (over {options.max_bytes:,} bytes, see --max-bytes)" if reason == TOO_LARGE else reason
