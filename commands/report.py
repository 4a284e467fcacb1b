"""`chcfuzz report`."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from chcfuzz.commands import json_output
from chcfuzz.commands.common_flags import How
from chcfuzz.commands.inputs import findings_folder
from chcfuzz.commands.own_file import add_flag, finding_of, is_own
from chcfuzz.commands.subcommand import Uses
from chcfuzz.commands.tables import print_wrapped
from chcfuzz.execution.console import print_error
from chcfuzz.execution.domain import solving_of
from chcfuzz.execution.exit_codes import EXIT_USAGE
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printable import printable
from chcfuzz.solvers import python, z3_release

if TYPE_CHECKING:
    from chcfuzz.triage.buckets.buckets import Bucket
    from chcfuzz.triage.buckets.known_issues import Issue
    from chcfuzz.triage.buckets.queue import ReportCandidate
    from chcfuzz.triage.buckets.reported import ReportedFinding

NAME, HELP, USES = "report", "write a bug report on a finding, with files that reproduce it", Uses.INSTALLED
EXAMPLES = (
    "chcfuzz report findings/wrong-model-ed2298-7c8717863a1e --out report/",
    "chcfuzz report mine.smt2 --command ./mysolver --out report/",
    "chcfuzz report --queue findings/",
    "chcfuzz report findings/wrong-model-ed2298-7c8717863a1e --bundle --out reports/z3/24-short-name",
    "chcfuzz report --check reports/z3/01-equal-arrays",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument(
        "finding",
        nargs="?",
        metavar="FINDING|BUCKET|FILE",
        help="a finding's folder, the name of a bucket, a file, or - for standard input",
    )
    parser.add_argument(
        "--queue",
        nargs="+",
        type=Path,
        metavar="DIR",
        help="list the buckets of these findings folders in the order in which to file them, by each project's rules",
    )
    parser.add_argument(
        "--bundle",
        action="store_true",
        help="write a folder that is ready to be filed: issue.md, input.smt2, the right answer, a fix if there is one",
    )
    parser.add_argument(
        "--check",
        nargs="+",
        type=Path,
        metavar="DIR",
        help="check such folders: their form, and the output of each command that issue.md shows; return 1 for a fault",
    )
    parser.add_argument(
        "--program",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="the executable behind a command that --check runs (default: the z3 of the newest release in the cache or "
        "installed, cvc5 and bitwuzla as packages, princess and smtinterpol if their jars are in the cache); scripts "
        "of the folder run only if python is named here; can be repeated",
    )
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
    parser.add_argument(
        "--no-bisect",
        action="store_true",
        help="do not search the releases that show the finding, which downloads those that are not in the cache",
    )
    add_flag(parser)
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Write the report, and print its path; or print the queue, and return exit code 2 if a finding cannot be read."""
    if sum(one is not None for one in (given.finding, given.queue, given.check)) != 1:
        raise UsageError("name one finding or bucket to report, findings folders with --queue, or folders with --check")
    for name in given.recheck or ():
        z3_release.check_named(name, Path(name) if Path(name).is_dir() else None)
    if given.queue is not None:
        return _print_queue(given)
    if given.check is not None:
        return _print_faults(given.check, given)
    from chcfuzz.triage.buckets.buckets import FILE, bucketed, read_buckets
    from chcfuzz.triage.buckets.issue_draft import write_draft
    from chcfuzz.triage.buckets.known_issues import known_issues
    from chcfuzz.triage.buckets.report import (
        ReportChecks,
        check_new,
        reported,
        representative,
        siblings_of,
        write_report,
    )
    from chcfuzz.triage.findings.record import Finding

    finding = Path(given.finding)
    if is_own(finding):
        finding = finding_of(finding, solving_of(given), given.findings)
        given.finding = str(finding)
    file = given.buckets or (finding.resolve().parent if finding.is_dir() else Path("findings")) / FILE
    buckets = bucketed(read_buckets(file))
    if not finding.is_dir():
        finding = representative(given.finding, buckets, file.parent)
    out = given.out or Path(f"report-{finding.resolve().name if Path(given.finding).is_dir() else given.finding}")
    check_new(out)
    Finding.read(finding)
    siblings, issues = siblings_of(finding, buckets, file.parent), known_issues(given.known)
    if not given.no_bisect:
        _bisect(finding, How(given.json))
    if given.bundle:
        write_draft(reported(finding, siblings), out, issues, _programs(given.program))
        return _print_faults([out], given)
    reruns = tuple(_rerun(finding, name)[:2] for name in given.recheck or _newest())
    checks = ReportChecks(reruns=reruns, output=_output(reported(finding)))
    written = write_report(finding, out, issues, checks, siblings)
    if given.json:
        json_output.show({"report": str(written)})
    else:
        print(written)
    return 0


def _output(found: ReportedFinding) -> str:
    """Return all that the solver prints for the reported system; empty if it is not at hand."""
    from chcfuzz.triage.buckets.issue_folder import printed
    from chcfuzz.triage.buckets.reported import command_of

    try:
        release = z3_release.chosen(found.record.z3, None)
    except ChcfuzzError:
        release = None
    command = command_of(found, str(release.executable) if release and release.executable else "")
    return printed(command, found.finding.folder) if command and shutil.which(command[0]) else ""


def _bisect(finding: Path, how: How) -> None:
    """Search the releases that show a finding, unless they are known; a reason against it is printed."""
    from chcfuzz.commands.locate import progress
    from chcfuzz.triage.findings.location import read_location
    from chcfuzz.triage.findings.record import Finding
    from chcfuzz.triage.locate.case import save
    from chcfuzz.triage.locate.locating import Locating
    from chcfuzz.triage.reduce.condition import read_finding

    record = Finding.read(finding).record
    location, solving = read_location(finding), Solving.parsed(record.solving)
    if (location is not None and location.versions is not None) or record.is_of_build:
        return
    if not (record.releases or (solving.uses_z3 and not solving.solver)):
        return  # a command, or a class in the place of Spacer, whose releases are not known
    try:
        with progress(how) as show:
            locating = Locating(read_finding(finding), solving, 1, show)
            try:
                locating.run_in_releases()
            finally:
                if locating.location.versions is not None:
                    save(finding, locating.location)
    except ChcfuzzError as error:
        print_error(f"chcfuzz: other releases were not tested: {error}")


def _print_faults(folders: Sequence[Path], given: argparse.Namespace) -> int:
    """Print the faults of folders that are ready to be filed; return 1 if there are any."""
    from chcfuzz.triage.buckets.issue_folder import faults_of

    programs = _programs(given.program)
    found = {str(folder): list(faults_of(folder, programs)) for folder in folders}
    if given.json:
        json_output.show({"faults": {printable(name): [*map(printable, faults)] for name, faults in found.items()}})
    else:
        for name, faults in found.items():
            for line in faults or ["ready"]:
                print(printable(f"{name}: {line}"))
    return 1 if any(found.values()) else 0


def _programs(named: Sequence[str]) -> dict[str, Sequence[str]]:
    """Return the programs that issues may use: packages of solvers, and those that a user named.

    Raises `UsageError` for a name without a file.
    """
    from chcfuzz.execution.domain import load
    from chcfuzz.mutators.roots import DOMAINS
    from chcfuzz.triage.findings.scripts import CVC5_PROGRAM

    installed = z3_release.installed()
    newest = next(iter(_newest()), None)
    release = installed if installed and installed.version == newest else z3_release.chosen(newest, None)
    found: dict[str, Sequence[str]] = {"cvc5": python.command("-c", CVC5_PROGRAM)}
    if release is not None and release.executable is not None:
        found["z3"] = [str(release.executable)]
    for domain in DOMAINS:
        found |= load(domain).reporting_programs()
    for one in named:
        name, _, file = one.partition("=")
        if not Path(file).is_file():
            raise UsageError(f"--program {one!r} does not name a file; write it like z3=build/z3")
        found[name] = [str(Path(file).absolute())]  # not what a link leads to, or a Python would lose its packages
    return found


def _print_queue(given: argparse.Namespace) -> int:
    from chcfuzz.triage.buckets.buckets import FILE, bucketed, joined, read_buckets
    from chcfuzz.triage.buckets.known_issues import known_issues, projects
    from chcfuzz.triage.buckets.queue import lines, queue
    from chcfuzz.triage.buckets.traits import readable

    folders: dict[str, Path] = {}
    faults: list[str] = []
    members, here = [], []
    for folder in map(findings_folder, given.queue):
        members += read_buckets(folder / FILE)
        for finding, traits in readable(folder, faults.append):
            folders[finding.folder.name] = finding.folder
            here.append(traits)
    for fault in faults:
        print_error(f"chcfuzz: {fault}")
    issues = known_issues(given.known)
    releases = given.recheck or _newest()
    found = [_candidate(bucket, folders, issues, releases) for bucket in bucketed(joined(members, here))]
    entries = queue([one for one in found if one is not None], projects(given.known))
    if given.json:
        json_output.show({"queue": [printable(line) for line in lines(entries)]})
    else:
        for line in lines(entries) or ["no findings"]:
            print_wrapped(printable(line))
    return EXIT_USAGE if faults else 0


def _candidate(
    bucket: Bucket, folders: Mapping[str, Path], issues: Sequence[Issue], releases: Sequence[str]
) -> ReportCandidate | None:
    """Return a bucket with its cause and its result in the last of the releases; None if its findings are elsewhere."""
    from chcfuzz.triage.buckets.cause import known_cause
    from chcfuzz.triage.buckets.known_issues import known_as
    from chcfuzz.triage.buckets.queue import ReportCandidate
    from chcfuzz.triage.findings.record import Finding

    here = [(traits, folders[traits.name]) for traits in bucket.by_size if traits.name in folders]
    if not here:
        return None
    (traits, first), *others = here
    cause = known_cause(Finding.read(first), traits, [Finding.read(path) for _, path in others])
    known = known_as(bucket, issues)
    if not releases or any(issue.sure for issue in known):
        return ReportCandidate(bucket, str(first), cause, known)
    return ReportCandidate(bucket, str(first), cause, known, *_rerun(first, releases[-1]))


def _newest() -> list[str]:
    """Return the newest release that needs no download."""
    installed = z3_release.installed()
    found = [*z3_release.in_cache(), *([installed.version] if installed else [])]
    return [max(found, key=lambda version: tuple(map(int, version.split("."))))] if found else []


def _rerun(finding: Path, name: str) -> tuple[str, str, bool | None]:
    """Run a finding in a release or a build; return its name, the result, and whether the finding still shows.

    The last part is None if the run does not decide that, or if it was not possible.
    """
    from chcfuzz.triage.findings.record import Finding
    from chcfuzz.triage.locate.messages import Side
    from chcfuzz.triage.locate.rerun import rerun

    build = Path(name) if Path(name).is_dir() else None
    label = f"the build {build.resolve().name}" if build else f"z3-solver {name}"
    try:
        recorded = Solving.parsed(Finding.read(finding).record.solving)
        if not recorded.uses_z3 or recorded.solver:
            return label, "not run, because the finding is not one of this solver", None
        release = None if build else z3_release.released(name).version
        side, result = rerun(finding, replace(recorded, z3=release, z3_library=build, cross=()))
    except ChcfuzzError as error:
        return label, f"not run ({error})", None
    return label, result, {Side.FAILING: True, Side.PASSING: False}.get(side)
