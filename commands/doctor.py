"""`chcfuzz doctor`."""

from __future__ import annotations

import argparse

from chcfuzz.commands.checks import State, checks
from chcfuzz.commands.command import Uses
from chcfuzz.execution.solving import Solving

NAME, HELP, USES = "doctor", "try out what a campaign needs, and say what is missing and how to get it", Uses.NONE
EXAMPLES = (
    "chcfuzz doctor",
    "chcfuzz doctor --z3 4.13.4.0",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """See `Command`."""
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Print every check as soon as it is made; 1 where one is bad."""
    bad = 0
    for check in checks(Solving.of(given)):
        print("\n".join(check.lines()), flush=True)
        bad += check.state is State.BAD
    print("a campaign will work" if not bad else f"{bad} must be mended before a campaign works")
    return 1 if bad else 0
