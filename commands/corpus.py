"""`chcfuzz corpus`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from chcfuzz.commands.command import Uses
from chcfuzz.execution.solving import Solving

NAME, HELP, USES = "corpus", "say what is in a corpus, write it as plain .smt2 files, compare two", Uses.GIVEN
EXAMPLES = (
    "chcfuzz corpus stats grown/",
    "chcfuzz corpus export grown/ --into plain/",
    "chcfuzz corpus diff grown/ other/",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """See `Command`."""
    what = parser.add_subparsers(required=True, dest="what", metavar="stats|export|diff")
    stats = what.add_parser("stats", help="numbers: units, seeds, chains, sizes, theories, rows")
    stats.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    export = what.add_parser("export", help="each mutant as a plain .smt2 file with its status, for other tools")
    export.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    export.add_argument("--into", type=Path, required=True, metavar="DIR")
    export.add_argument(
        "--for-z3", action="store_true", help="as in Z3's regression suite: with NAME.expected.out beside each file"
    )
    diff = what.add_parser("diff", help="what only one of two corpora has; the exit code is 1 where they differ")
    diff.add_argument("corpora", nargs=2, type=Path, metavar="CORPUS")
    for each in (stats, export, diff):
        Solving.add_flags(each)


def run(given: argparse.Namespace) -> int:
    """Do what is asked; for a difference 1."""
    from chcfuzz.corpus_tools.contents import difference, export, read_corpus, statistics
    from chcfuzz.execution.pipeline import Pipeline

    pipeline = Pipeline(given.solving)
    if given.what == "diff":
        one, other = (read_corpus([corpus], pipeline)[0] for corpus in given.corpora)
        sides = difference(one, other)
        for mark, units in zip("<>", sides, strict=True):
            for unit in units:
                print(f"{mark} {unit.path}")
        return 1 if any(sides) else 0
    units, refused = read_corpus(given.corpora, pipeline)
    for line in refused:
        print(f"chcfuzz: {line}", file=sys.stderr)
    if given.what == "stats":
        print("\n".join(statistics(units).lines()))
    else:
        print(f"{export(units, given.into, given.for_z3)} systems are in {str(given.into)!r}")
    return 0
