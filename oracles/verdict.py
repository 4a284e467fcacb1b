"""Verdicts of oracles, and the table of all kinds of verdicts and findings.

To add a kind of finding, add a member to `VerdictKind` and its row to `FINDINGS`, and return it from the module of the
oracle that detects it. No other module needs a change: the confirmation queue, the examination, the findings folder,
the reduction and the reports read the facts. A kind that needs its own way of examination also needs a new `Subject`.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, replace

from chcfuzz.solvers.faults import FaultClass


class Severity(enum.StrEnum):
    """Severity of a finding, from grave to slight; the value is its name in records and listings."""

    ANSWER = "wrong answer"
    UNSETTLED = "contradiction"
    STEP = "wrong solver step"
    MODEL = "wrong model"
    INTERPOLANT = "wrong interpolant"
    CRASH = "crash"
    HISTORY = "an answer that depends on what was solved before"
    COST = "cost"
    INTERNAL = "a fault of chcfuzz"


class Subject(enum.Enum):
    """Part of an execution that a finding accuses. It decides how a finding is examined and reduced."""

    ANSWER = "answer"  # confirmed by a checked witness for the other answer
    MODEL = "model"  # confirmed by a clause that is false under the model
    OUTPUT = "output"  # a proof, an interpolant or the text of a model; confirmed by the same class of fault
    DEATH = "death"  # confirmed by the same death
    MESSAGE = "message"  # confirmed by the same message, apart from its numbers
    COST = "cost"  # confirmed by comparing the cost of the mutant with that of its seed
    HISTORY = "history"  # confirmed by a process that solves the same systems in the same order


@dataclass(frozen=True)
class Facts:
    """Properties of a kind of finding.

    `rank` is the position in the confirmation queue, 0 first; file names in `.suspicions/` begin with it. `headline`
    begins the summary of a finding. `evidence` names the file with the SMT-LIB that shows the finding. A finding that
    `is_reducible` stays one while its system gets smaller as long as `subject` is confirmed; if
    it `keeps_class`, with the same class of fault (`solvers.faults`), and if it `keeps_answer`, with the same answer. A
    finding that `fills_memory` explains the memory that a worker has lost.
    """

    subject: Subject = Subject.MESSAGE
    severity: Severity = Severity.COST
    rank: int = 6
    headline: str = ""
    evidence: str = "evidence.smt2"
    is_reducible: bool = False
    keeps_class: bool = False
    keeps_answer: bool = False
    fills_memory: bool = False


class VerdictKind(enum.Enum):
    """Kind of a verdict or of a finding. `value` is its name in folders, records and summaries."""

    PASS = "pass"
    UNDECIDED = "undecided"
    WRONG_ANSWER = "wrong-answer"
    CRASH = "crash"  # the process of the solver died
    CONTRADICTION = "contradiction"  # two answers, and no witness decides; a result of examinations only
    DISAGREEMENT = "disagreement"  # another solver answers differently, or cvc5 finds a model wrong
    WRONG_MODEL = "wrong-model"
    MALFORMED_MODEL = "malformed-model"  # a predicate defined over other sorts than it is declared
    WRONG_LEMMA = "wrong-lemma"  # a lemma of the solver that excludes a derived fact
    WRONG_OBLIGATION = "wrong-obligation"  # an obligation of the solver with a state that leads nowhere
    WRONG_FACT = "wrong-fact"  # a fact of the solver that follows by no rule from its earlier facts
    WRONG_PROOF = "wrong-proof"  # a derivation with a step that follows from no clause
    WRONG_INTERPOLANT = "wrong-interpolant"  # a formula that its side does not imply, or that leaves a model
    WRONG_RESULT = "wrong-result"  # the answer is a term, which is wrong
    FOREIGN_SYMBOL = "foreign-symbol"  # an interpolant with a symbol that both sides do not share
    UNREADABLE = "unreadable"  # an interpolant that is not a formula of SMT-LIB
    CARRY_OVER = "carry-over"  # a result that depends on the systems that the process solved before
    EXCEPTION = "exception"
    LIMIT = "limit"  # a resource limit that is not kept
    MEMORY = "memory"
    PERFORMANCE = "performance"
    BROKEN_PROMISE = "broken-promise"  # checked witnesses for both answers; a result of examinations only

    @property
    def is_finding(self) -> bool:
        """Whether a verdict of this kind is worth a report."""
        return self in FINDINGS


def _solver_step(headline: str) -> Facts:
    """Return the facts of a kind of wrong steps of the solver."""
    facts = Facts(Subject.OUTPUT, Severity.STEP, 4, headline, "step.smt2", is_reducible=True)
    return replace(facts, keeps_class=True, keeps_answer=True)


# The kinds of findings.
FINDINGS: Mapping[VerdictKind, Facts] = {
    VerdictKind.WRONG_ANSWER: Facts(Subject.ANSWER, Severity.ANSWER, 0, "wrong answer", is_reducible=True),
    VerdictKind.CRASH: Facts(Subject.DEATH, Severity.CRASH, 1, is_reducible=True),
    VerdictKind.CONTRADICTION: Facts(Subject.ANSWER, Severity.UNSETTLED, 2),
    VerdictKind.DISAGREEMENT: Facts(Subject.ANSWER, rank=3),
    VerdictKind.WRONG_LEMMA: _solver_step("wrong lemma"),
    VerdictKind.WRONG_OBLIGATION: _solver_step("wrong obligation"),
    VerdictKind.WRONG_FACT: _solver_step("wrong fact"),
    VerdictKind.WRONG_MODEL: Facts(Subject.MODEL, Severity.MODEL, 4, "wrong model", is_reducible=True),
    VerdictKind.MALFORMED_MODEL: Facts(Subject.OUTPUT, Severity.MODEL, 5, "malformed model", is_reducible=True),
    VerdictKind.WRONG_PROOF: Facts(
        Subject.OUTPUT, Severity.MODEL, 5, "wrong proof", evidence="step.smt2", is_reducible=True
    ),
    VerdictKind.WRONG_INTERPOLANT: Facts(
        Subject.OUTPUT, Severity.INTERPOLANT, 5, "wrong interpolant", is_reducible=True, keeps_class=True
    ),
    VerdictKind.WRONG_RESULT: Facts(
        Subject.OUTPUT, Severity.MODEL, 5, "wrong result", is_reducible=True, keeps_class=True
    ),
    VerdictKind.FOREIGN_SYMBOL: Facts(
        Subject.OUTPUT, Severity.INTERPOLANT, 5, "interpolant with a foreign symbol", is_reducible=True
    ),
    VerdictKind.UNREADABLE: Facts(Subject.OUTPUT, Severity.INTERPOLANT, 5, "unreadable interpolant", is_reducible=True),
    VerdictKind.CARRY_OVER: Facts(
        Subject.HISTORY, Severity.HISTORY, headline="an answer that depends on earlier systems"
    ),
    VerdictKind.EXCEPTION: Facts(severity=Severity.CRASH, is_reducible=True),
    VerdictKind.LIMIT: Facts(is_reducible=True),
    VerdictKind.MEMORY: Facts(is_reducible=True, fills_memory=True),
    VerdictKind.PERFORMANCE: Facts(Subject.COST),
    VerdictKind.BROKEN_PROMISE: Facts(severity=Severity.INTERNAL),
}
_UNKNOWN = Facts()


def facts_of(kind: str) -> Facts:
    """Return the facts of a kind by its name; those of the slightest kind for a name that another version wrote."""
    try:
        return FINDINGS[VerdictKind(kind)]
    except (ValueError, KeyError):
        return _UNKNOWN


def is_wrong_step(kind: str) -> bool:
    """Return whether findings of this kind are wrong steps of the solver, which only an oracle of steps shows."""
    return facts_of(kind).severity is Severity.STEP


def headline_of(kind: str) -> str:
    """Return the words that begin the summary of a finding of this kind."""
    return facts_of(kind).headline or kind


@dataclass(frozen=True)
class Oracle:
    """An oracle by its name in verdicts. One that `asks_others` needs the answers of other solvers."""

    name: str
    asks_others: bool = False


ERRORS, ANSWER, RESOURCES = Oracle("errors"), Oracle("answer"), Oracle("resources")
MODEL, PROOF, COST = Oracle("model"), Oracle("proof"), Oracle("cost")
INTERPOLANT, INTERPOLANT_BY_CVC5 = Oracle("interpolant"), Oracle("interpolant-cvc5", asks_others=True)
RESULT = Oracle("result")
ANSWERS = Oracle("answers")  # several solvers under test beside each other
CARRY_OVER = Oracle("carry-over")
REFUTATION, CVC5 = Oracle("refutation", asks_others=True), Oracle("cvc5", asks_others=True)
CROSS = Oracle("cross", asks_others=True)
PLAIN_SMT = Oracle("plain-smt", asks_others=True)
SOLVER_STEPS = Oracle("solver-steps", asks_others=True)

# All oracles, in the order of their verdicts. The first verdict that is a finding decides what an execution shows.
ORACLES = (
    *(ERRORS, ANSWER, RESOURCES, MODEL, PROOF, INTERPOLANT, RESULT, ANSWERS, COST),
    *(REFUTATION, CVC5, INTERPOLANT_BY_CVC5, CROSS, PLAIN_SMT, SOLVER_STEPS, CARRY_OVER),
)


def asks_others(oracle: str) -> bool:
    """Return whether the verdicts of an oracle need the answers of other solvers; True for an unknown name."""
    return oracle != "" and all(row.name != oracle or row.asks_others for row in ORACLES)


EVALUATOR = "our evaluator"  # as a judge of a model


@dataclass(frozen=True)
class Verdict:
    """Verdict of one oracle on one execution.

    `oracle` is its name. `detail` is one line of text; `evidence` an SMT-LIB script that shows the finding to any
    solver, or empty. `judges` names those who find a wrong model wrong ("our evaluator", "Z3", "cvc5"), or
    the other solver of a comparison. `complaint` is
    the message that the solver printed before its answer; `detail` ends with it. `accuses` are the parameters that put
    the accused solver under test, where several solvers ran and another one was under test; `seen` is its answer.
    `left_out` is the number of clauses that were not checked, because that would cost more than solving. `fault` is the
    class of the fault (`solvers.faults`): signatures and symptoms have it, and never `detail`, whose wording is free.
    """

    oracle: str
    kind: VerdictKind
    detail: str = ""
    evidence: str = ""
    judges: tuple[str, ...] = ()
    complaint: str = ""
    accuses: tuple[tuple[str, str], ...] = ()
    seen: str = ""
    left_out: int = 0
    fault: str = ""

    @property
    def rests_on_promise(self) -> bool:
        """Whether only the promise of the chain contradicts the answer."""
        return self.oracle == ANSWER.name

    def with_complaint(self, complaint: str) -> Verdict:
        """Return the verdict with the message that the solver printed before its answer; only findings name it."""
        if not self.kind.is_finding or self.accuses:
            return self
        fault = self.fault or complaint
        if self.fault and FINDINGS[self.kind].subject is not Subject.OUTPUT:
            fault = FaultClass.COMPLAINING.of(fault, complaint)
        return replace(self, detail=f"{self.detail}{complaint_text(complaint)}", complaint=complaint, fault=fault)


def complaint_text(complaint: str) -> str:
    """Return the end of a detail that quotes a solver's message; empty for no message."""
    return f"; it complains: {complaint}" if complaint else ""
