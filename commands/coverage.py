"""`chcfuzz coverage`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from chcfuzz.campaign.corpus_folder import check_corpora
from chcfuzz.commands import json_output
from chcfuzz.commands.subcommand import Uses
from chcfuzz.commands.tables import print_wrapped, progress_bars
from chcfuzz.execution.console import print_error
from chcfuzz.execution.files import see_folder
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.printable import counted
from chcfuzz.solvers.python import INTERRUPTED

if TYPE_CHECKING:
    from chcfuzz.tracing.solver_coverage import SourcePlace

NAME, HELP, USES = "coverage", "measure the lines and functions of Z3 that a corpus covers", Uses.GIVEN
EXAMPLES = ("chcfuzz coverage grown/ --z3-library ~/.cache/chcfuzz/z3-traced/5.4.0.0-trace",)

_COLUMNS = ("file", "lines_reached", "lines", "functions_reached", "functions")


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS", help="folders of units, or units")
    parser.add_argument("--into", type=Path, default=Path("coverage"), metavar="DIR", help="(default: %(default)s)")
    parser.add_argument("--python", action="store_true", help="also measure chcfuzz's own modules, which takes longer")
    Solving.add_flags(parser)


def check(given: argparse.Namespace) -> None:
    """Check the build, the corpus, and the folder to write."""
    if not (given.solving.uses_z3 and given.solving.counts_edges):
        raise UsageError("coverage needs a build with edge counters; name one with --z3-library DIR")
    check_corpora(given.corpora)
    see_folder(given.into)


def run(given: argparse.Namespace) -> int:
    """Execute the corpus, print a table of files, and write data for `coverage`."""
    from chcfuzz.corpus_tools.coverage import measured
    from chcfuzz.tracing import solver_coverage

    with progress_bars(given.quiet) as show:
        found = measured(given.corpora, given.solving, given.python, partial(show, "executing"))
    solver_coverage.write(found.solver, given.into.resolve(), found.python if given.python else None)
    solver_coverage.write_unreached(found.unreached, given.into)
    rows = solver_coverage.table(found.solver)
    if given.json:
        files = [dict(zip(_COLUMNS, row, strict=True)) for row in rows]
        unreached = [{"file": place.file, "line": place.line, "function": place.function} for place in found.unreached]
        counts = {"units": found.units, "died": found.died, "into": str(given.into)}
        json_output.show({**counts, "left": found.left, "files": files, "never_reached": unreached})
        return _exit_code(found.left)
    for file, lines, all_lines, functions, all_functions in rows:
        if lines:
            print(f"{lines:6} of {all_lines:6} lines  {functions:5} of {all_functions:5} functions  {file}")
    _print_unreached(found.unreached)
    reached, total = sum(row[1] for row in rows), sum(row[2] for row in rows)
    print(f"{reached} of {total} lines in {counted(len(rows), 'file')}, by {counted(found.units, 'unit')}")
    print(f"coverage html --rcfile={given.into / solver_coverage.SETTINGS}  (or lcov, json, report) shows them")
    print(f"{given.into / solver_coverage.UNREACHED} lists the functions that no unit reached")
    return _exit_code(found.left)


def _exit_code(left: int) -> int:
    """Return 0, or the code of an interrupted command after a line on the units that were not executed."""
    if left:
        print_error(
            f"chcfuzz: interrupted; {counted(left, 'unit')} not executed, and the numbers are those of the others"
        )
    return INTERRUPTED if left else 0


def _print_unreached(functions: Sequence[SourcePlace]) -> None:
    """Print the functions that systems can reach and no unit did, a paragraph for each file."""
    for file, places in groupby(functions, lambda place: place.file):
        print_wrapped(f"never reached in {file}: {', '.join(place.name for place in places)}")
