"""`chcfuzz triage`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from chcfuzz.commands.command import Uses
from chcfuzz.commands.tables import console
from chcfuzz.execution.flags import positive
from chcfuzz.execution.solving import Solving, UsageError, chosen

NAME, HELP, USES = "triage", "put findings into buckets, one for each cause as far as can be told", Uses.INSTALLED
EXAMPLES = (
    "chcfuzz triage findings/",
    "chcfuzz triage run/findings other-run/findings --buckets buckets.json",
)
MOST_TESTS = 2000  # of a reduction


def add_flags(parser: argparse.ArgumentParser) -> None:
    """See `Command`."""
    parser.add_argument(
        "inputs",
        nargs="*",
        type=Path,
        default=[Path("findings")],
        metavar="DIR",
        help="findings folders, and buckets.json files of other runs or machines (default: findings)",
    )
    parser.add_argument(
        "--buckets", type=Path, metavar="FILE", help="where buckets are kept (default: buckets.json in the first DIR)"
    )
    parser.add_argument(
        "--reduce",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="reduce findings that are not (default: yes)",
    )
    parser.add_argument(
        "--tests", type=positive, default=MOST_TESTS, metavar="N", help="of a reduction, at most (default: %(default)s)"
    )
    parser.add_argument(
        "--known", action="append", default=[], type=Path, metavar="FILE", help="more known issues; may be given again"
    )
    parser.add_argument("--json", action="store_true", help="for machines")
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Print the buckets as a table; they are kept in a file for the next time."""
    from chcfuzz.triage.buckets import collect
    from chcfuzz.triage.buckets.buckets import FILE
    from chcfuzz.triage.buckets.known_issues import known_issues

    missing = next((path for path in given.inputs if not path.exists()), None)
    if missing is not None:
        raise UsageError(f"no findings {str(missing)!r}; run a campaign, or name its --findings or a buckets.json")
    into = given.buckets
    if into is None:
        first = given.inputs[0]
        into = first / FILE if first.is_dir() else first

    def solving(record: dict[str, Any]) -> Solving:
        return Solving.parsed(chosen(record["solving"], given.words))

    issues = known_issues(given.known)
    buckets = collect.triage(given.inputs, into, solving if given.reduce else None, given.tests)
    rows = collect.told(buckets, issues)
    if given.json:
        print(collect.as_json(rows))
    else:
        collect.print_table(rows, console())
    return 0
