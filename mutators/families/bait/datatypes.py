"""Values of data types rebuilt from their fields, and other forms of testers."""

from __future__ import annotations

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw import Drawing
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.sorts import BOOL, Constructor, Sort
from chcfuzz.grammar.terms import Apply, Term, apply, disjunction, negation
from chcfuzz.mutators.families.bait.rows import FEW, everywhere, is_small, of_sort, operator_of, row
from chcfuzz.mutators.mutation import Mutation, Promise
from chcfuzz.mutators.rewriting.places import P, Places, drawing

_DATATYPES = "src/qe/mbp/mbp_datatypes.cpp: testers, selectors, equations of constructors"

Field = tuple[Constructor, int]  # a constructor and the position of one of its fields


def _is_datatype(sort: Sort) -> bool:
    return sort.datatype is not None


def _fields(problem: BaseProblem) -> dict[Sort, list[tuple[Sort, Field]]]:
    """Return by sort where a value of it can be a field: the sort of the data type, and the constructor's field."""
    found: dict[Sort, list[tuple[Sort, Field]]] = {}
    for datatype in (datatype for group in problem.datatypes for datatype in group):
        for constructor in datatype.constructors:
            for place, selector in enumerate(constructor.selectors):
                found.setdefault(selector.sort, []).append((datatype.sort, (constructor, place)))
    return found


def _of_fields(problem: BaseProblem) -> Places:
    fields = _fields(problem)
    name = f"fields.{' '.join(map(str, fields))}"
    return everywhere(problem, name, lambda term: term.sort in fields and is_small(term))


def _select_of_constructor(problem: P, choices: Choices) -> P | None:
    """Replace a term by a field of a value that has just been constructed from it."""
    found = _of_fields(problem)
    if not found:
        return None
    place = found.pick(choices)
    draw = drawing(problem, place.clause, place.path)
    of, (constructor, own) = choices.pick(_fields(problem)[place.term.sort])
    args = [draw.term(selector.sort, choices, FEW) for selector in constructor.selectors]
    args[own] = place.term
    made = Apply(constructor.operator, args, of)
    return place.put(problem, Apply(constructor.selectors[own].operator, (made,), place.term.sort))


def _reconstructed(constructor: Constructor, term: Term) -> Term:
    args = [Apply(selector.operator, (term,), selector.sort) for selector in constructor.selectors]
    return Apply(constructor.operator, args, term.sort)


def _rebuild(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Rebuild a value from its fields: (ite (is-C t) (C (field t) ...) t), without ite if C is the only constructor."""
    assert term.sort.datatype is not None
    constructors = term.sort.datatype.constructors
    constructor = choices.pick(constructors)
    rebuilt = _reconstructed(constructor, term)
    if len(constructors) == 1:
        return rebuilt
    return Apply("ite", (Apply(constructor.tester, (term,), BOOL), rebuilt, term))


def _is_tester(term: Term) -> bool:
    return isinstance(term, Apply) and term.operator.startswith("(_ is ") and is_small(term)


def _tested(term: Term, _draw: Drawing, choices: Choices) -> Term:
    """Replace a tester by an equality with the rebuilt value, or by the negated testers of the other constructors."""
    (value,) = term.children
    assert value.sort.datatype is not None
    constructors = value.sort.datatype.constructors
    own = next(constructor for constructor in constructors if constructor.tester == operator_of(term))
    others = [Apply(constructor.tester, (value,), BOOL) for constructor in constructors if constructor is not own]
    if others and choices.boolean():
        return negation(disjunction(*others))
    return apply("=", value, _reconstructed(own, value))


MUTATIONS = (
    Mutation(
        "bait.select-of-constructor",
        Promise.EQUIVALENT,
        "a term is read from a field of a value constructed from it",
        _DATATYPES,
        _select_of_constructor,
        lambda system: bool(_of_fields(system)),
    ),
    row("rebuild", "a value of a data type is rebuilt from its fields", _DATATYPES, of_sort(_is_datatype), _rebuild),
    row(
        "tested",
        "a tester becomes an equality, or negated testers of the other constructors",
        _DATATYPES,
        _is_tester,
        _tested,
    ),
)
