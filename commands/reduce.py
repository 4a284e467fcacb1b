"""`chcfuzz reduce`."""

from __future__ import annotations

import argparse
from pathlib import Path

from chcfuzz.commands.command import Uses
from chcfuzz.execution.flags import positive
from chcfuzz.execution.solving import Solving

NAME, HELP, USES = "reduce", "make a finding small: its parameters, its chain, its system", Uses.INSTALLED
EXAMPLES = ("chcfuzz reduce findings/wrong-model-ed2298-7c8717863a1e --jobs 2",)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """See `Command`."""
    parser.add_argument("input", type=Path, metavar="FINDING")
    parser.add_argument(
        "--mode",
        choices=("finding", "equivalent"),
        default="finding",
        help="equivalent: each clause stays equivalent; finding: only the finding stays (default: %(default)s)",
    )
    parser.add_argument(
        "--jobs", type=positive, default=1, metavar="N", help="candidates judged at once (default: %(default)s)"
    )
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """See `triage.reduce_command`."""
    from chcfuzz.commands.reducing import reduce_finding

    return reduce_finding(given.input, Solving.of(given), given.mode, given.jobs)
