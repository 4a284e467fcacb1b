"""`chcfuzz stats`."""

from __future__ import annotations

import argparse
from pathlib import Path

from chcfuzz.commands import json_output
from chcfuzz.commands.command import Uses
from chcfuzz.commands.tables import print_wrapped
from chcfuzz.execution.solving import UsageError

NAME, HELP, USES = "stats", "print the statistics of mutations that campaigns have learned", Uses.NONE
EXAMPLES = (
    "chcfuzz stats",
    "chcfuzz stats run/findings/state.json other-run/findings/state.json",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument(
        "states",
        nargs="*",
        type=Path,
        default=[Path("findings/state.json")],
        metavar="FILE",
        help="the states of campaigns, which are added up (default: findings/state.json)",
    )
    json_output.add_flag(parser)
    parser.add_argument("--into", type=Path, metavar="FILE", help="write the sum as a state for --state")


def run(given: argparse.Namespace) -> int:
    """Print a row for each mutation, the one that opened most traces first."""
    from chcfuzz.campaign.worker.learning import added, read_state, write_state

    states = []
    for path in given.states:
        state = read_state(path)
        if state is None:
            raise UsageError(f"{str(path)!r} is not the state of a campaign; run one, or name its state.json")
        states.append(state)
    state = added(states)
    if given.into:
        write_state(given.into, state)
    rows = sorted(state["rows"].items(), key=lambda item: (-item[1][1], item[1][0], item[0]))
    if given.json:
        json_output.show({row: {"tried": tried, "opened": opened} for row, (tried, opened) in rows})
        return 0
    width = max((len(row) for row, _ in rows), default=0)
    print(f"{'mutation':<{width}}  tried  opened  share")
    for row, (tried, opened) in rows:
        print(f"{row:<{width}}  {tried:5}  {opened:6}  {opened / tried:5.1%}")
    print_wrapped(
        "tried: mutants with the mutation; opened: those with a new trace, which depends on all of their steps"
    )
    return 0
