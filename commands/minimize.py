"""`chcfuzz minimize`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from chcfuzz.commands.command import Uses
from chcfuzz.execution.files import see_writable, write_whole
from chcfuzz.execution.solving import Solving, UsageError

NAME, HELP, USES = "minimize", "copy the cheapest units of a corpus that show all that it does", Uses.GIVEN
EXAMPLES = (
    "chcfuzz minimize grown/ small/",
    "chcfuzz minimize grown/ small/ --by traces --json kept.json",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """See `Command`."""
    parser.add_argument("source", type=Path, metavar="SRC", help="a corpus")
    parser.add_argument("into", type=Path, metavar="DST", help="a new folder")
    parser.add_argument(
        "--by",
        choices=("traces", "edges", "both"),
        help="what shall stay: unique traces, edges of a traced build, or both (default: both where there are edges)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what was kept and why, for machines")
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Do it, and say what was kept and why."""
    from chcfuzz.corpus_tools.minimize import minimize
    from chcfuzz.solvers.z3_release import active

    has_edges = active().traced is not None and given.solving.command is None
    by = given.by or ("both" if has_edges else "traces")
    if by != "traces" and not has_edges:
        raise UsageError(f"--by={by} needs a build with edge counters: name it with --z3-library, or use --by=traces")
    if given.json:
        see_writable(given.json)
    told = minimize(given.source, given.into, given.solving, by)
    print("\n".join(told.lines(by)))
    if given.json:
        write_whole(given.json, (json.dumps(told.record(by), indent=1) + "\n").encode())
    return 0
