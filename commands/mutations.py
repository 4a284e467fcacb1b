"""`chcfuzz mutations`."""

from __future__ import annotations

import argparse

from chcfuzz.commands import json_output
from chcfuzz.commands.command import Uses
from chcfuzz.execution.solving import Solving

NAME, HELP, USES = "mutations", "print every mutation and parameter as a table", Uses.GIVEN
EXAMPLES = (
    "chcfuzz mutations",
    "chcfuzz mutations --z3 4.13.4.0",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Print the table of mutations and parameters."""
    from chcfuzz.execution.domain import load

    registry = load(given.solving.domain).registry(given.solving)
    if given.json:
        heading, *rows = registry.rows()
        json_output.show([dict(zip(heading, row, strict=True)) for row in rows])
    else:
        print(registry.table())
    return 0
