"""`chcfuzz corpus`."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import Counter as Tally
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import msgspec
from chcfuzz.campaign.corpus_folder import check_corpora
from chcfuzz.commands import json_output
from chcfuzz.commands.inputs import known_answers
from chcfuzz.commands.subcommand import Uses
from chcfuzz.commands.tables import print_wrapped, progress_bars
from chcfuzz.corpus_tools.suites import SUITES
from chcfuzz.execution.domain import load
from chcfuzz.execution.files import see_folder
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.printable import counted, printable
from chcfuzz.mutators import roots

if TYPE_CHECKING:
    from chcfuzz.corpus_tools.contents import CorpusStatistics

NAME, HELP, USES = (
    "corpus",
    "print statistics of a corpus, export it as plain .smt2 files, compare two, copy units near a change, or the "
    "packaged ones",
    Uses.GIVEN,
)
EXAMPLES = (
    "chcfuzz corpus stats grown/",
    "chcfuzz corpus export grown/ --into plain/",
    "chcfuzz corpus export grown/ --into regress/ --domain smt --for cvc5",
    "chcfuzz corpus diff grown/ other/",
    "chcfuzz corpus near corpus/ --checkout ~/z3 --since origin/master --into near/ --z3-library ~/z3-traced",
    "chcfuzz corpus copy corpora/",
)
_MAX_NAMES = 8  # that a line of the statistics shows


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    what = parser.add_subparsers(required=True, dest="what", metavar="stats|export|diff|near|copy")
    stats = what.add_parser("stats", help="numbers of units and seeds, lengths of chains, sizes, theories, mutations")
    stats.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    export = what.add_parser("export", help="write each mutant as a plain .smt2 file with its status, for other tools")
    export.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    export.add_argument("--into", type=Path, required=True, metavar="DIR")
    layout = export.add_mutually_exclusive_group()
    layout.add_argument(
        "--for",
        choices=tuple(SUITES),
        dest="suite",
        metavar="SOLVER",
        help=f"use the layout of a regression suite, of {', '.join(SUITES)}: units with a known answer, each with the "
        "expected output",
    )
    layout.add_argument("--for-z3", action="store_const", const="z3", dest="suite", help="the same as --for z3")
    diff = what.add_parser("diff", help="list units that only one corpus has; the exit code is 1 if there are any")
    diff.add_argument("corpora", nargs=2, type=Path, metavar="CORPUS")
    near = what.add_parser(
        "near", help="copy the units that execute functions which a checkout of Z3 changes, those with most first"
    )
    near.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    near.add_argument("--checkout", type=Path, required=True, metavar="DIR", help="the checkout that was built")
    near.add_argument("--since", default="HEAD^", metavar="REVISION", help="the state before (default: %(default)s)")
    near.add_argument("--into", type=Path, required=True, metavar="DIR")
    copy = what.add_parser("copy", help="write the corpora that come with chcfuzz, one folder for each domain")
    copy.add_argument("into", type=Path, metavar="DIR", help="a new folder")
    for each in (stats, export):
        each.add_argument(
            "--findings",
            type=Path,
            metavar="DIR",
            help="the findings folder of a campaign, which has proved statuses of seeds (default: of the corpora's "
            "run folder)",
        )
    for each in (stats, export, diff, near, copy):
        Solving.add_flags(each)


def check(given: argparse.Namespace) -> None:
    """Check the corpora, each by itself if they are compared, and the folder to write."""
    if given.what == "copy":
        if given.into.exists():
            raise UsageError(f"{str(given.into)!r} exists; name a new folder")
        see_folder(given.into)
        return
    for corpora in [[corpus] for corpus in given.corpora] if given.what == "diff" else [given.corpora]:
        check_corpora(corpora)
    if given.what in ("export", "near"):
        see_folder(given.into)
    if given.what == "near" and given.into.is_dir() and any(given.into.iterdir()):
        raise UsageError(f"{str(given.into)!r} has files, perhaps units near another change; name a new folder")


def run(given: argparse.Namespace) -> int:
    """Run the subcommand; return 1 if two corpora differ."""
    from chcfuzz.corpus_tools.contents import difference, export, read_corpus, statistics
    from chcfuzz.execution.pipeline import Pipeline

    if given.what == "copy":
        return _copy(given.into, given.json)
    if given.what == "near":
        return _near(given)
    if given.what == "diff":
        pipeline = Pipeline(given.solving)
        one, other = (read_corpus([corpus], pipeline)[0] for corpus in given.corpora)
        sides = difference(one, other)
        if given.json:
            json_output.show({"only": [[str(unit.path) for unit in units] for units in sides]})
            return 1 if any(sides) else 0
        for mark, units in zip("<>", sides, strict=True):
            for unit in units:
                print(printable(f"{mark} {unit.path}"))
        return 1 if any(sides) else 0
    pipeline = Pipeline(given.solving, answers=known_answers(given.findings, given.corpora))
    units, refused = read_corpus(given.corpora, pipeline)
    for line in refused:
        print(printable(f"chcfuzz: {line}"), file=sys.stderr)
    if given.what == "stats" and given.json:
        json_output.show(msgspec.to_builtins(statistics(units, pipeline.answers)))
    elif given.what == "stats":
        for line in summary(statistics(units, pipeline.answers)):
            print_wrapped(line)
    else:
        number = export(units, given.into, load(given.solving.domain), given.suite)
        if given.json:
            json_output.show({"into": str(given.into), "problems": number})
        else:
            print(f"{counted(number, 'problem')} in {str(given.into)!r}")
    return 0


def _near(given: argparse.Namespace) -> int:
    """Copy the units that execute changed functions."""
    from chcfuzz.corpus_tools.near_changes import changed_lines, copy, near

    changed = changed_lines(given.checkout, given.since)
    with progress_bars(given.quiet) as show:
        found = near(given.corpora, given.solving, changed, partial(show, "executing"))
    copy(found.units, given.into)
    if given.json:
        json_output.show({"into": str(given.into), "units": len(found.units), "functions": found.functions})
    else:
        functions = counted(len(found.functions), "changed function")
        print(f"{counted(len(found.units), 'unit')} in {str(given.into)!r}: their runs execute {functions}")
    return 0


def _copy(into: Path, as_json: bool) -> int:
    """Copy the seeds of each domain that has some."""
    written: dict[str, int] = {}
    for name in roots.DOMAINS:
        seeds = load(name).seeds
        if seeds is not None and seeds.is_dir():
            target = into / name
            ignored = shutil.ignore_patterns("__init__.py", "__pycache__")
            shutil.copytree(seeds, target, ignore=ignored)
            written[str(target)] = sum(path.is_file() for path in target.rglob("*"))
    if as_json:
        json_output.show({"written": written})
        return 0
    for folder, number in written.items():
        print(f"{counted(number, 'file')} in {folder!r}")
    return 0


def summary(found: CorpusStatistics) -> list[str]:
    """Return the statistics as lines."""
    return [
        f"units       {found.units}, {found.mutants} different mutants of {counted(found.seeds, 'seed')}",
        f"steps       {_spread(found.steps)}",
        f"clauses     {_spread(found.clauses)}",
        f"nodes       {_spread(found.sizes)}",
        f"expected    {_most_frequent(found.expected)}",
        *(
            [f"corrected   {counted(found.corrected, 'seed')}, whose declared status is wrong"]
            if found.corrected
            else []
        ),
        f"theories    {_most_frequent(found.theories)}",
        f"rows        {_most_frequent(found.rows)}",
        f"parameters  {_most_frequent(found.parameters)}",
    ]


def _spread(numbers: list[int]) -> str:
    return f"{min(numbers)} to {max(numbers)}, median {median(numbers):g}"


def _most_frequent(tally: Tally[str]) -> str:
    ordered = sorted(tally.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{name} {times}" for name, times in ordered[:_MAX_NAMES]]
    more = [f"and {len(ordered) - _MAX_NAMES} more"] if len(ordered) > _MAX_NAMES else []
    return ", ".join([*shown, *more]) or "none"
