"""Operators are exchanged for others of the same type, and arguments, indices and quantifiers changed in place."""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.leniences import rebuilt
from chcfuzz.grammar.sorts import BOOL, Sort
from chcfuzz.grammar.terms import Apply, Call, Quantifier, Term, Value, negation
from chcfuzz.grammar.theory import derived, divisions, operators, result_sort, split_operator
from chcfuzz.mutators.mutation import Promise
from chcfuzz.mutators.rewriting.places import Place, swapped
from chcfuzz.mutators.rewriting.term_rows import About, row_at, row_of_term


@derived
def operators_of(sorts: tuple[Sort, ...], result: Sort) -> tuple[str, ...]:
    """Return the operators without indices that take these sorts and give this one."""
    names = (name for name, row in sorted(operators().items()) if len(sorts) >= row.least_drawn)
    return tuple(name for name in names if _gives(name, sorts) is result)


def _gives(operator: str, sorts: Sequence[Sort]) -> Sort | None:
    try:
        return result_sort(operator, sorts)
    except ChcfuzzError:
        return None


def _is_decidable(operator: str, args: Sequence[Term]) -> bool:
    """Return whether divisors are nonzero numbers: SMT-LIB leaves open what division by zero gives.

    Operators that keep solvers busy for minutes are not decidable either.
    """
    row = operators().get(operator)
    if row is not None and row.slow_on and any(row.slow_on(arg.sort) for arg in args):
        return False
    if operator in divisions():
        return all(isinstance(arg, Value) and bool(arg.value) for arg in args[1:])
    return True


def _others(term: Term) -> list[str]:
    """Return the operators that may take the place of the term's own."""
    assert isinstance(term, Apply)
    sorts = tuple(child.sort for child in term.children)
    name, indices = split_operator(term.operator)
    found = operators_of(sorts, term.sort)
    if indices:
        found = (*found, *_other_indices(name, indices, term))
    return [other for other in found if other != term.operator and _is_decidable(other, term.children)]


def _other_indices(name: str, indices: tuple[int, ...], term: Term) -> list[str]:
    """Return the indexed operators that take a bit-vector to one of the same width as the term does."""
    width = term.children[0].sort.width if term.children[0].sort.is_bitvector else 0
    if name == "extract":
        size = indices[0] - indices[1]
        lows = dict.fromkeys((0, indices[1] - 1, indices[1] + 1, width - 1 - size))
        return [f"(_ extract {low + size} {low})" for low in lows if low >= 0 and low + size < width]
    if name in ("zero_extend", "sign_extend"):
        return [f"(_ {other} {indices[0]})" for other in ("zero_extend", "sign_extend")]
    if name in ("rotate_left", "rotate_right"):
        amounts = dict.fromkeys((1, width - 1, indices[0] + 1, width))
        return [f"(_ {other} {by})" for other in ("rotate_left", "rotate_right") for by in amounts]
    return []


def _is_exchangeable(term: Term) -> bool:
    return isinstance(term, Apply) and bool(term.children) and bool(_others(term))


def _exchange(term: Term, choices: Choices) -> Term | None:
    others = _others(term)
    return rebuilt(Apply(choices.pick(others), term.children), term.children) if others else None


def _is_call(term: Term) -> bool:
    return isinstance(term, Call)


def _other_function(problem: Problem, place: Place, choices: Choices) -> Term | None:
    term = place.term
    assert isinstance(term, Call)
    old = term.function
    same = [f for f in problem.functions if f.parameters == old.parameters and f.result is old.result and f is not old]
    return Call(choices.pick(same), term.children) if same else None


def _own_datatype_operators(problem: Problem, term: Term) -> list[str]:
    """Return constructors, selectors and testers of the same type as the term's own."""
    sorts = tuple(child.sort for child in term.children)
    wanted = (sorts, term.sort)
    return [
        name for name, uses in problem.signature.items() if wanted in uses and name != getattr(term, "operator", "")
    ]


def _is_of_datatype(term: Term) -> bool:
    sorts = (term.sort, *(child.sort for child in term.children))
    return isinstance(term, Apply) and any(sort.datatype for sort in sorts)


def _other_constructor(problem: Problem, place: Place, choices: Choices) -> Term | None:
    assert isinstance(place.term, Apply)
    if place.term.operator not in problem.signature:
        return None
    others = _own_datatype_operators(problem, place.term)
    return Apply(choices.pick(others), place.term.children, place.term.sort) if others else None


def _has_equal_sorts(term: Term) -> bool:
    sorts = [child.sort for child in term.children]
    return len(set(sorts)) < len(sorts) and len(set(term.children)) > 1


def _swap_arguments(term: Term, choices: Choices) -> Term | None:
    """Exchange two arguments of the same sort."""
    sort = choices.pick([child.sort for child in term.children])
    places = [at for at, child in enumerate(term.children) if child.sort is sort]
    if len(places) < 2:
        return None
    mixed = swapped([term.children[at] for at in places], choices)
    children = list(term.children)
    for at, child in zip(places, mixed, strict=True):
        children[at] = child
    if isinstance(term, Apply) and not _is_decidable(term.operator, children):
        return None
    return rebuilt(term, children)


def _is_quantifier(term: Term) -> bool:
    return isinstance(term, Quantifier)


def _other_quantifier(term: Term, _choices: Choices) -> Term:
    assert isinstance(term, Quantifier)
    return Quantifier("exists" if term.kind == "forall" else "forall", term.variables, term.body)


def _is_formula(term: Term) -> bool:
    return term.sort is BOOL


def _negate(term: Term, _choices: Choices) -> Term:
    return term.children[0] if isinstance(term, Apply) and term.operator == "not" else negation(term)


def _about(name: str, summary: str) -> About:
    source = "OpFuzz (OOPSLA 2020), type-aware operator mutation"
    return About(f"smt_operator.{name}", Promise.NOTHING, summary, source, light=True)


MUTATIONS = (
    row_of_term(
        _about("exchange", "an operator becomes another one of its type, or gets other indices"),
        _is_exchangeable,
        _exchange,
    ),
    row_at(_about("function", "a function or constant becomes another one of its type"), _is_call, _other_function),
    row_at(
        _about("constructor", "a constructor, selector or tester becomes another one of its type"),
        _is_of_datatype,
        _other_constructor,
    ),
    row_of_term(
        _about("swap-arguments", "two arguments of the same sort are exchanged"), _has_equal_sorts, _swap_arguments
    ),
    row_of_term(_about("quantifier", "forall becomes exists, or the reverse"), _is_quantifier, _other_quantifier),
    row_of_term(_about("negate", "a formula is negated"), _is_formula, _negate),
)
