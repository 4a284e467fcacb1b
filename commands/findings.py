"""`chcfuzz findings`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from chcfuzz.commands import json_output
from chcfuzz.commands.inputs import findings_folder
from chcfuzz.commands.subcommand import Uses
from chcfuzz.commands.tables import print_wrapped
from chcfuzz.execution.console import print_error
from chcfuzz.execution.exit_codes import EXIT_USAGE
from chcfuzz.grammar.printable import counted, printable, shortened
from chcfuzz.solvers.solver_names import SOLVER

if TYPE_CHECKING:
    from chcfuzz.triage.findings.record import Finding

NAME, HELP, USES = "findings", "list the findings in a folder, the most severe first", Uses.NONE
EXAMPLES = (
    "chcfuzz findings",
    "chcfuzz findings run/findings --scope maintainers",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("folder", nargs="?", type=Path, default=Path("findings"), metavar="DIR")
    parser.add_argument(
        "--scope",
        choices=("all", "maintainers"),
        default="all",
        help="maintainers: only findings that Spacer's maintainers want reported (default: %(default)s)",
    )
    json_output.add_flag(parser)


def run(given: argparse.Namespace) -> int:
    """Print three lines for each finding; return exit code 2 if one cannot be read."""
    from chcfuzz.triage.findings.folder import solver_in
    from chcfuzz.triage.findings.store import readable_findings

    faults: list[str] = []
    rows = sorted(readable_findings(findings_folder(given.folder), faults.append), key=_rank)
    for fault in faults:
        print_error(f"chcfuzz: {fault}")
    wanted = [row for row in rows if given.scope == "all" or row.record.standing.maintainers]
    if given.json:
        json_output.show([{"folder": str(row.folder), **msgspec.to_builtins(row.record)} for row in wanted])
        return EXIT_USAGE if faults else 0
    for finding in wanted:
        record = finding.record
        pairs = (pair for pair in record.parameters.items() if not (record.releases and pair[0] == SOLVER))
        parameters = ", ".join(map("=".join, pairs))
        solver = solver_in(record) if record.releases or record.command else f"z3 {record.z3}"
        print(printable(finding.folder.name))
        print_wrapped(printable(f"  {solver}, {parameters or 'default parameters'}: {shortened(record.witness)}"))
        print_wrapped(printable(f"  {record.standing.words}"))
    print(f"{len(wanted)} of {counted(len(rows), 'finding')}")
    return EXIT_USAGE if faults else 0


def _rank(finding: Finding) -> tuple[int, int, Path]:
    """Order findings: severe ones first, then those that need fewer options."""
    from chcfuzz.oracles.verdict import Severity
    from chcfuzz.triage.examine.finding_scope import Switches

    standing = finding.record.standing
    return list(Severity).index(standing.severity), list(Switches).index(standing.switches), finding.folder
