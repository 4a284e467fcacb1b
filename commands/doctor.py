"""`chcfuzz doctor`."""

from __future__ import annotations

import argparse

from chcfuzz.commands.checks import State, checks
from chcfuzz.commands.command import Uses
from chcfuzz.execution.solving import Solving

NAME, HELP, USES = "doctor", "check everything that a campaign needs, and explain how to get missing parts", Uses.NONE
EXAMPLES = (
    "chcfuzz doctor",
    "chcfuzz doctor --z3 4.13.4.0",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Print each check as soon as it is done; return 1 if one fails."""
    bad = 0
    for check in checks(Solving.of(given)):
        print("\n".join(check.lines()), flush=True)
        bad += check.state is State.BAD
    print("a campaign will work" if not bad else f"{bad} to fix before a campaign works")
    return 1 if bad else 0
