"""Terms whose values SMT-LIB leaves open: division by zero, selectors on other constructors, partial operators.

An example of a partial operator is the minimum of two floats, which is open for -0 and +0.

Two solvers may give such a term different values, and both be right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.samples import default_value
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Ground, as_term
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.sorts import BOOL, Sort, holds_elements
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Apply, Term, apply, disjunction, negation, postorder, subterms
from chcfuzz.grammar.theory import divisions, operators, partial_operators, split_operator

# Z3's additional operators: its own remainder, and the functions that interpret division by zero.
_DIVISIONS_OF_Z3 = ("rem", "div0", "mod0", "rem0", "/0")


def in_terms(*terms: Term) -> list[str]:
    """Return the operators in these terms that lack a value for some values of their arguments, by name."""
    return sorted(
        {term.operator for term in subterms(*terms) if isinstance(term, Apply) and _defined(term) is not None}
    )


def in_symbols(system: System, symbols: Sequence[str]) -> list[str]:
    """Return such operators among the symbols of a text, with bars or without, regardless of their arguments."""
    partial = {*divisions(), *partial_operators(), *_DIVISIONS_OF_Z3, *system.partial_selectors}
    return sorted(partial & {quoted(symbol.strip("|")) for symbol in symbols})


def closed(system: System) -> System:
    """Return the system with a fixed value for all that it leaves open, so that it means the same to every solver."""
    return system.with_clauses([Clause(_closed(clause.formula), clause.name) for clause in system.clauses])


def closed_problem(problem: Problem) -> Problem:
    """Return the SMT problem with a fixed value for all that it leaves open."""
    changed = [replace(each, formula=_closed(each.formula)) for each in problem.assertions]
    return problem.with_assertions(changed)


def _closed(formula: Term) -> Term:
    done: dict[Term, Term] = {}
    for term in postorder(formula):
        new = term.rebuild([done[child] for child in term.children]) if term.children else term
        condition = _defined(new) if isinstance(new, Apply) else None
        is_open = condition is not None and not holds_elements(new.sort)
        done[term] = apply("ite", condition, new, _some(new.sort)) if is_open and condition else new
    return done[formula]


def _defined(term: Apply) -> Term | None:
    """Return the condition under which the term has a value; None if it always has one."""
    if term.operator in divisions():
        may_be_zero = [by for by in term.children[1:] if not _is_other_than_zero(by)]
        zero = disjunction(*(apply("=", by, _some(by.sort)) for by in may_be_zero))
        return negation(zero) if may_be_zero else None
    row = operators().get(split_operator(term.operator)[0])
    if row is not None and row.defined:
        condition: Term = row.defined(term)
        return None if evaluate(condition, {}) is True else condition
    made = term.children[0].sort.datatype if len(term.children) == 1 else None
    for constructor in made.constructors if made and len(made.constructors) > 1 else ():
        if any(s.operator == term.operator and s.sort is term.sort for s in constructor.selectors):
            return Apply(constructor.tester, term.children, BOOL)
    return None


def _is_other_than_zero(term: Term) -> bool:
    value = evaluate(term, {})
    return value is not UNDETERMINED and value != 0


def _some(sort: Sort) -> Term:
    return as_term(some_value(sort), sort)


def some_value(sort: Sort) -> Ground:
    """Return a fixed value of a sort without uninterpreted ones: zero, false, the first value of a data type."""
    return default_value(sort, lambda _: ())
