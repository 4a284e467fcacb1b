"""`chcfuzz import`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from chcfuzz.commands.command import Uses
from chcfuzz.execution.flags import positive
from chcfuzz.execution.solving import Solving

NAME, HELP, USES = "import", "make a corpus from folders of .smt2 and .smt2.gz files", Uses.GIVEN
EXAMPLES = ("chcfuzz import ~/chc-comp24-benchmarks/",)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """See `Command`."""
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
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Import all; 130 where it was interrupted."""
    from chcfuzz.corpus_tools.importer import ImportOptions, import_folders, told
    from chcfuzz.execution.pipeline import Pipeline
    from rich.console import Console

    options = ImportOptions(tuple(given.folders), given.into, given.max_bytes)
    try:
        tally = import_folders(options, Pipeline(given.solving), Console(stderr=True))
    except KeyboardInterrupt:
        print("chcfuzz: interrupted; the same command goes on where this one stopped", file=sys.stderr)
        return 130
    print("\n".join(told(tally, options)))
    return 0
