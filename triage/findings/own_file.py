"""A problem of the user: it is executed once, and a suspicious answer is examined like one of a campaign.

If nothing contradicts the answer and no witness supports it, the answer itself is examined: a witness is searched for
it, and for the opposite one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chcfuzz.execution.reports import RunReport
from chcfuzz.execution.seed_answers import SeedAnswers
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import HelperProcess
from chcfuzz.oracles.verdict import Subject, VerdictKind, facts_of
from chcfuzz.solvers.outcome import Status
from chcfuzz.triage.examine.conclusion import End
from chcfuzz.triage.examine.confirm import Confirmation, confirm
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.confirmation_queue import ConfirmationQueue
from chcfuzz.triage.findings.own_file_messages import FileQuery, FileReady, FileReply
from chcfuzz.triage.findings.own_file_text import RunVerdict, sentences
from chcfuzz.triage.findings.store import FindingStore

_FOUND = (End.CONFIRMED, End.CONTRADICTION, End.BROKEN_PROMISE)
_PER_BUCKET = 1 << 20  # a user's own file is always kept


@dataclass(frozen=True)
class Examined:
    """The verdict on a problem: `judged` has its facts; `confirmation` is the examination behind it, if there was one.

    `is_finding` is false for an answer that is right, or that only lacks a witness.
    """

    judged: RunVerdict
    confirmation: Confirmation | None = None
    is_finding: bool = False

    @property
    def lines(self) -> list[str]:
        """The verdict and its witness, in sentences."""
        return sentences(self.judged)


def examine(unit: bytes, solving: Solving) -> Examined:
    """Execute a problem once, and examine its answer; raises `ConfirmError`, and `HelperError` if that fails."""
    process = HelperProcess("chcfuzz.triage.findings.own_file_worker", solving)
    try:
        reply = process.request(FileQuery(unit), FileReply)
        inside = process.ready(FileReady).solver
    finally:
        process.end()
    if reply.death is not None or reply.report is None:
        report = RunReport(status=Status.CRASH.value, reason=reply.death or "")
        judged = RunVerdict(reply.solver or inside, report, solving=solving.arguments)
        found = [Suspicion(unit, VerdictKind.CRASH.value, solving=solving.arguments, solver=inside)]
    else:
        judged = RunVerdict(reply.solver, reply.report, solving=solving.arguments)
        found = [one for one in map(Suspicion.read, reply.suspicions) if one is not None]
    doubt = Suspicion.read(reply.doubt)
    if doubt is None or any(facts_of(one.kind).subject is Subject.ANSWER for one in found):
        return _first_finding(judged, found, solving) or Examined(judged)
    about_answer = confirm(doubt, solving)
    answered = Examined(judged.concluded(about_answer.conclusion, is_doubt=True), about_answer)
    if about_answer.end is End.CONFIRMED:
        return replace(answered, is_finding=True)
    return _first_finding(judged, found, solving) or answered


def _first_finding(judged: RunVerdict, found: Sequence[Suspicion], solving: Solving) -> Examined | None:
    """Return the first of the suspicions that is a finding; the last one if none is, None without suspicions.

    A contradiction is a finding of a campaign even if a witness shows that the answer is right, and another one wrong.
    """
    examined = None
    for suspicion in found:
        confirmation = confirm(suspicion, solving)
        is_right = confirmation.end is End.CONTRADICTION and confirmation.conclusion.against is not None
        is_finding = confirmation.end in _FOUND and not is_right
        examined = Examined(judged.concluded(confirmation.conclusion), confirmation, is_finding)
        if is_finding:
            break
    return examined


def kept(examined: Examined, findings: Path, solving: Solving) -> Path | None:
    """Write the finding of an examined problem into a findings folder; return its own folder, None without a finding.

    Raises `FindingsError` if the folder cannot be written.
    """
    if not examined.is_finding or examined.confirmation is None:
        return None
    store = FindingStore(findings, _PER_BUCKET)
    store.prepare()
    queue = ConfirmationQueue(store, SeedAnswers(findings), lambda _kind, _name: None, lambda _suspicion: solving)
    kind, signature = examined.confirmation.conclusion.kind, examined.confirmation.signature
    existing = store.of_unit(examined.confirmation.unit, kind, signature.solver)
    if existing is not None:
        queue.examiner.announcements.print_line(f"the finding is known: {existing}")
        return existing
    return queue.examiner.store_result(examined.confirmation).folder
