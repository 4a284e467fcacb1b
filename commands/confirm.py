"""`chcfuzz confirm`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from chcfuzz.commands import json_output
from chcfuzz.commands.inputs import findings_folder
from chcfuzz.commands.subcommand import Uses
from chcfuzz.execution.domain import check_flags
from chcfuzz.execution.flags import positive, positive_float
from chcfuzz.execution.recorded_flags import allowed
from chcfuzz.execution.solving import Solving

if TYPE_CHECKING:
    from chcfuzz.triage.examine.suspicion import Suspicion

NAME, HELP, USES = "confirm", "confirm waiting suspicions, and examine contradictions again", Uses.NONE
EXAMPLES = (
    "chcfuzz confirm findings/",
    "chcfuzz confirm --rlimit 10000000 findings/",
    "chcfuzz confirm novelty/*/findings",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument(
        "folders", nargs="*", type=Path, default=[Path("findings")], metavar="DIR", help="(default: findings)"
    )
    parser.add_argument(
        "--per-bucket",
        type=positive,
        default=5,
        metavar="N",
        help="findings kept of each signature (default: %(default)s)",
    )
    parser.add_argument(
        "--minutes",
        type=positive_float,
        metavar="M",
        help="examine only waiting suspicions, and begin no more of them after M minutes in a DIR (default: no limit)",
    )
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Confirm all suspicions; return 1 if some of them could not be examined."""
    from chcfuzz.triage.findings.reexamination import confirm_again

    folders = [findings_folder(folder) for folder in given.folders]
    check_flags(Solving.of(given))

    def solving(seen: Suspicion) -> Solving:
        return Solving.parsed(allowed(seen.solving, given.words))

    seconds = given.minutes and 60 * given.minutes
    first, *others = (confirm_again(folder, solving, given.per_bucket, seconds) for folder in folders)
    result = sum(others, first)
    if given.json:
        json_output.show(msgspec.to_builtins(result))
    else:
        print("\n".join(result.lines()))
    return 1 if result.waiting else 0
