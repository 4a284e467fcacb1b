"""Suspicious verdicts of a worker: written to the findings folder, or confirmed at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from chcfuzz.campaign.background_triage import BackgroundTriage
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.execution.console import print_error
from chcfuzz.execution.pipeline import Execution
from chcfuzz.execution.recorded_flags import trusted
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles import outcome_checks
from chcfuzz.solvers.outcome import Status
from chcfuzz.triage.buckets.known_issues import recognized
from chcfuzz.triage.buckets.traits import read_traits
from chcfuzz.triage.examine.suspect import Suspect, suspects
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.confirmation_queue import ConfirmationQueue
from chcfuzz.triage.findings.record import FolderName
from chcfuzz.triage.findings.store import FindingsError, FindingStore
from chcfuzz.triage.findings.suspicions import Suspicions


@dataclass(frozen=True)
class ReportedVerdict:
    """A reported verdict: the kind of the finding, and the name of its suspicion."""

    kind: str
    suspicion: str


class Reporter:
    """Reports suspicious verdicts of one worker; each method returns what it has reported, or None."""

    def __init__(self, context: WorkerContext) -> None:
        options = context.options
        self._context = context
        self._suspicions = Suspicions(options.findings)
        self._printed: set[str] = set()  # ids of known issues
        self.bucket = ""  # of the finding that ends this process, with --stop-on-finding

    @cached_property
    def _queue(self) -> ConfirmationQueue:
        """The queue of a process that confirms its own suspicions, with --stop-on-finding."""
        options, context = self._context.options, self._context
        return ConfirmationQueue(
            FindingStore(options.findings, options.per_bucket, options.triage),
            context.answers,
            context.session.mark_finding,
            lambda suspicion: trusted(suspicion.solving, options.solving),
        )

    @cached_property
    def _triage(self) -> BackgroundTriage:
        options = self._context.options
        return BackgroundTriage(options.findings, options.triage_tests, options.per_bucket, options.solving)

    def check(self, recipe: Recipe, execution: Execution, limit: int) -> ReportedVerdict | None:
        """Report the findings of an execution, one for each accused solver; return the first."""
        reported = [self.report(suspect, limit) for suspect in suspects(recipe, execution)]
        return next((each for each in reported if each is not None), None)

    def compare(self, recipe: Recipe, mutant: Mutant, status: Status, limit: int) -> ReportedVerdict | None:
        """Compare the cached answer of an equal mutant with the promise of this recipe, which may differ."""
        verdict = outcome_checks.answer(self._context.pipeline.promised(mutant), status)
        self._context.count_contradiction(verdict.kind.is_finding)
        return self.report(Suspect(recipe, mutant, verdict, status), limit) if verdict.kind.is_finding else None

    def report(self, suspect: Suspect, limit: int = 0) -> ReportedVerdict | None:
        """Write a suspicion down; with --stop-on-finding, confirm it now.

        It is examined under the limit of its execution, or under `--rlimit` if that is larger.
        """
        try:
            with self._context.account.charging(Counter.CONFIRM_TIME):
                return self._report(suspect, limit)
        except FindingsError as error:
            self._context.leave(str(error))

    def _report(self, suspect: Suspect, limit: int) -> ReportedVerdict | None:
        if self._context.options.replays_files:
            detail = f": {suspect.verdict.detail}" if suspect.verdict.detail else ""
            print_error(f"chcfuzz: oracle {suspect.verdict.oracle}: {suspect.verdict.kind.value}{detail}")
        count = self._context.counters.add
        is_promised = suspect.verdict.rests_on_promise
        count(Counter.CONTRADICTING_SUSPECTED, is_promised)
        known = self._context.answers.of(suspect.recipe.seed)
        promise = suspect.mutant.promise
        if known is not None and is_promised and promise.expected(known.status) == suspect.seen:
            return None  # a witness has since shown that the seed has the other status
        count(Counter.SUSPICIONS)
        solving = self._context.options.solving
        solving = replace(solving, rlimit=max(limit, solving.rlimit))
        suspicion = self._context.session.stamped(suspect.suspicion(solving, known))
        is_stored = self._suspicions.add(suspicion)
        if is_stored and self._context.options.stop_on_finding and not self._is_confirmed(suspicion):
            return None
        return ReportedVerdict(suspicion.kind, suspicion.name)

    def _is_confirmed(self, suspicion: Suspicion) -> bool:
        """Return whether a suspicion becomes a finding, with --triage one of a new bucket."""
        with self._context.in_flight.paused():
            finding = self._queue.process(suspicion.name)
        if not self._is_news(finding):
            return False
        self.bucket = FolderName.parse(finding.name).signature if finding else ""
        return True

    def _is_news(self, finding: Path | None) -> bool:
        options = self._context.options
        if finding is None or (options.triage and self._triage.is_known(finding)):
            return False
        if options.stop_on_known or not options.is_campaign:  # a unit that is reproduced raises in any case
            return True
        try:
            issue = recognized(read_traits(finding))
        except ChcfuzzError:  # it cannot be read, so it is not known
            return True
        if issue is not None and issue.id not in self._printed:
            self._printed.add(issue.id)
            print_error(f"chcfuzz: this looks like {issue.id} ({issue.url}); --stop-on-known stops at it")
        return issue is None
