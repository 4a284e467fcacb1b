"""Features of CHC systems that Spacer's maintainers call unsupported."""

from __future__ import annotations

from chcfuzz.domains.chc.oracles.refutation import prenex
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Apply, Quantifier, free_variables, subterms


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
