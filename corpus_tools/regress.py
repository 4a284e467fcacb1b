"""Run a corpus on two solvers, and determine the changes from the old one to the new one.

The mutant of each unit is made once, and solved by both solvers in separate processes, so a crash costs one unit. The
oracles first judge each result by itself, with the promised answer; then the results are compared. Only results that a
resource limit determines are compared, never times: the answer, whether the model holds, and the solver's own count of
its work.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from chcfuzz.corpus_tools.regress_messages import RegressReady, RegressReply, UnitQuery
from chcfuzz.corpus_tools.set_cover import cover
from chcfuzz.execution.domain import load
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.execution.worker_pool import HelperProcess, ProcessPool
from chcfuzz.grammar.printable import shortened
from chcfuzz.mutators.recipe import decode, digest
from chcfuzz.mutators.roots import DEFAULT_DOMAIN
from chcfuzz.oracles.verdict import Severity, Subject, VerdictKind, facts_of
from chcfuzz.triage.examine.signature import without_numbers
from chcfuzz.triage.findings.record import RECIPE, Finding
from chcfuzz.triage.findings.store import findings_in
from chcfuzz.triage.locate.rerun import STUCK

_MIN_COST = 20_000  # resource units; smaller costs are not compared
_NAMED = (VerdictKind.WRONG_ANSWER.value, VerdictKind.WRONG_MODEL.value)
DEATH = "death"  # takes the place of an answer
ENDLESS = "it does not end"  # words of a death by the clock behind the limits
_NUMBERS = re.compile(r"[\d.]+")
_VERSION = re.compile(r"\d+(\.\d+){2,3}")


class UnitChange(enum.StrEnum):
    """Change of a unit from the old solver to the new one, the most severe first."""

    CONTRADICTION = "contradiction"  # sat here, unsat there, and not only the old one is wrong
    WRONG_ANSWER = "wrong-answer"  # the new answer contradicts the promise, and the old one was undecided
    WRONG_MODEL = "wrong-model"  # the new model is wrong, the old one was not
    DEATH = "death"  # the new solver dies, or dies with another message than the old one
    ERROR = (
        "error"  # the new solver reports an internal error, another one than the old one, or its derivation is wrong
    )
    LOST = "lost"  # a right answer before, undecided now
    DEARER = "dearer"
    MENDED = "mended"  # the oracles found a fault in the old result, or the new one refutes it, and none in the new one
    GAINED = "gained"
    CHEAPER = "cheaper"
    SAME = "same"


FAILURES = (  # default of --fail-on
    UnitChange.CONTRADICTION,
    UnitChange.WRONG_ANSWER,
    UnitChange.WRONG_MODEL,
    UnitChange.DEATH,
    UnitChange.ERROR,
    UnitChange.LOST,
)
WORSE = (*FAILURES, UnitChange.DEARER)


@dataclass(frozen=True)
class ResultFault:
    """A fault of a result, and the text that faults of the same cause share."""

    change: UnitChange
    cause: str = ""


@dataclass(frozen=True)
class Seen:
    """Result of one solver on one unit.

    Attributes:
        answer: The answer; "death" if the solver crashed.
        words: Reason of an undecided answer, or description of a crash.
        wrong_answer: Detail of the verdict if the answer contradicts the promised one.
        wrong_model: Detail of the verdict if the model is wrong.
        error: Detail of another grave verdict: an internal error, or a wrong derivation.
        error_class: Text that errors of the same cause share.
        is_checked: Whether the model of a `sat`, or the derivation of an `unsat`, was checked.
        cost: The solver's count of its work; 0 if it does not count, as a command.
        trace: Hash of the trace, used for selecting a smaller corpus.
        seconds: Duration, used for selecting a smaller corpus.
    """

    answer: str
    words: str = ""
    wrong_answer: str = ""
    wrong_model: str = ""
    error: str = ""
    error_class: str = ""
    is_checked: bool = False
    cost: int = 0
    trace: str = ""
    seconds: float = field(default=0.0, compare=False)

    @property
    def is_decided(self) -> bool:
        """Whether the answer is sat or unsat."""
        return self.answer in ("sat", "unsat")

    @property
    def faults(self) -> tuple[ResultFault, ...]:
        """The faults that the oracles found in the result alone, the most severe first.

        Wrong answers are the same fault, and so are wrong models. Deaths and errors differ if their messages do.
        """
        found = (
            (UnitChange.WRONG_ANSWER, self.wrong_answer, ""),
            (UnitChange.WRONG_MODEL, self.wrong_model, ""),
            (UnitChange.DEATH, self.answer == DEATH, without_numbers(self.words)),
            (UnitChange.ERROR, self.error, self.error_class),
        )
        return tuple(ResultFault(change, cause) for change, is_there, cause in found if is_there)

    def __str__(self) -> str:
        """Return the answer with its reason and its faults."""
        text = f"{self.answer} ({self.words})" if self.words else self.answer
        text += f", wrong model: {shortened(self.wrong_model)}" if self.wrong_model else ""
        text += f", error: {shortened(self.error)}" if self.error and self.error not in self.words else ""
        return text


@dataclass(frozen=True)
class Compared:
    """Results of both solvers on a unit; `expected` is the answer that its text or its chain promises."""

    unit: Path
    expected: str | None
    old: Seen
    new: Seen
    change: UnitChange


@dataclass(frozen=True)
class Known:
    """A finding of an earlier campaign, and whether the new solver still shows it."""

    folder: Path
    kind: str
    is_there: bool
    words: str


def against(text: str, new: Solving) -> Solving:
    """Return the old solver that a user names: a release of Z3, the folder of a build, or a command.

    Its limits are those of the new one.
    """
    plain = replace(new, z3=None, z3_library=None, solver=None, command=None, dialect=None)
    if _VERSION.fullmatch(text):
        return replace(plain, z3=text)
    if Path(text).is_dir():
        return replace(plain, z3_library=Path(text))
    if _NUMBERS.fullmatch(text):
        raise UsageError(f"{text!r} is not a release of Z3; write all its numbers, such as 4.13.4.0")
    return replace(plain, command=text)


def compared(old: Seen, new: Seen, factor: float) -> UnitChange:
    """Return the change. Costs count if one is more than `factor` times the other, and not small."""
    differ = old.is_decided and new.is_decided and old.answer != new.answer
    is_corrected = (old.wrong_answer and not new.wrong_answer) or (new.is_checked and not old.is_checked)
    if differ and not is_corrected:
        return UnitChange.CONTRADICTION
    worse = [fault for fault in new.faults if fault not in old.faults]
    if worse:
        return worse[0].change
    if old.is_decided and not new.is_decided and not old.wrong_answer:
        return UnitChange.LOST  # a right answer, whatever else was wrong
    if old.faults or differ:
        return UnitChange.SAME if new.faults else UnitChange.MENDED
    if old.is_decided != new.is_decided:
        return UnitChange.GAINED
    return _compared_costs(old, new, factor) if old.is_decided else UnitChange.SAME


def _compared_costs(old: Seen, new: Seen, factor: float) -> UnitChange:
    if min(old.cost, new.cost) == 0 or max(old.cost, new.cost) < _MIN_COST:  # a solver with cost 0 does not count
        return UnitChange.SAME
    if new.cost > factor * old.cost:
        return UnitChange.DEARER
    return UnitChange.CHEAPER if old.cost > factor * new.cost else UnitChange.SAME


class Regression:
    """Runs units on both solvers, in `jobs` processes of each; a context manager."""

    def __init__(self, new: Solving, old: Solving, jobs: int, factor: float) -> None:
        """Prepare to compare two solvers."""
        module = "chcfuzz.corpus_tools.regress_worker"
        self._new = ProcessPool(lambda: HelperProcess(module, new), jobs)
        self._old = ProcessPool(lambda: HelperProcess(module, old), jobs)
        self._solving = new
        self._factor = factor

    def __enter__(self) -> Regression:
        """Start both solvers; raises `HelperError` for a solver that cannot be started."""
        for pool in (self._old, self._new):
            pool.processes[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        """End all processes."""
        for pool in (self._new, self._old):
            pool.__exit__(None, None, None)

    @property
    def solvers(self) -> tuple[str, str]:
        """Names of the old and the new solver."""
        return self._old.ready(RegressReady).solver, self._new.ready(RegressReady).solver

    def run(self, units: Iterable[Path]) -> Iterator[Compared]:
        """Compare the units in order; raises `HelperError` if a process fails."""
        return self._old.each(self._compare, units)

    def known(self, findings: Path) -> list[Known]:
        """Run the findings about the new solver in a folder on it; raises `ChcfuzzError` for a damaged finding."""
        domain, name = load(self._solving.domain), self._solving.domain or DEFAULT_DOMAIN
        found = (each for each in findings_in(findings) if _domain_of(each) == name)  # one folder may have several
        return [self._run_again(each) for each in found if domain.runs(self._solving, decode(each.unit).parameters)]

    def _compare(self, unit: Path) -> Compared:
        reply = self._old.request(UnitQuery(unit.read_bytes(), make=True), RegressReply)
        if reply.made is None:  # a step that queries Z3 has crashed it
            nothing = Seen(DEATH, f"making its mutant: {reply.death}")
            return Compared(unit, None, nothing, nothing, UnitChange.SAME)
        query = UnitQuery(reply.made.unit, make=False, expected=reply.made.expected)
        old, new = (_seen(pool.request(query, RegressReply)) for pool in (self._old, self._new))
        return Compared(unit, reply.made.expected, old, new, compared(old, new, self._factor))

    def _run_again(self, finding: Finding) -> Known:
        folder, kind = finding.folder, finding.record.kind
        made = self._old.request(UnitQuery(finding.unit, make=True), RegressReply)
        if made.made is None:
            return Known(folder, kind, False, f"making its mutant: {made.death}")
        reply = self._new.request(UnitQuery(made.made.unit, make=False, expected=made.made.expected), RegressReply)
        seen = _seen(reply)
        subject = facts_of(kind).subject
        if subject is Subject.DEATH:
            there = seen.answer == DEATH
        elif subject is Subject.ANSWER:
            there = seen.answer == finding.record.answer
        else:
            there = reply.ran is not None and bool(reply.ran.report.details(kind))
        return Known(folder, kind, there, str(seen))


def _domain_of(finding: Finding) -> str:
    return Solving.parsed(finding.record.solving).domain or DEFAULT_DOMAIN


def _seen(reply: RegressReply) -> Seen:
    """Return the result in a reply, with the faults that the oracles found in it."""
    if reply.ran is None:
        return Seen(DEATH, ENDLESS if reply.death == STUCK else reply.death)
    report = reply.ran.report
    found = {verdict.kind: verdict for verdict in reversed(report.faults)}
    faults = {kind: verdict.detail or kind for kind, verdict in found.items()}
    error = next((kind for kind in reversed(found) if kind not in _NAMED and _is_grave(kind)), "")
    return Seen(
        report.status,
        report.reason if report.status not in ("sat", "unsat") else "",
        wrong_answer=faults.get(VerdictKind.WRONG_ANSWER.value, ""),
        wrong_model=faults.get(VerdictKind.WRONG_MODEL.value, ""),
        error=faults.get(error, ""),
        error_class=_class_of(error, found[error].fault) if error else "",
        is_checked=report.is_checked,
        cost=report.cost,
        trace=report.trace_hash or "",
        seconds=reply.ran.seconds,
    )


def _class_of(kind: str, fault: str) -> str:
    return fault if facts_of(kind).subject is Subject.OUTPUT else without_numbers(fault)


def _is_grave(kind: str) -> bool:
    """Return whether a verdict of this kind shows a fault that does not depend on limits."""
    return VerdictKind(kind).is_finding and facts_of(kind).severity is not Severity.COST


def smallest(found: Collection[Compared], minutes: float) -> list[Compared]:
    """Return units with all traces of the others, the cheapest first, that both solvers run within `minutes` minutes.

    Units that changed come first, then one unit for each trace of either solver.
    """
    left = 60 * minutes

    def takes(each: Compared, new: int) -> bool:
        nonlocal left
        seconds = each.old.seconds + each.new.seconds
        taken = seconds <= left and (new > 0 or each.change is not UnitChange.SAME)
        left -= seconds if taken else 0
        return taken

    by_cost = sorted(found, key=lambda each: (each.old.cost + each.new.cost, str(each.unit)))
    changed_first = sorted(by_cost, key=lambda each: each.change is UnitChange.SAME)
    features = cover(changed_first, lambda each: {("old", each.old.trace), ("new", each.new.trace)}, takes)
    return [each for each, _ in features]


def write_corpus(chosen: Iterable[Compared], into: Path) -> None:
    """Copy the units into a folder under their names, or a digest if the name is taken or that of a finding's unit.

    Raises `UsageError`.
    """
    try:
        into.mkdir(parents=True, exist_ok=True)
        for each in chosen:
            data = each.unit.read_bytes()
            path = into / each.unit.name
            if each.unit.name == RECIPE or (path.exists() and path.read_bytes() != data):
                path = into / f"{digest(data)}{each.unit.suffix}"  # with a file of that name, it would be a finding
            write_whole(path, data)
    except OSError as error:
        raise UsageError(f"cannot write the corpus {str(into)!r}: {error.strerror}") from error
