"""`chcfuzz mutations`."""

from __future__ import annotations

import argparse

from chcfuzz.commands import json_output
from chcfuzz.commands.subcommand import Uses
from chcfuzz.commands.tables import print_wrapped, width
from chcfuzz.execution.solving import Solving

NAME, HELP, USES = "mutations", "print every mutation and parameter as a table", Uses.GIVEN
EXAMPLES = (
    "chcfuzz mutations",
    "chcfuzz mutations --z3 4.13.4.0",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    Solving.add_flags(parser)


def check(_given: argparse.Namespace) -> None:
    """Check nothing: there are only flags of the solver."""


def run(given: argparse.Namespace) -> int:
    """Print the table of mutations and parameters."""
    from chcfuzz.execution.domain import load

    registry = load(given.solving.domain).registry(given.solving)
    heading, *rows = registry.rows()
    if given.json:
        json_output.show([dict(zip(heading, row, strict=True)) for row in rows])
    elif width() is None:
        print(registry.table())
    else:
        for name, promise, scope, description, source in rows:
            print(name)
            print_wrapped(f"  {promise}, {scope}: {description} ({source})")
    return 0
