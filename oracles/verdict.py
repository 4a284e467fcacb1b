"""What an oracle says of an outcome."""

from __future__ import annotations

import enum
from dataclasses import dataclass

CROSS = "cross"  # the oracle that settles what two solvers say against each other
_OWN_ORACLES = (
    "",
    "answer",
    "model",
    "proof",
    "errors",
    "resources",
    "cost",
    "carry-over",
)  # those that ask nobody else


class VerdictKind(enum.Enum):
    """`value` is how findings folders, records and summaries spell it."""

    PASS = "pass"
    UNDECIDED = "undecided"
    WRONG_ANSWER = "wrong-answer"
    WRONG_MODEL = "wrong-model"
    WRONG_PROOF = "wrong-proof"  # a derivation with a step that follows from no clause
    CARRY_OVER = "carry-over"  # an answer that depends on what the process has solved before
    EXCEPTION = "exception"
    CRASH = "crash"  # the solver's process died
    DISAGREEMENT = "disagreement"  # two solvers, and nothing that settles it
    LIMIT = "limit"  # a resource limit that is not kept
    MEMORY = "memory"
    PERFORMANCE = "performance"
    OTHERS_FAULT = "others-fault"  # a solver that was asked besides is wrong, not the one under test

    @property
    def is_finding(self) -> bool:
        """Whether this is worth a person's time."""
        return self not in (VerdictKind.PASS, VerdictKind.UNDECIDED, VerdictKind.OTHERS_FAULT)


@dataclass(frozen=True)
class Verdict:
    """`detail` is one line for people; `evidence` an SMT-LIB script that shows it to any solver, or empty.

    `judges` names who finds a wrong model wrong ("our evaluator", "Z3", "cvc5"); empty where that is no question.
    """

    oracle: str
    kind: VerdictKind
    detail: str = ""
    evidence: str = ""
    judges: tuple[str, ...] = ()


def asks_others(oracle: str) -> bool:
    """Whether an oracle's verdicts come of asking other solvers."""
    return oracle not in _OWN_ORACLES
