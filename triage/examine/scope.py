"""How grave a finding is, and whether Spacer's maintainers ask to hear of it (Z3 issues 3779 to 7319, named below)."""

from __future__ import annotations

import enum
from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any

from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Apply, Quantifier, free_variables, subterms
from chcfuzz.mutators.families.parameters import scope_of
from chcfuzz.mutators.mutation import Scope
from chcfuzz.oracles.refutation import prenex


class Severity(enum.StrEnum):
    """From grave to slight."""

    ANSWER = "wrong answer"
    UNSETTLED = "contradiction"  # two answers, and nothing says which is right
    MODEL = "wrong model"
    CRASH = "crash"
    CARRIED = "an answer that depends on what was solved before"
    COST = "cost"
    OURS = "a fault of chcfuzz"


class Switches(enum.StrEnum):
    """What has to be changed to see it."""

    NONE = "all options default"
    ONE = "one option changed"
    SEVERAL = "several options changed"
    EXPERIMENTAL = "an unsupported option changed"


_SEVERITY = {
    "wrong-answer": Severity.ANSWER,
    "wrong-model": Severity.MODEL,
    "wrong-proof": Severity.MODEL,
    "crash": Severity.CRASH,
    "exception": Severity.CRASH,
    "carry-over": Severity.CARRIED,
    "contradiction": Severity.UNSETTLED,
    "broken-promise": Severity.OURS,
}
PREPROCESSING = "wrong only with the transforms on: Z3 issue 7319"


@dataclass(frozen=True)
class Standing:
    """`known` and `unsupported` say why maintainers do not want to hear of it again, or at all; None: no reason."""

    severity: Severity
    switches: Switches
    known: str | None
    unsupported: str | None

    @property
    def is_wanted(self) -> bool:
        """Whether it is what maintainers want: grave, theirs, new as a kind, and under few changed options."""
        return (
            self.severity in (Severity.ANSWER, Severity.MODEL, Severity.CRASH)
            and self.switches in (Switches.NONE, Switches.ONE)
            and self.known is None
            and self.unsupported is None
        )

    def record(self) -> dict[str, Any]:
        """All of it, for a finding's record."""
        words = "; ".join(filter(None, (self.severity, self.switches, self.known, self.unsupported)))
        return {**asdict(self), "maintainers": self.is_wanted, "words": words}


def standing(kind: str, parameters: Collection[str], known: str | None, mutant: System) -> Standing:
    """Judge a finding of this kind that needs parameters of these names; `known` as its cause says."""
    severity = _SEVERITY.get(kind, Severity.COST)
    return Standing(severity, _switches(parameters), known, unsupported(mutant))


def _switches(parameters: Collection[str]) -> Switches:
    if any(scope_of(name) is Scope.EXPERIMENTAL for name in parameters):
        return Switches.EXPERIMENTAL
    return (Switches.NONE, Switches.ONE, Switches.SEVERAL)[min(len(parameters), 2)]


def unsupported(system: System) -> str | None:
    """What Spacer's maintainers call unsupported in a system; None where there is nothing (issues 3768 and 4712)."""
    for clause in system.clauses:
        for term in subterms(clause.formula):
            if isinstance(term, Apply) and _is_nonlinear(term):
                return "non-linear arithmetic, unsupported: Z3 issue 3768"
        if any(isinstance(term, Quantifier) for term in subterms(*prenex(clause).body)):
            return "a quantifier in a body, unsupported: Z3 issue 4712"
    return None


def _is_nonlinear(term: Apply) -> bool:
    if not term.children or not term.children[0].sort.is_numeric:
        return False
    if term.operator == "*":
        return sum(bool(free_variables(child)) for child in term.children) > 1
    return term.operator in ("div", "mod", "/") and any(map(free_variables, term.children[1:]))
