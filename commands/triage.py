"""`chcfuzz triage`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from chcfuzz.commands.own_file import NothingWrongError, add_flag, finding_of, is_own
from chcfuzz.commands.subcommand import Uses
from chcfuzz.commands.tables import console
from chcfuzz.execution.domain import solving_of
from chcfuzz.execution.exit_codes import EXIT_USAGE
from chcfuzz.execution.flags import WHOLE, add_shard, positive
from chcfuzz.execution.recorded_flags import allowed
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.printable import counted, printable, printable_lines
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from chcfuzz.triage.buckets.buckets import Bucket
    from chcfuzz.triage.buckets.collect import ListedBucket
    from chcfuzz.triage.buckets.traits import Traits
    from chcfuzz.triage.findings.record import Finding

NAME, HELP, USES = "triage", "group findings into buckets, as far as possible one for each cause", Uses.INSTALLED
EXAMPLES = (
    "chcfuzz triage findings/",
    "chcfuzz triage run/findings other-run/findings --buckets buckets.json",
    "chcfuzz triage findings/ --merge wrong-model-LIA-1a2b3c wrong-model-LIA-4d5e6f",
    "chcfuzz triage findings/ --split findings/wrong-model-default-8b3843-21c005aa111a",
)
MAX_TESTS = 2000  # of a reduction
_LEAST = 90  # columns of a table that are not for names; below it, each bucket has lines of its own
_DIGITS = 12  # of a commit
_MAX_CURES = 3  # configurations that the table names


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument(
        "inputs",
        nargs="*",
        type=Path,
        default=[Path("findings")],
        metavar="DIR",
        help="findings folders, buckets.json files of other runs or machines, files, or - for standard input "
        "(default: findings)",
    )
    parser.add_argument(
        "--buckets", type=Path, metavar="FILE", help="file for the buckets (default: buckets.json in the first DIR)"
    )
    parser.add_argument(
        "--reduce",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="reduce findings that are not reduced yet (default: yes)",
    )
    parser.add_argument(
        "--tests", type=positive, default=MAX_TESTS, metavar="N", help="limit for a reduction (default: %(default)s)"
    )
    parser.add_argument(
        "--merge",
        nargs=2,
        action="append",
        default=[],
        metavar="BUCKET",
        help="two buckets have one cause: put the second into the first, with later findings; reduces nothing",
    )
    parser.add_argument(
        "--split",
        action="append",
        default=[],
        metavar="FINDING",
        help="a finding has another cause than its bucket: give it one of its own; reduces nothing",
    )
    parser.add_argument(
        "--known", action="append", default=[], type=Path, metavar="FILE", help="more known issues; can be repeated"
    )
    add_shard(
        parser,
        "reduce only the part I of N of the findings, as in an array of jobs, and group nothing; the command without "
        "this flag groups all when the parts have ended",
    )
    add_flag(parser)
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Print the buckets, and store them for the next call; return exit code 2 if a finding cannot be read."""
    from chcfuzz.triage.buckets.buckets import FILE
    from chcfuzz.triage.buckets.collect import ReduceFirst, listed, reduce_part, triage
    from chcfuzz.triage.buckets.known_issues import known_issues

    given.inputs = _folders(given)
    missing = next((path for path in given.inputs if not path.exists()), None)
    if missing is not None:
        raise UsageError(f"no findings {str(missing)!r}; run a campaign, or name its --findings or a buckets.json")
    into = given.buckets
    if into is None:
        first = given.inputs[0]
        into = first / FILE if first.is_dir() else first

    def solving(finding: Finding) -> Solving:
        return Solving.parsed(allowed(finding.record.solving, given.words))

    issues = known_issues(given.known)
    by_hand = bool(given.merge or given.split)
    reduces = given.reduce and not by_hand
    reducing = ReduceFirst(solving, given.tests, _ignore if given.quiet else log) if reduces else None
    faults: list[str] = []
    if given.shard != WHOLE:
        if reducing is None:
            raise UsageError("--shard only reduces; leave out --no-reduce, --merge and --split")
        number = reduce_part(given.inputs, given.shard, reducing, faults.append)
        text = f"{counted(number, 'finding')} of this part; `chcfuzz triage` without --shard groups all of them"
        print(json.dumps({"findings": number}) if given.json else text)
        return _faulty(faults)
    rows = listed(triage(given.inputs, into, reducing, faults.append, partial(_decided, given)), issues)
    if given.json:
        print(as_json(rows))
    else:
        print_table(rows, console())
    return _faulty(faults)


def _faulty(faults: Sequence[str]) -> int:
    """Print a line on each finding that cannot be read, and return the exit code."""
    for fault in faults:
        log(fault)
    return EXIT_USAGE if faults else 0


def _decided(given: argparse.Namespace, buckets: tuple[Bucket, ...]) -> tuple[Bucket, ...]:
    """Return the buckets after the decisions of the user, those on findings first."""
    from chcfuzz.triage.buckets.by_hand import merge, split

    for finding in given.split:
        buckets = split(buckets, Path(finding).name)
    for one, other in given.merge:
        buckets = merge(buckets, one, other)
    return buckets


def _folders(given: argparse.Namespace) -> list[Path]:
    """Return the inputs; files of the user are examined, and the folder of their findings takes their place.

    Raises `NothingWrongError` if the answers to all files are right, and the user gave only files.
    """
    own = [path for path in given.inputs if is_own(path)]
    others = [path for path in given.inputs if path not in own]
    right: list[NothingWrongError] = []
    for path in own:
        try:
            finding_of(path, solving_of(given), given.findings)
        except NothingWrongError as error:
            right.append(error)
    has_findings = len(right) < len(own)
    last = right.pop() if right and not (has_findings or others) else None
    for verdict in right:
        log(str(verdict))
    if last is not None:
        raise last
    return [*others, given.findings] if has_findings and given.findings not in others else others


def log(line: str) -> None:
    """Print a line on the progress to stderr."""
    print(printable(f"chcfuzz: {line}"), file=sys.stderr, flush=True)


def _ignore(_line: str) -> None:
    """Print nothing."""


def as_json(rows: Iterable[ListedBucket]) -> str:
    """Return the buckets as JSON."""
    return json.dumps([_json_row(row) for row in rows], indent=2)


def _json_row(row: ListedBucket) -> dict[str, Any]:
    return {
        "name": row.bucket.name,
        "findings": [member.traits.name for member in row.bucket.members],
        "representative": msgspec.to_builtins(row.bucket.representative),
        "known": [{"id": issue.id, "url": issue.url, "sure": issue.sure} for issue in row.issues],
        "set_aside": row.is_known,
    }


def print_table(rows: Sequence[ListedBucket], console: Console) -> None:
    """Print two tables, new buckets and known ones, and a summary."""
    for heading, chosen_rows in (
        ("Buckets, as far as possible one for each cause", [row for row in rows if not row.is_known]),
        ("Known already, set aside", [row for row in rows if row.is_known]),
    ):
        if not chosen_rows:
            continue
        names = (max(map(len, names)) for names in zip(*map(_names, chosen_rows), strict=True))
        if console.width < sum(names) + _LEAST:
            _print_blocks(heading, chosen_rows, console)
            continue
        table = Table(title=heading, title_justify="left", show_lines=True)
        for column in ("bucket", "findings", "smallest", "description", "known issues"):
            has_name = column in ("bucket", "smallest")
            table.add_column(
                column, overflow="fold", no_wrap=has_name, justify="right" if column == "findings" else "left"
            )
        for row in chosen_rows:
            best = row.bucket.representative
            number = str(len(row.bucket.members))
            cells = (row.bucket.name, number, f"{best.name}\n{_size(best)}", _description(best), _issues(row))
            table.add_row(*(Text(printable_lines(cell)) for cell in cells))
        console.print(table)
    aside = sum(row.is_known for row in rows)
    findings = sum(len(row.bucket.members) for row in rows)
    total = f"{counted(len(rows), 'bucket')}, {counted(findings, 'finding')}"
    console.print(f"{total}; {aside} known and set aside", highlight=False)


def _names(row: ListedBucket) -> tuple[str, str]:
    """Return the names that no table may fold."""
    return row.bucket.name, row.bucket.representative.name


def _print_blocks(heading: str, rows: Sequence[ListedBucket], console: Console) -> None:
    """Print each bucket on lines of its own: a narrow table would fold the names."""
    console.print(heading, style="italic")
    for row in rows:
        best = row.bucket.representative
        number = len(row.bucket.members)
        lines = [
            row.bucket.name,
            f"{counted(number, 'finding')}, the smallest with {_size(best)}:",
            best.name,
            *_description(best).splitlines(),
            *_issues(row).splitlines(),
        ]
        console.print()
        for index, line in enumerate(lines):
            text = Text(printable(line), style="bold" if index == 0 else "")
            is_name = line == best.name
            block = Padding(text, (0, 0, 0, 2 if index else 0), expand=False)
            console.print(block, no_wrap=is_name, overflow="ignore" if is_name else "fold")
    console.print()


def _size(traits: Traits) -> str:
    from chcfuzz.triage.reduce.reduction import size_summary

    return size_summary(traits.size) + ("" if traits.text else ", not reduced")


def _description(traits: Traits) -> str:
    solver = f"{traits.solver} ({traits.release})" if traits.release else traits.solver
    lines = [f"{solver}: {traits.witness}", traits.shape.summary()]
    if traits.parameters:
        lines.append(f"needs {', '.join(traits.parameters)}")
    if traits.cures:
        more = len(traits.cures) - _MAX_CURES
        before = "before its reduction, " if traits.text else ""
        cures = "; ".join(traits.cures[:_MAX_CURES])
        lines.append(f"{before}right with {cures}" + (f"; {more} more" if more > 0 else ""))
    if traits.first_bad or traits.first_good:
        lines.append(f"wrong since {traits.first_bad or '?'}, right since {traits.first_good or '?'}")
    if traits.commit:
        lines.append(f"introduced by commit {traits.commit[:_DIGITS]}")
    if traits.event:
        lines.append(f"differs from a passing run at {traits.event}" + (f", near {traits.site}" if traits.site else ""))
    if traits.assertion:
        lines.append(f"failed assertion in a debug build: {traits.assertion}")
    return "\n".join(lines)


def _issues(row: ListedBucket) -> str:
    return "\n".join(f"{'' if issue.sure else 'perhaps '}{issue.id}: {issue.title}" for issue in row.issues)
