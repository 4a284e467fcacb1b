"""`chcfuzz minimize`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from chcfuzz.campaign.corpus_folder import check_corpora
from chcfuzz.commands import json_output
from chcfuzz.commands.common_flags import add_json_or_file
from chcfuzz.commands.subcommand import Uses
from chcfuzz.execution.files import see_writable, write_named
from chcfuzz.execution.flags import add_shard
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.printable import counted

if TYPE_CHECKING:
    from chcfuzz.corpus_tools.minimize import Minimized

NAME, HELP, USES = "minimize", "copy the cheapest units of a corpus that have all of its features", Uses.GIVEN
EXAMPLES = (
    "chcfuzz minimize grown/ small/",
    "chcfuzz minimize grown/ small/ --by traces --json kept.json",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("source", type=Path, metavar="SRC", help="a corpus")
    parser.add_argument("into", type=Path, metavar="DST", help="a new folder")
    parser.add_argument(
        "--by",
        choices=("traces", "edges", "both"),
        help="features to keep: unique traces, edges of a traced build, or both (default: both if there are edges)",
    )
    add_shard(
        parser,
        "minimize only the part I of N, as in an array of jobs; minimize the units that are left of all parts last",
    )
    add_json_or_file(parser)
    Solving.add_flags(parser)


def check(given: argparse.Namespace) -> None:
    """Check the corpus, the features, and what is written."""
    from chcfuzz.corpus_tools.minimize import check_new

    check_corpora([given.source])
    check_new(given.into)
    by = _by(given)
    if by != "traces" and not _has_edges(given):
        raise UsageError(f"--by={by} needs a build with edge counters: name it with --z3-library, or use --by=traces")
    if given.json and given.json != json_output.STANDARD_OUTPUT:
        see_writable(given.json)


def _has_edges(given: argparse.Namespace) -> bool:
    solving: Solving = given.solving
    return solving.uses_z3 and solving.counts_edges


def _by(given: argparse.Namespace) -> str:
    """Return the features to keep."""
    return given.by or ("both" if _has_edges(given) else "traces")


def run(given: argparse.Namespace) -> int:
    """Minimize the corpus, and print the result."""
    from chcfuzz.corpus_tools.minimize import minimize

    by = _by(given)
    prints_json = given.json == json_output.STANDARD_OUTPUT
    result = minimize(given.source, given.into, given.solving, by, given.shard)
    if prints_json:
        json_output.show(json.loads(result.to_json(by)))
        return 0
    print("\n".join(summary(result, by)))
    if given.json:
        write_named(given.json, result.to_json(by))
    return 0


def summary(result: Minimized, by: str) -> list[str]:
    """Return the lines that describe the result."""
    features = [counted(sum(each.traces for each in result.chosen), "trace")] if by != "edges" else []
    features += [f"{sum(each.edges for each in result.chosen)} edges with counts"] if by != "traces" else []
    lines = [
        f"{counted(result.units, 'unit')}: {' and '.join(features)}",
        f"kept      {counted(len(result.chosen), 'unit')}, {counted(result.cost, 'resource unit')}: "
        "the cheapest with all of these features",
        f"          (libFuzzer's merge, the smallest: {counted(result.merged, 'unit')}, {result.merged_cost})",
        f"left out  {result.alike} without features that cheaper units lack",
    ]
    if result.undecided:
        lines.append(f"          {result.undecided} that the solver does not decide")
    if result.silent:
        lines.append(f"          {result.silent} with the mutant of another unit, or that crash the solver")
    if result.refused:
        lines.append(f"          {counted(len(result.refused), 'file')} without a unit; the first: {result.refused[0]}")
    return lines
