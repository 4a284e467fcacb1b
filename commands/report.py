"""`chcfuzz report`."""

from __future__ import annotations

import argparse
from pathlib import Path

from chcfuzz.commands.command import Uses

NAME, HELP, USES = "report", "write a bug report on a finding, with files that reproduce it", Uses.INSTALLED
EXAMPLES = ("chcfuzz report findings/wrong-model-ed2298-7c8717863a1e --out report/",)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("finding", metavar="FINDING|BUCKET", help="a finding's folder, or the name of a bucket")
    parser.add_argument("--domain", metavar="NAME", help="the domain of the finding, if it is not one of chcfuzz's own")
    parser.add_argument("--out", type=Path, metavar="DIR", help="a new folder (default: report-NAME)")
    parser.add_argument(
        "--buckets",
        type=Path,
        default=Path("findings", "buckets.json"),
        metavar="FILE",
        help="the file with the bucket, in the folder of its findings (default: %(default)s)",
    )
    parser.add_argument(
        "--known", action="append", default=[], type=Path, metavar="FILE", help="more known issues; can be repeated"
    )


def run(given: argparse.Namespace) -> int:
    """Write the report, and print its path."""
    from chcfuzz.triage.buckets.buckets import bucketed, read_buckets
    from chcfuzz.triage.buckets.known_issues import known_issues
    from chcfuzz.triage.buckets.report import representative, write_report

    finding = Path(given.finding)
    if not finding.is_dir():
        finding = representative(given.finding, bucketed(read_buckets(given.buckets)), given.buckets.parent)
    out = given.out or Path(f"report-{Path(given.finding).name}")
    print(write_report(finding, out, known_issues(given.known)))
    return 0
