"""`chcfuzz generate`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from chcfuzz.commands.command import Uses
from chcfuzz.execution.flags import count, positive
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.rewriting.layouts import THEORIES

NAME, HELP, USES = "generate", "make seeds whose answer is known by a witness that was made with them", Uses.GIVEN
EXAMPLES = ("chcfuzz generate made/ --count 100",)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """See `Command`."""
    parser.add_argument("into", type=Path, metavar="DIR")
    parser.add_argument(
        "--count", type=positive, default=100, metavar="N", help="systems of each status (default: %(default)s)"
    )
    parser.add_argument(
        "--kind", choices=("sat", "unsat", "both"), default="both", help="which answer (default: %(default)s)"
    )
    parser.add_argument(
        "--theory",
        action="append",
        choices=THEORIES,
        help="may be given again; numbers are of one of LIA, LRA and BV (default: drawn for each)",
    )
    parser.add_argument(
        "--seed", type=count, default=0, metavar="N", help="the same makes the same (default: %(default)s)"
    )
    parser.add_argument(
        "--levels",
        type=count,
        default=0,
        metavar="N",
        help="only systems that Spacer unfolds to so many levels, and decides (default: it is not asked)",
    )
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Make them; 130 where it was interrupted, 1 where the solver contradicts a witness."""
    from chcfuzz.corpus_tools.generating import GenerateOptions, generate_seeds, told
    from rich.console import Console

    statuses = ("sat", "unsat") if given.kind == "both" else (given.kind,)
    theories = None if given.theory is None else tuple(given.theory)
    options = GenerateOptions(given.into, given.count, statuses, theories, given.seed, given.levels)
    try:
        found = generate_seeds(options, given.solving, Console(stderr=True))
    except KeyboardInterrupt:
        print("chcfuzz: interrupted; what was made so far is kept", file=sys.stderr)
        return 130
    print("\n".join(told(found, options)))
    return 1 if any(tried.wrong for tried in found.values()) else 0
