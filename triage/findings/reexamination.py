"""`chcfuzz confirm`: examine everything that waits in a findings folder, and its contradictions again."""

from __future__ import annotations

import math
import time
from collections import Counter as Tally
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.execution.files import read_plain
from chcfuzz.execution.seed_answers import SeedAnswers
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printable import counted
from chcfuzz.mutators import roots
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.triage.examine.conclusion import End
from chcfuzz.triage.examine.confirm import ConfirmError
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.confirmation_queue import ConfirmationQueue
from chcfuzz.triage.findings.store import UNCONFIRMED, FindingStore, readable_findings


@dataclass(frozen=True)
class Reexamination:
    """The result: the numbers of findings by kind, of contradictions, of settled contradictions, and of suspicions."""

    found: Tally[str]
    settled: int
    contradictions: int
    waiting: int

    def lines(self) -> list[str]:
        """Return the result as lines for the terminal."""
        kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(self.found.items())) or "none"
        settled = f"{self.settled} of {counted(self.contradictions, 'contradiction')} settled; "
        waiting = counted(self.waiting, "suspicion", "waits", "wait")
        return [f"findings: {kinds}", (settled if self.contradictions else "") + waiting]

    def __add__(self, other: Reexamination) -> Reexamination:
        """Return the sum of the results of two folders."""
        return Reexamination(
            self.found + other.found,
            self.settled + other.settled,
            self.contradictions + other.contradictions,
            self.waiting + other.waiting,
        )


def confirm_again(
    folder: Path, solving: Callable[[Suspicion], Solving], per_bucket: int, seconds: float | None = None
) -> Reexamination:
    """Examine the contradictions of a folder again, then the unconfirmed suspicions and those that wait.

    With `seconds`, only those that wait are examined, the gravest first, and no more of them are begun after that
    time. `solving` returns the solver for a suspicion, in whose domain it is read. A contradiction without a new result
    stays as it is. Raises `FindingsError`.
    """
    used = roots.active()
    found: dict[str, str] = {}  # kinds by names of folders: two suspicions may be one finding
    store, answers = FindingStore(folder, per_bucket), SeedAnswers(folder)
    queue = ConfirmationQueue(store, answers, lambda kind, name: found.update({name: kind}), solving)
    try:
        settled, contradictions = _examined_again(folder, queue, solving) if seconds is None else (0, 0)
        _examine_waiting(queue, solving, math.inf if seconds is None else time.monotonic() + seconds)
    finally:
        roots.activate(used)
    return Reexamination(Tally(found.values()), settled, contradictions, len(queue.suspicions))


def _examined_again(folder: Path, queue: ConfirmationQueue, solving: Callable[[Suspicion], Solving]) -> tuple[int, int]:
    """Examine contradictions again, and let unconfirmed suspicions wait.

    Return the numbers of contradictions that are settled, and of all.
    """
    kind = VerdictKind.CONTRADICTION.value
    findings = readable_findings(folder, queue.examiner.announcements.print_line)
    contradictions = [finding.folder for finding in findings if finding.record.kind == kind]
    settled = sum(_is_settled(queue, path, solving) for path in contradictions)
    for file in (*sorted((folder / UNCONFIRMED).glob("*.json")), *queue.examiner.store.kept_units()):
        suspicion = _entered(Suspicion.read(read_plain(file)), solving)
        if suspicion is not None and queue.suspicions.add(suspicion):
            file.unlink()
            if file.parent.name == UNCONFIRMED:
                file.with_suffix("").unlink(missing_ok=True)
    return settled, len(contradictions)


def _examine_waiting(queue: ConfirmationQueue, solving: Callable[[Suspicion], Solving], until: float) -> None:
    """Examine the suspicions that wait; begin no more of them after a time of the monotonic clock."""
    for name in queue.suspicions.names():
        if time.monotonic() >= until:
            return
        _entered(queue.suspicions.read(name), solving)
        queue.process(name)


def _entered(suspicion: Suspicion | None, solving: Callable[[Suspicion], Solving]) -> Suspicion | None:
    """Return the suspicion after making its domain that of this process: in another one, its unit is another problem.

    The queue reports the flags that cannot be used.
    """
    if suspicion is not None:
        with suppress(ChcfuzzError):
            roots.activate(roots.load(solving(suspicion).domain).roots)
    return suspicion


def _is_settled(queue: ConfirmationQueue, path: Path, solving: Callable[[Suspicion], Solving]) -> bool:
    """Examine a contradiction again; a new result is written before the old finding is removed.

    It may have been removed before: the queue takes back all contradictions that the wrong status of a seed implied.
    """
    if not path.exists():
        return True
    try:
        suspicion = _entered(Suspicion.read(read_plain(path / "suspicion.json")), solving)
    except FileNotFoundError:
        suspicion = None
    if suspicion is None:
        queue.examiner.announcements.print_line(
            f"{path.name} could not be examined: its 'suspicion.json' is missing or damaged"
        )
        return False
    try:
        confirmation = queue.examiner.confirm(suspicion)
    except ConfirmError as error:
        queue.examiner.announcements.print_line(f"{path.name} could not be examined: {error}")
        return False
    if confirmation.end in (End.CONTRADICTION, End.ALIKE):  # no witness was searched for one like enough others
        queue.examiner.add_raised(confirmation)
        return False
    queue.suspicions.note(suspicion.name, queue.examiner.store_result(confirmation))
    if path.exists():
        queue.examiner.store.remove(path.name)
    return True
