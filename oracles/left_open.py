"""Terms whose values SMT-LIB leaves open: division by zero, and selectors applied to other constructors.

Two solvers may give such a term different values, and both be right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce

from chcfuzz.grammar.evaluate import evaluate
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.sorts import BOOL, Sort, holds_elements
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Apply, Call, Function, Term, apply, disjunction, negation, postorder, subterms
from chcfuzz.grammar.values import UNDETERMINED, as_term
from chcfuzz.oracles.counterexample import some_value

DIVISIONS = ("div", "mod", "/")
# Z3's additional operators: its own remainder, and the functions that interpret division by zero.
_DIVISIONS_OF_Z3 = ("rem", "div0", "mod0", "rem0", "/0")


def in_terms(*terms: Term) -> list[str]:
    """Return the operators in these terms that lack a value for some values of their arguments, by name."""
    return sorted(
        {term.operator for term in subterms(*terms) if isinstance(term, Apply) and _defined(term) is not None}
    )


def in_symbols(system: System, symbols: Sequence[str]) -> list[str]:
    """Return such operators among the symbols of a text, with bars or without, regardless of their arguments."""
    partial = {*DIVISIONS, *_DIVISIONS_OF_Z3, *system.partial_selectors}
    return sorted(partial & {quoted(symbol.strip("|")) for symbol in symbols})


def closed(system: System) -> System:
    """Return the system with a fixed value for all that it leaves open, so that it means the same to every solver."""
    return system.with_clauses([Clause(_closed(clause.formula, {}), clause.name) for clause in system.clauses])


def closed_problem(problem: Problem, by_zero: Mapping[str, Function] | None = None) -> Problem:
    """Return the SMT problem with a fixed value for all that it leaves open, the one that `structures` takes.

    The functions in `by_zero` give the values of divisions by zero, by the operator.
    """
    changed = [replace(each, formula=_closed(each.formula, by_zero or {})) for each in problem.assertions]
    return problem.with_assertions(changed)


def _closed(formula: Term, by_zero: Mapping[str, Function]) -> Term:
    done: dict[Term, Term] = {}
    for term in postorder(formula):
        new = term.rebuild([done[child] for child in term.children]) if term.children else term
        condition = _defined(new) if isinstance(new, Apply) else None
        done[term] = new
        if isinstance(new, Apply) and condition is not None and not holds_elements(new.sort):
            function = by_zero.get(new.operator)
            done[term] = apply("ite", condition, new, _default(new)) if function is None else _divided(new, function)
    return done[formula]


def _default(term: Apply) -> Term:
    """Return the value of a term that SMT-LIB leaves open: the dividend of `mod`, else a fixed value of its sort."""
    return term.children[0] if term.operator == "mod" else _some(term.sort)


def _divided(term: Apply, by_zero: Function) -> Term:
    """Return a quotient or remainder whose value by zero is that of a function; divisors are taken one by one."""

    def divided(a: Term, b: Term) -> Term:
        return apply("ite", apply("=", b, _some(b.sort)), Call(by_zero, (a, b)), apply(term.operator, a, b))

    return reduce(divided, term.children)


def _defined(term: Apply) -> Term | None:
    """Return the condition under which the term has a value; None if it always has one."""
    if term.operator in DIVISIONS:
        may_be_zero = [by for by in term.children[1:] if not _is_other_than_zero(by)]
        zero = disjunction(*(apply("=", by, _some(by.sort)) for by in may_be_zero))
        return negation(zero) if may_be_zero else None
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
