"""`chcfuzz findings`."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from chcfuzz.commands.command import Uses
from chcfuzz.commands.inputs import findings_folder

NAME, HELP, USES = "findings", "list the findings in a folder, the grave ones first", Uses.NONE
EXAMPLES = (
    "chcfuzz findings",
    "chcfuzz findings run/findings --scope maintainers",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """See `Command`."""
    parser.add_argument("folder", nargs="?", type=Path, default=Path("findings"), metavar="DIR")
    parser.add_argument(
        "--scope",
        choices=("all", "maintainers"),
        default="all",
        help="maintainers: only what Spacer's maintainers ask to hear of (default: %(default)s)",
    )


def run(given: argparse.Namespace) -> int:
    """Print three lines a finding."""
    from chcfuzz.triage.examine.scope import Severity
    from chcfuzz.triage.findings.store import kept

    order = list(Severity)
    found = kept(findings_folder(given.folder))
    rows = sorted(found, key=lambda row: (order.index(Severity(row[1]["scope"]["severity"])), row[0]))
    wanted = [row for row in rows if given.scope == "all" or row[1]["scope"]["maintainers"]]
    for folder, record in wanted:
        parameters = ", ".join(f"{name}={value}" for name, value in record["parameters"].items())
        solver = shlex.join(record.get("command", [])) or f"z3 {record['z3']}"
        print(f"{folder.name}\n  {solver}, {parameters or 'default parameters'}: {record['witness']}")
        print(f"  {record['scope']['words']}")
    print(f"{len(wanted)} of {len(rows)} findings")
    return 0
