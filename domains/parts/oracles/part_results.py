"""Results of parts as terms: a text that is not read is a fault if the solver that printed it does not read it."""

from __future__ import annotations

import re

import z3
from chcfuzz.domains.parts.oracles.known_limits import explains_symbol
from chcfuzz.domains.parts.oracles.violation_scripts import declarations, script
from chcfuzz.domains.parts.oracles.violations import PartFault, Violation
from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.grammar.errors import ChcfuzzError, GrammarError, Refusal
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.grammar.reading.shared_terms import ambiguous_name
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.terms import Call, Term, subterms

MOST_LENGTH = 200_000  # characters of a result
_EMPTY = {"and": "true", "or": "false"}  # Z3 prints an operator without arguments alone
# Operators of cvc5: only for a zero divisor, where our evaluator leaves the value open, do they differ from SMT-LIB.
_TOTAL = re.compile(r"(?<=\()(div|mod|/)_total(?=\s)")
_OLD = re.compile(r"\(_ nat2bv (\d+)\)")


class UnreadError(Exception):
    """A result that our reader refuses, and the solver does not."""


def term_in(problem: PartProblem, text: str) -> Term | PartFault:
    """Return the term that a text states, or the fault of a text that its own solver refuses.

    Raises `UnreadError` for any other text.
    """
    if len(text) > MOST_LENGTH:
        raise UnreadError(f"a result of {len(text)} characters")
    if name := ambiguous_name(text, problem.problem.declared_names):
        raise UnreadError(f"the printed result may bind the constant {name}")
    try:
        return parse_term(_standard(text), (), problem.problem, "result")
    except ChcfuzzError as error:
        fault = _fault(problem, text, error)
        if fault is None:
            raise UnreadError(str(error)) from error
        return fault


def _standard(text: str) -> str:
    """Return a text with standard operators in the place of those that a solver prints."""
    text = _EMPTY.get(text, text)
    return _TOTAL.sub(r"\1", _OLD.sub(r"(_ int_to_bv \1)", text))


def formula_in(problem: PartProblem, text: str) -> Term | PartFault:
    """Return the formula that a text states; see `term_in`."""
    found = term_in(problem, text)
    if isinstance(found, Term) and found.sort is not BOOL:
        shown = script(problem, f"The result has sort {found.sort}.", [f"(assert {text})"])
        return PartFault(Violation.SORT, f"it has sort {found.sort}", shown)
    return found


def _fault(problem: PartProblem, text: str, error: ChcfuzzError) -> PartFault | None:
    is_unknown = isinstance(error, GrammarError) and error.refusal is Refusal.UNKNOWN
    symbol = error.text if isinstance(error, GrammarError) else ""
    if explains_symbol(problem.question.part, symbol) or _is_read(problem, text):
        return None
    if is_unknown:
        about = re.sub(r"\d+", "0", symbol)
        shown = script(problem, f"Nothing declares the symbol {symbol}.", [f"(assert {text})"])
        return PartFault(Violation.NEW, f"the symbol `{symbol}`", shown, about=about)
    if isinstance(error, GrammarError) and error.refusal is Refusal.ILL_SORTED:
        shown = script(problem, "The result is ill-sorted.", [f"(assert {text})"])
        return PartFault(Violation.SORT, f"it is ill-sorted: {error.what} `{symbol}`", shown)
    return None


def _is_read(problem: PartProblem, text: str) -> bool:
    """Return whether Z3 reads the text of a term."""
    try:
        solver = z3.SimpleSolver(ctx=z3.Context())
        solver.from_string(f"{declarations(problem)}(assert (= {text} {text}))")
    except z3.Z3Exception:
        return False
    return True


def names_in(term: Term) -> frozenset[str]:
    """Return the names of the functions in a term."""
    return frozenset(here.function.name for here in subterms(term) if isinstance(here, Call))
