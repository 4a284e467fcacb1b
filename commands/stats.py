"""`chcfuzz stats`."""

from __future__ import annotations

import argparse
from collections import Counter as Tally
from collections.abc import Sequence
from pathlib import Path

from chcfuzz.commands import json_output
from chcfuzz.commands.subcommand import Uses
from chcfuzz.commands.tables import print_wrapped
from chcfuzz.execution.console import print_error
from chcfuzz.execution.solving import UsageError

NAME, HELP, USES = (
    "stats",
    "print the statistics of mutations, and findings by the part of Z3 with the fault",
    Uses.NONE,
)
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
        help="the states of campaigns; they are added up, and findings beside them (default: findings/state.json)",
    )
    json_output.add_flag(parser)
    parser.add_argument("--into", type=Path, metavar="FILE", help="write the sum as a state for --state")


def run(given: argparse.Namespace) -> int:
    """Print a row for each mutation, the one that opened most traces first, and a row for each part of Z3."""
    from chcfuzz.campaign.worker.learned_policy import added, read_state, write_state

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
    parts = _findings_by_part(given.states)
    if given.json:
        mutations = {row: {"tried": tried, "opened": opened} for row, (tried, opened) in rows}
        json_output.show({"mutations": mutations, "findings": parts})
        return 0
    width = max((len(row) for row, _ in rows), default=0)
    print(f"{'mutation':<{width}}  tried  opened  share")
    for row, (tried, opened) in rows:
        print(f"{row:<{width}}  {tried:5}  {opened:6}  {opened / tried:5.1%}")
    print_wrapped(
        "tried: mutants with the mutation; opened: those with a new trace, which depends on all of their steps"
    )
    if parts:
        width = max(map(len, parts))
        print(
            "\n".join((f"{'findings in':<{width}}  number", *(f"{part:<{width}}  {parts[part]:6}" for part in parts)))
        )
        print_wrapped(
            "by switches that cure a finding, and results of `chcfuzz locate` and `try-fix`; others unclassified"
        )
    return 0


def _findings_by_part(states: Sequence[Path]) -> dict[str, int]:
    """Return the number of findings beside the states, by the part of Z3 with the fault; empty without any."""
    from chcfuzz.triage.buckets.cause import Part, known_cause
    from chcfuzz.triage.buckets.traits import readable

    def report(fault: str) -> None:
        print_error(f"chcfuzz: {fault}")

    folders = dict.fromkeys(path.parent.resolve() for path in states)
    parts = Tally(known_cause(*found).part for folder in folders for found in readable(folder, report))
    return {part.value: parts[part] for part in Part if parts[part]}
