"""Definitions of operators of bit-vectors: equal for all values of all small widths, by the evaluator."""

from itertools import product

import pytest
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Ground
from chcfuzz.grammar.sorts import bitvec
from chcfuzz.grammar.terms import Apply, Term, Variable, free_variables, vector
from chcfuzz.grammar.theory import result_sort
from chcfuzz.mutators.rewriting.vector_definitions import BINARY, UNARY, defined_terms

WIDTHS = (1, 2, 3)
INDEXED = (
    "extract 1 1",
    "extract 1 0",
    "zero_extend 2",
    "sign_extend 2",
    "repeat 3",
    "rotate_left 1",
    "rotate_right 4",
)


def values(term: Term, variables: tuple[Variable, ...]) -> list[Ground]:
    """Return the values of a term under all values of the variables."""
    found = []
    for numbers in product(*(range(1 << variable.sort.width) for variable in variables)):
        value = evaluate(term, dict(zip(variables, numbers, strict=True)))
        assert value is not UNDETERMINED, term
        found.append(value)
    return found


def check(term: Term, other: Term) -> None:
    variables = free_variables(term)
    assert set(free_variables(other)) <= set(variables)
    assert values(term, variables) == values(other, variables), f"{term} and {other}"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("operator", [*BINARY, *UNARY])
def test_a_definition_has_the_values_of_its_operator(operator: str, width: int) -> None:
    x, y = (Variable(name, bitvec(width)) for name in "xy")
    args = (x, y) if operator in BINARY else (x,)
    term = Apply(operator, args)
    found = defined_terms(term)
    assert len(found) == len({**BINARY, **UNARY}[operator])
    for other in found:
        check(term, other)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("operator", ["bvmul", "bvudiv", "bvurem", "bvshl", "bvlshr", "bvashr"])
def test_definitions_for_constants_have_the_same_values(operator: str, width: int) -> None:
    x, sort = Variable("x", bitvec(width)), bitvec(width)
    for number in range(1 << width):
        term = Apply(operator, (x, vector(number, width)), sort)
        for other in defined_terms(term):
            check(term, other)


@pytest.mark.parametrize("operator", INDEXED)
def test_indexed_operators_have_the_values_of_their_definitions(operator: str) -> None:
    x, y = (Variable(name, bitvec(3)) for name in "xy")
    for argument in (x, Apply("bvadd", (x, y)), Apply("bvxor", (x, y)), Apply("bvneg", (x,))):
        term = Apply(f"(_ {operator})", (argument,), result_sort(f"(_ {operator})", [argument.sort]))
        found = defined_terms(term)
        assert found
        for other in found:
            check(term, other)
