"""The search for the commit that introduced a finding: each tested commit is built, and runs the finding."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from chcfuzz.execution.domain import load
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import HelperError
from chcfuzz.mutators.recipe import encode
from chcfuzz.triage.findings.location import DIFF, Introduction, Location, LocationError, read_location
from chcfuzz.triage.history.builds import BuildError, CommitBuilds
from chcfuzz.triage.history.commits import BAD, GOOD, Bisection, HistoryError, tag_of
from chcfuzz.triage.locate.case import Case, case_of
from chcfuzz.triage.locate.changed_sources import executed_lines
from chcfuzz.triage.locate.finding_variants import tested, variants
from chcfuzz.triage.locate.pool import Neighbour, RunPool
from chcfuzz.triage.reduce.condition import Reducible

_DIGITS = 12  # of the hash that names a finding's verdicts
_COUNTED = ("src/muz/", "src/qe/")  # folders whose edges a traced build counts (tracing/native/edges.allowlist)
_COMPILED = (".cpp", ".h", ".hpp")

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class HistorySearch:
    """The search for the commit that introduced a finding, in a checkout of Z3."""

    finding: Reducible
    solving: Solving
    builds: CommitBuilds
    on_progress: Progress

    def run(self, commits: str | None) -> Location:
        """Bisect the commits GOOD..BAD; without them, those between two releases that `locate --bisect` found.

        Writes the diff of the first bad commit to the finding's folder. Raises `HistoryError` if the commits cannot be
        bisected, and `HelperError` if a process fails.
        """
        checkout = self.builds.checkout
        good, bad = map(checkout.commit, self._ends(commits))
        case = case_of(self.finding, load(self.solving.domain).roots)
        with self.builds.locked():
            bisection = Bisection(checkout, good, bad, self._file(case), lambda commit: self._test(commit, case))
            bisection.run(lambda done, total: self.on_progress("commits", done, total))
            found = self._introduction(bisection, case)
        return Location(case.of, introduction=found)

    def _ends(self, commits: str | None) -> tuple[str, str]:
        """Return the good and the bad revision; raises `HistoryError` if they are not known."""
        if commits is not None:
            good, dots, bad = commits.partition("..")
            if not (good and dots and bad) or bad.startswith("."):
                raise HistoryError(
                    f"--commits {commits!r} is not a range; write GOOD..BAD, such as z3-4.8.17..z3-4.9.1"
                )
            return good, bad
        location = read_location(self.finding.folder)
        bracket = None if location is None or location.versions is None else location.versions.bracket
        if bracket is None:
            where = str(self.finding.folder)
            advice = "run `chcfuzz locate --bisect` first, or name commits with --commits GOOD..BAD"
            raise HistoryError(f"a good release before the first bad one is not known for {where!r}; {advice}")
        good, bad = map(tag_of, bracket)
        return good, bad

    def _file(self, case: Case) -> Path:
        """Return the file with the verdicts on the finding."""
        units = [encode(run.recipe) for run in (_neighbour(case), *self._variants(case))]
        name = hashlib.sha256(repr((units, case.condition.kind)).encode()).hexdigest()[:_DIGITS]
        return self.builds.folder / f"verdicts-{name}.json"

    def _test(self, commit: str, case: Case) -> str:
        """Return the verdict on a commit: `BAD`, `GOOD`, or the reason why it is neither."""
        try:
            with self._pool(self.builds.build(commit), case) as pool:
                result = tested(pool, _neighbour(case), self._variants(case)).result
        except (BuildError, HelperError) as error:
            return str(error)
        return result if result in (BAD, GOOD) else f"undecided: {result}"

    def _variants(self, case: Case) -> tuple[Neighbour, ...]:
        return variants(load(self.solving.domain), self.solving, _neighbour(case).recipe)

    def _pool(self, build: Path, case: Case) -> RunPool:
        return RunPool(case.condition, replace(self.solving, z3=None, z3_library=build))

    def _introduction(self, bisection: Bisection, case: Case) -> Introduction:
        checkout = bisection.checkout
        tested = tuple(bisection.verdicts.items())
        if len(bisection.suspects) != 1:
            return Introduction(tuple(bisection.suspects), tested=tested)
        commit = bisection.suspects[0]
        changed = [path for path in checkout.changed(commit) if path.endswith(_COMPILED)]
        executed = self._executed(commit, case)
        kept = [path for path in changed if not is_idle(path, executed)]
        if kept:
            _write_diff(self.finding.folder, checkout.diff(commit, kept))
        subject, day = checkout.description(commit)
        idle = len(changed) - len(kept)
        return Introduction((commit,), subject, day, tuple(kept), idle, tested)

    def _executed(self, commit: str, case: Case) -> frozenset[str]:
        """Return the names of the files that the finding executes in the build of a commit."""
        with self._pool(self.builds.build(commit), case) as pool:
            observed = pool.run(_neighbour(case))
            lines = executed_lines(pool.places([int(edge) for edge in observed.edges]))
        return frozenset(lines)


def is_idle(path: str, executed: frozenset[str]) -> bool:
    """Return whether a run with these executed files certainly executes nothing of a file.

    Edges of other folders are not counted, and headers may define what is inlined, so both stay.
    """
    is_counted = path.startswith(_COUNTED) and path.endswith(".cpp")
    return bool(executed) and is_counted and Path(path).name not in executed


def _neighbour(case: Case) -> Neighbour:
    return Neighbour("the finding", case.system or case.chain)


def _write_diff(folder: Path, diff: str) -> None:
    try:
        write_whole(folder / DIFF, diff.encode())
    except OSError as error:
        raise LocationError(f"cannot write {str(folder / DIFF)!r}: {error.strerror}; make room there") from error
