"""Severity of findings, and whether Spacer's maintainers want a report (Z3 issues 3779 to 7319, named below)."""

from __future__ import annotations

import enum
from collections.abc import Collection
from dataclasses import dataclass

from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Apply, Quantifier, free_variables, subterms
from chcfuzz.mutators.families.parameters import scope_of
from chcfuzz.mutators.mutation import Scope
from chcfuzz.oracles.refutation import prenex
from chcfuzz.oracles.verdict import Severity, facts_of


class Switches(enum.StrEnum):
    """Options that have to be changed to reproduce a finding."""

    NONE = "all options default"
    ONE = "one option changed"
    SEVERAL = "several options changed"
    EXPERIMENTAL = "an unsupported option changed"


PREPROCESSING = "wrong only with the transforms on: Z3 issue 7319"


@dataclass(frozen=True)
class Standing:
    """Severity of a finding and the options that it needs; records hold it in the field `scope`.

    `known` and `unsupported` are reasons against a report to the maintainers, each None if it does not apply.
    `maintainers` is true for what they want: a grave bug of Spacer that is new and needs few changed options. `words`
    summarizes all of it in one line.
    """

    severity: Severity
    switches: Switches
    known: str | None
    unsupported: str | None
    maintainers: bool
    words: str


def standing(kind: str, parameters: Collection[str], known: str | None, unsupported: str | None) -> Standing:
    """Judge a finding of a kind that needs the parameters with these names.

    `known` is the field of its signature, and `unsupported` the result of `unsupported_in` for its mutant.
    """
    severity, switches = facts_of(kind).severity, _switches(parameters)
    wanted = (
        severity in (Severity.ANSWER, Severity.MODEL, Severity.CRASH)
        and switches in (Switches.NONE, Switches.ONE)
        and known is None
        and unsupported is None
    )
    words = "; ".join(filter(None, (severity, switches, known, unsupported)))
    return Standing(severity, switches, known, unsupported, wanted, words)


def _switches(parameters: Collection[str]) -> Switches:
    if any(scope_of(name) is Scope.EXPERIMENTAL for name in parameters):
        return Switches.EXPERIMENTAL
    return (Switches.NONE, Switches.ONE, Switches.SEVERAL)[min(len(parameters), 2)]


def unsupported_in(system: System) -> str | None:
    """Return what Spacer's maintainers call unsupported in a system (issues 3768 and 4712); None for nothing."""
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
