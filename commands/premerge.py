"""`chcfuzz premerge`."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from chcfuzz.campaign.corpus_folder import check_corpora
from chcfuzz.commands import json_output
from chcfuzz.commands.inputs import findings_folder
from chcfuzz.commands.subcommand import Uses
from chcfuzz.execution.codec import parsed
from chcfuzz.execution.domain import check_flags, load
from chcfuzz.execution.files import read_plain, see_folder, see_writable
from chcfuzz.execution.flags import duration, positive, positive_float
from chcfuzz.execution.recorded_flags import code_flags
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.grammar.printable import counted
from chcfuzz.solvers import python, z3_release
from chcfuzz.solvers.command import packed
from chcfuzz.solvers.process_group import ProcessGroup, Streams

if TYPE_CHECKING:
    from chcfuzz.triage.findings.record import Finding

NAME, HELP, USES = (
    "premerge",
    "judge a branch of a solver before a merge: regress, then a short campaign",
    Uses.INSTALLED,
)
EXAMPLES = (
    "chcfuzz premerge --base 5.4.1.0 --branch ~/z3/build corpus/ --findings findings/",
    "chcfuzz premerge --base 5.4.1.0 --branch ~/z3-traced --checkout ~/z3 --since origin/master",
    "chcfuzz premerge --base ./old --branch ./new --minutes 5 --markdown comment.md",
)
REGRESSION, RUN, REPEATED, NEAR = "regression.json", "run", "repeated.json", "near"
_FINE = {
    "regress": (0, 1),
    "fuzz": (0, 3),
    "confirm": (0, 1),
    "corpus": (0,),
}  # exit codes of commands that have done their work
_MINUTES, _QUIET = 10.0, 600.0
_SECOND_OPINION = 5  # one mutant in N is also solved by the base


@dataclass(frozen=True)
class BranchVerdict:
    """The record of the regression, the findings of the campaign, and the names of those that the base lacks.

    `near` describes the units near changed functions, and `waiting` the suspicions of the campaign that were not
    examined in time; both are empty without any.
    """

    regression: Mapping[str, Any]
    findings: Sequence[Finding]
    new: frozenset[str]
    near: str = ""
    waiting: str = ""

    @property
    def worse(self) -> list[Mapping[str, Any]]:
        """The changes of units for which the branch fails."""
        from chcfuzz.corpus_tools.regress import FAILURES

        return [change for change in self.regression["changes"] if change["change"] in FAILURES]

    @property
    def fails(self) -> bool:
        """Whether the branch must not be merged."""
        return bool(self.worse or self.new)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    solver = "a release of z3-solver, the folder of a build, or a command"
    parser.add_argument("corpora", nargs="*", type=Path, metavar="CORPUS", help="corpora (default: the packaged one)")
    parser.add_argument("--base", required=True, metavar="SOLVER", help=f"the solver without the branch: {solver}")
    parser.add_argument("--branch", required=True, metavar="SOLVER", help=f"the solver with the branch: {solver}")
    parser.add_argument(
        "--checkout",
        type=Path,
        metavar="DIR",
        help="the checkout of Z3 of which the traced build of the branch was made: the seeds of the campaign are the "
        "units that execute changed functions, if there are any",
    )
    parser.add_argument(
        "--since", default="HEAD^", metavar="REVISION", help="the base in --checkout (default: %(default)s)"
    )
    parser.add_argument("--findings", type=Path, metavar="DIR", help="known findings, which also run on the branch")
    parser.add_argument(
        "--minutes",
        type=positive_float,
        default=_MINUTES,
        metavar="M",
        help="of the campaign; as long again, at most, for suspicions that it had no time to examine (default: "
        "%(default)s)",
    )
    parser.add_argument(
        "--stop-after-quiet",
        type=duration,
        default=_QUIET,
        metavar="TIME",
        help="end the campaign when less than one new trace is expected in this time (default: 10m)",
    )
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="parallel units and workers (default: 1)")
    parser.add_argument(
        "--into", type=Path, default=Path("premerge"), metavar="DIR", help="a new folder for all results"
    )
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the summary for a pull request")
    json_output.add_flag(parser)
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Run both parts and print the summary; return 1 if the branch is worse than the base."""
    from chcfuzz.corpus_tools.regress import against

    both = base, branch = tuple(against(text, Solving.of(given)) for text in (given.base, given.branch))
    for solving in both:
        check_flags(solving)
    seeds = load(branch.domain).seeds
    corpora = given.corpora or ([seeds] if seeds else [])
    _check_paths(given, corpora)
    given.into.mkdir(parents=True, exist_ok=True)
    found = BranchVerdict(
        *_results(given, base, branch, corpora),
        near=_counted_near(given),
        waiting=_waiting(given.into / RUN / "findings", branch),
    )
    text = markdown(found)
    if given.markdown is not None:
        _write(given.markdown, text)
    if given.json:
        names = sorted(one.folder.name for one in found.findings)
        json_output.show(
            {
                "worse": found.worse,
                "findings": names,
                "new": sorted(found.new),
                "fails": found.fails,
                "waiting": found.waiting,
            }
        )
    else:
        print(text, end="")
    return 1 if found.fails else 0


def _check_paths(given: argparse.Namespace, corpora: Sequence[Path]) -> None:
    """Raise `UsageError` for files and folders that cannot be used, before the first minutes are spent."""
    if given.into.is_file() or (given.into.is_dir() and any(given.into.iterdir())):
        raise UsageError(f"{str(given.into)!r} exists; remove it, or name a new folder with --into")
    see_folder(given.into)
    if not corpora:
        raise UsageError("no corpus comes with this domain; name one")
    check_corpora(corpora)
    if given.findings is not None:
        findings_folder(given.findings)
    if given.markdown is not None:
        see_writable(given.markdown)


def _results(
    given: argparse.Namespace, base: Solving, branch: Solving, corpora: Sequence[Path]
) -> tuple[Mapping[str, Any], Sequence[Finding], frozenset[str]]:
    """Run the regression and the campaign; return the record, the findings, and the names of those that are new."""
    from chcfuzz.triage.findings.record import RECIPE
    from chcfuzz.triage.findings.store import findings_in
    from chcfuzz.triage.findings.suspicions import Suspicions

    file, folder = given.into / REGRESSION, given.into / RUN
    known = [f"--findings={given.findings}"] if given.findings else []
    flags = [*branch.arguments, f"--against={given.base}", f"--jobs={given.jobs}"]
    seeds = _near(given, branch, corpora) if given.checkout else corpora  # first: a wrong revision is noticed at once
    _chcfuzz("regress", *flags, *known, f"--json={file}", *map(str, corpora))
    limits = [f"-max_total_time={int(60 * given.minutes)}", f"--stop-after-quiet={given.stop_after_quiet:.0f}"]
    campaign = [*branch.arguments, *_partner(base), *limits, f"--workers={given.jobs}", f"--run-dir={folder}"]
    _chcfuzz("fuzz", *campaign, *map(str, seeds))
    if Suspicions(folder / "findings").names():
        _chcfuzz("confirm", *branch.arguments, f"--minutes={given.minutes}", str(folder / "findings"))
    findings = findings_in(folder / "findings")
    if not findings:
        return _read(file), [], frozenset()
    repeated = given.into / REPEATED
    _chcfuzz("regress", *flags, f"--json={repeated}", *(str(one.folder / RECIPE) for one in findings))
    return _read(file), findings, _new(_read(repeated))


def _near(given: argparse.Namespace, branch: Solving, corpora: Sequence[Path]) -> Sequence[Path]:
    """Return the folder with the units that execute changed functions; all corpora without such units."""
    into = given.into / NEAR
    words = [f"--checkout={given.checkout}", f"--since={given.since}", f"--into={into}"]
    _chcfuzz("corpus", "near", *map(str, corpora), *words, *branch.arguments)
    return [into] if any(into.iterdir()) else corpora


def _read(file: Path) -> dict[str, Any]:
    return cast("dict[str, Any]", parsed(read_plain(file)))


def _counted_near(given: argparse.Namespace) -> str:
    """Return the number of units that execute changed functions; empty without a checkout."""
    return counted(sum(1 for _ in (given.into / NEAR).iterdir()), "unit") if given.checkout else ""


def _waiting(findings: Path, branch: Solving) -> str:
    """Return the suspicions that were not examined in time, with the command that does; empty without any."""
    from chcfuzz.triage.examine.suspicion import kinds_waiting
    from chcfuzz.triage.findings.suspicions import Suspicions

    names = Suspicions(findings).names()
    if not names:
        return ""
    number = f"{counted(len(names), 'suspicion', 'was', 'were')} not examined"
    return f"{number}{kinds_waiting(names)}; `chcfuzz confirm {shlex.quote(str(findings))}{code_flags(branch)}`"


def _new(repeated: Mapping[str, Any]) -> frozenset[str]:
    """Return the names of the findings that the branch shows and the base does not."""
    from chcfuzz.corpus_tools.regress import FAILURES

    return frozenset(Path(one["unit"]).parent.name for one in repeated["changes"] if one["change"] in FAILURES)


def _partner(base: Solving) -> list[str]:
    """Return the flags by which the base solves mutants of the branch, too."""
    often = f"--second-opinion={_SECOND_OPINION}"
    if base.command is not None:
        return [often, f"--cross={packed(base.command)}"]
    if base.z3 is not None:
        return [often, f"--cross-z3={base.z3}"]
    release = z3_release.chosen(None, base.z3_library)
    program = None if release is None else release.executable
    return [] if program is None else [often, f"--cross={packed(shlex.join([str(program)]))}"]


def _chcfuzz(*words: str) -> None:
    """Run a command of chcfuzz that prints to standard error; raises `UsageError` if it cannot run."""
    command = python.command("-m", "chcfuzz.commands", *words)
    with ProcessGroup(command, Streams(stdout=sys.stderr.fileno()), python.environment()) as process:
        process.wait()
    code = process.close()
    if code not in _FINE[words[0]]:
        raise UsageError(f"`chcfuzz {words[0]}` ended with exit code {code}; its last line has the reason")


def markdown(found: BranchVerdict) -> str:
    """Return the summary as Markdown."""
    record = found.regression
    counts = ", ".join(f"{number} {name}" for name, number in record["counts"].items() if number)
    verdict = "**worse than the base**" if found.fails else "not worse than the base"
    verdict += ", as far as examined" if found.waiting and not found.fails else ""
    lines = [f"### chcfuzz: {verdict}", "", f"`{record['new']}` against `{record['old']}`", ""]
    lines += [f"- corpus: {counted(record['units'], 'unit')}: {counts}"]
    lines += [f"  - {_change(change)}" for change in found.worse]
    lines += [_known(record["known"])] if record["known"] else []
    old = len(found.findings) - len(found.new)
    lines += [f"- campaign: {counted(len(found.new), 'new finding')}, {old} that the base shows, too"]
    lines += [f"  - {found.waiting}"] if found.waiting else []
    lines += [f"  - its seeds: {found.near} with changed functions"] if found.near else []
    for one in found.findings:
        if one.folder.name in found.new:
            lines.append(f"  - {one.record.kind}: {one.record.witness} (`{one.folder.name}`)")
    return "\n".join([*lines, ""])


def _change(change: Mapping[str, Any]) -> str:
    unit = Path(change["unit"])
    answers = f"{change['old']['answer']} before, {change['new']['answer']} now"
    return f"{change['change']}: `{unit.name}`, {answers}; expected: {change['expected'] or 'unknown'}"


def _known(known: Sequence[Mapping[str, Any]]) -> str:
    there = sum(one["is_there"] for one in known)
    return f"- known findings: {there} of {len(known)} still there"


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text)
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}; name another file with --markdown") from error
