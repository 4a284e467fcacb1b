"""`chcfuzz locate`."""

from __future__ import annotations

import argparse
from pathlib import Path

from chcfuzz.commands.command import Uses
from chcfuzz.execution.flags import positive
from chcfuzz.execution.solving import Solving

NAME, HELP, USES = "locate", "say where a finding comes from: parameters, step, events, releases", Uses.INSTALLED
EXAMPLES = (
    "chcfuzz locate findings/wrong-answer-ed6a4b-3649edca70db",
    "chcfuzz locate --bisect findings/wrong-answer-ed6a4b-3649edca70db",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """See `Command`."""
    parser.add_argument("input", type=Path, metavar="FINDING")
    parser.add_argument(
        "--bisect", action="store_true", help="find the first bad and the last good release of z3-solver, too"
    )
    parser.add_argument(
        "--debug-build",
        metavar="DIR|VERSION",
        help="a debug build that may fail an assertion (default: that of the finding's release, if in the cache)",
    )
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="runs at once (default: %(default)s)")
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """See `triage.locate_command`."""
    from chcfuzz.commands.locating import locate_finding

    return locate_finding(given.input, Solving.of(given), given.jobs, given.bisect, given.debug_build)
