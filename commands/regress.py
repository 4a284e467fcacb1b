"""`chcfuzz regress`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
from chcfuzz.campaign.corpus_folder import units_in
from chcfuzz.commands import json_output
from chcfuzz.commands.common_flags import add_json_or_file
from chcfuzz.commands.inputs import findings_folder, recorded
from chcfuzz.commands.subcommand import Uses
from chcfuzz.commands.tables import TABLE_WIDTH, console, print_wrapped, width
from chcfuzz.corpus_tools.regress import (
    FAILURES,
    WORSE,
    Compared,
    Known,
    Regression,
    UnitChange,
    against,
    smallest,
    write_corpus,
)
from chcfuzz.corpus_tools.regress_record import record, write_record
from chcfuzz.execution.domain import check_flags, load
from chcfuzz.execution.files import see_folder, see_writable
from chcfuzz.execution.flags import add_shard, listed, positive, positive_float, share
from chcfuzz.execution.recorded_flags import allowed
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.printable import counted, printable
from chcfuzz.mutators import roots
from chcfuzz.solvers.z3_release import ensure_available
from chcfuzz.triage.findings.record import RECIPE
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Column, Table

NAME, HELP, USES = "regress", "run a corpus on two solvers, and list the changes", Uses.INSTALLED
EXAMPLES = (
    "chcfuzz regress corpus/ --against 4.13.4.0",
    "chcfuzz regress corpus/ --z3-library build/ --against 5.4.0.0 --json changes.json",
    "chcfuzz regress corpus-smt/ --domain smt --against bitwuzla@0.9.0",
    "chcfuzz regress findings/wrong-answer-3f7c21-90b1d8e6a7f4 --against 4.13.4.0",
)
MINUTES = 10.0


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS", help="folders of units, units, or findings")
    parser.add_argument(
        "--against",
        required=True,
        metavar="OLD",
        help="the old solver: a release of z3-solver, the folder of a build, or a command; of SMT problems, "
        "also a solver with its release, such as cvc5@1.3.2",
    )
    parser.add_argument(
        "--jobs", type=positive, default=1, metavar="N", help="number of parallel units (default: %(default)s)"
    )
    add_shard(parser)
    parser.add_argument(
        "--factor",
        type=positive_float,
        default=10.0,
        metavar="X",
        help="ratio of costs (the solver's own counts) that counts as a change (default: %(default)s)",
    )
    parser.add_argument(
        "--fail-on",
        type=_changes,
        default=FAILURES,
        metavar="CHANGE,CHANGE",
        help=f"changes that make the exit code 1, from {', '.join(WORSE)} (default: {','.join(FAILURES)})",
    )
    parser.add_argument(
        "--findings", type=Path, metavar="DIR", help="report which findings in DIR the new solver still shows"
    )
    add_json_or_file(parser)
    parser.add_argument(
        "--minimal",
        type=Path,
        metavar="DIR",
        help="copy a smaller corpus with the same traces to DIR, for the next comparison",
    )
    parser.add_argument(
        "--minutes",
        type=positive_float,
        default=MINUTES,
        metavar="M",
        help="time limit of the smaller corpus on both solvers, on this machine (default: %(default)s)",
    )
    Solving.add_flags(parser)


def _changes(text: str) -> tuple[UnitChange, ...]:
    known = {change.value: change for change in WORSE}
    wrong = [word for word in listed(text) if word not in known]
    if wrong:
        raise argparse.ArgumentTypeError(f"{wrong[0]!r} is not one of {', '.join(known)}")
    return tuple(known[word] for word in listed(text))


def _solving(given: argparse.Namespace) -> Solving:
    """Return the flags of the new solver, after those of the first finding; its domain becomes that of the process."""
    finding = next((path for path in given.corpora if _unit_or_folder(path) != path), None)
    if finding is None:
        return Solving.of(given)
    solving = Solving.parsed(allowed(recorded(finding), given.words))
    roots.activate(roots.load(solving.domain).roots)
    return solving


def _unit_or_folder(path: Path) -> Path:
    """Return the unit of a finding's folder, and any other path itself."""
    unit = path / RECIPE
    return unit if unit.is_file() else path


def _name(unit: Path) -> str:
    """Return the name of a unit, or of the finding that it belongs to."""
    return unit.parent.name if unit.name == RECIPE else unit.name


def run(given: argparse.Namespace) -> int:
    """Compare the solvers, print and write the results; return 1 if a change of `--fail-on` has occurred."""
    new = _solving(given)
    pair = load(new.domain).against(new, given.against)
    old, new = pair or (against(given.against, new), new)
    for solving in (old, new):
        check_flags(solving)
    if given.json and given.json != json_output.STANDARD_OUTPUT:
        see_writable(given.json)
    if given.minimal:
        see_folder(given.minimal)
    findings = None if given.findings is None else findings_folder(given.findings)
    units, refused = units_in([_unit_or_folder(path) for path in given.corpora])
    units = share(units, given.shard)
    if old.z3 is not None:
        ensure_available(old.z3, "--against")
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    found: list[Compared] = []
    with (
        Regression(new, old, given.jobs, given.factor) as regression,
        Progress(*columns, console=Console(stderr=True), disable=given.quiet) as progress,
    ):
        task = progress.add_task("comparing", total=len(units))
        for each in regression.run(units):
            found.append(each)
            progress.update(task, advance=1)
        known = regression.known(findings) if findings else []
        solvers = regression.solvers
    if given.json == json_output.STANDARD_OUTPUT:
        json_output.show(msgspec.to_builtins(record(solvers, found, known, refused)))
    else:
        print_changes([each for each in found if each.change is not UnitChange.SAME], solvers)
        print("\n".join(map(printable, summary(found, known, refused))))
        if given.json:
            write_record(given.json, record(solvers, found, known, refused))
    if given.minimal:
        chosen = smallest(found, given.minutes)
        write_corpus(chosen, given.minimal)
        seconds = sum(each.old.seconds + each.new.seconds for each in chosen)
        kept = f"{len(chosen)} of {counted(len(found), 'unit')} in {str(given.minimal)!r}"
        line = f"{kept}; both solvers took {seconds:.0f} s"
        print(line, file=sys.stderr if given.json == json_output.STANDARD_OUTPUT else sys.stdout)
    return 1 if any(each.change in given.fail_on for each in found) else 0


def print_changes(found: Sequence[Compared], solvers: tuple[str, str]) -> None:
    """Print the changes, the most severe first: as a table, or as lines where a table would fold the names of units."""
    order = list(UnitChange)
    found = sorted(found, key=lambda each: (order.index(each.change), str(each.unit)))
    headings = (f"{solvers[0]} (old)", f"{solvers[1]} (new)")
    if (width() or TABLE_WIDTH) >= TABLE_WIDTH:
        shown = Table("", Column("unit", no_wrap=True), *headings, "expected", box=box.SIMPLE)
        for each in found:
            cells = (escape(printable(text)) for text in (_name(each.unit), *_results(each)))
            shown.add_row(each.change.value, *cells, each.expected or "-")
        if found:
            console().print(shown)
        return
    for each in found:
        print(printable(f"{each.change.value}: {_name(each.unit)}"))
        for heading, result in zip(headings, _results(each), strict=True):
            print_wrapped(printable(f"  {heading}: {result}"))
        print(f"  expected: {each.expected or '-'}\n")


def _results(each: Compared) -> list[str]:
    costs = each.change in (UnitChange.DEARER, UnitChange.CHEAPER)
    return [f"{seen}, {seen.cost} units" if costs else str(seen) for seen in (each.old, each.new)]


def summary(found: Sequence[Compared], known: Sequence[Known], refused: Sequence[str]) -> list[str]:
    """Return the summary as lines."""
    counts = ", ".join(
        f"{number} {change.value}" for change in UnitChange if (number := sum(each.change is change for each in found))
    )
    lines = [f"{counted(len(found), 'unit')}{': ' if counts else ''}{counts}"]
    for each in known:
        lines.append(f"{each.folder.name}: {'still there' if each.is_there else 'gone'} ({each.words})")
    if refused:
        are = "is not a unit" if len(refused) == 1 else "are not units; the first"
        lines.append(f"{counted(len(refused), 'file')} {are}: {refused[0]}")
    return lines
