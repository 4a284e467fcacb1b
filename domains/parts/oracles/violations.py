"""Violations of contracts: classes by which findings are grouped, and the verdicts on them."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from chcfuzz.oracles.verdict import RESULT, Verdict, VerdictKind


class Violation(enum.StrEnum):
    """A way in which a result breaks the contract of its part; the text is part of bucket keys and never changes."""

    LEFT = "a variable is left"
    NEW = "a new symbol"
    SORT = "not a formula"
    FALSE = "false in its model"
    WEAK = "true where the formula is unsatisfiable"
    WITNESS = "the formula is false with its witness"
    NOT_IMPLIED = "it does not imply the formula"
    DIFFERENT = "it differs from the formula"
    MODEL = "its model is wrong"
    UNSAT = "unsat, and the formula has a model"
    SAT = "sat, and the formula is unsatisfiable"
    CORE = "its core is satisfiable"
    OPTIMUM = "a better value exists"
    NOT_CONSEQUENCE = "not a consequence of the formula"
    MISSING = "a consequence is missing"
    CUBES = "its cubes do not cover the formula"
    STEP = "a step of its proof is wrong"
    GROUND = "its ground facts are not derived"
    FRONT = "its front lacks values"


@dataclass(frozen=True)
class PartFault:
    """A violation with its evidence; `about` is a symbol or another part that distinguishes causes."""

    violation: Violation
    detail: str
    evidence: str
    judges: tuple[str, ...] = ()
    about: str = ""

    def verdict(self, part: str) -> Verdict:
        """Return the verdict on the part."""
        about = f" {self.about}" if self.about else ""
        fault = f"{part}: {self.violation.value}{about}"
        detail = f"{part}: {self.violation.value}: {self.detail}"
        return Verdict(RESULT.name, VerdictKind.WRONG_RESULT, detail, self.evidence, self.judges, fault=fault)


def undecided(detail: str) -> Verdict:
    """Return the verdict on a result that is not judged."""
    return Verdict(RESULT.name, VerdictKind.UNDECIDED, detail)


PASS = Verdict(RESULT.name, VerdictKind.PASS)
