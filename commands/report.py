"""`chcfuzz report`."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from chcfuzz.commands.command import Uses
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers import z3_release

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
        metavar="FILE",
        help="the file with the bucket, in the folder of its findings (default: buckets.json beside the finding, or in "
        "findings)",
    )
    parser.add_argument(
        "--known", action="append", default=[], type=Path, metavar="FILE", help="more known issues; can be repeated"
    )
    parser.add_argument(
        "--recheck",
        action="append",
        metavar="VERSION|DIR",
        help="run the finding again in this release of z3-solver, or in the build in this folder, for example a "
        "nightly one; can be repeated (default: the newest release in the cache or installed)",
    )


def run(given: argparse.Namespace) -> int:
    """Write the report, and print its path."""
    from chcfuzz.triage.buckets.buckets import FILE, bucketed, read_buckets
    from chcfuzz.triage.buckets.known_issues import known_issues
    from chcfuzz.triage.buckets.report import Checks, representative, siblings_of, write_report

    finding = Path(given.finding)
    file = given.buckets or (finding.parent if finding.is_dir() else Path("findings")) / FILE
    buckets = bucketed(read_buckets(file))
    if not finding.is_dir():
        finding = representative(given.finding, buckets, file.parent)
    out = given.out or Path(f"report-{Path(given.finding).name}")
    checks = Checks(reruns=tuple(_rerun(finding, name) for name in given.recheck or _newest()))
    print(write_report(finding, out, known_issues(given.known), checks, siblings_of(finding, buckets, file.parent)))
    return 0


def _newest() -> list[str]:
    """Return the newest release that needs no download."""
    installed = z3_release.installed()
    found = [*z3_release.in_cache(), *([installed.version] if installed else [])]
    return [max(found, key=lambda version: tuple(map(int, version.split("."))))] if found else []


def _rerun(finding: Path, name: str) -> tuple[str, str]:
    """Run a finding in a release or a build; return its name, and the result or the reason why it did not run."""
    from chcfuzz.triage.findings.record import Finding
    from chcfuzz.triage.locate.rerun import rerun

    build = Path(name) if Path(name).is_dir() else None
    label = f"the build {build.resolve().name}" if build else f"z3-solver {name}"
    try:
        recorded = Solving.parsed(Finding.read(finding).record.solving)
        if not recorded.uses_z3 or recorded.solver:
            return label, "not run, because the finding is not one of this solver"
        release = None if build else z3_release.released(name).version
        solving = replace(recorded, z3=release, z3_library=build, cross=())
        return label, rerun(finding, solving)[1]
    except ChcfuzzError as error:
        return label, f"not run ({error})"
