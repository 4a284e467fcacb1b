"""Identities of numbers and arrays: equal for sample values, by the evaluator."""

from fractions import Fraction
from itertools import product

import pytest
from chcfuzz.domains.smt.rows import numbers as smt_numbers
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Ground, array_value
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.grammar.sorts import INT, REAL, Sort, array
from chcfuzz.grammar.terms import Term, Value, Variable, apply, free_variables

CELLS = array(INT, INT)
SAMPLES: dict[Sort, list[Ground]] = {
    INT: [-7, -3, -1, 0, 1, 2, 5],
    REAL: [Fraction(-7, 2), Fraction(-1), Fraction(0), Fraction(1, 3), Fraction(4)],
    CELLS: [array_value(INT, 0, {}), array_value(INT, 1, {0: 2}), array_value(INT, 0, {1: 5, -1: 2})],
}


def check(term: Term, other: Term) -> None:
    variables = free_variables(term)
    for values in product(*(SAMPLES[variable.sort] for variable in variables)):
        assignment = dict(zip(variables, values, strict=True))
        value = evaluate(term, assignment)
        assert value is not UNDETERMINED
        assert evaluate(other, assignment) == value, f"{term} and {other} at {assignment}"


@pytest.mark.parametrize("sort", [INT, REAL])
def test_a_neutral_element_changes_no_number(sort: Sort) -> None:
    x = Variable("x", sort)
    drawn = {smt_numbers.same(x, Choices(b"", str(number).encode())) for number in range(60)}
    assert len(drawn) > 10
    for other in drawn:
        check(x, other)


def terms() -> list[Term]:
    x, y = (Variable(name, INT) for name in "xy")
    r, s = (Variable(name, REAL) for name in "rs")
    a, b = (Variable(name, CELLS) for name in "ab")
    three, minus, half = Value(3, INT), Value(-2, INT), Value(Fraction(-1, 2), REAL)
    comparisons = [apply(o, *pair) for o in ("<", "<=", ">", ">=", "=") for pair in ((x, y), (r, s))]
    return [
        *comparisons,
        *(apply(operator, *pair) for operator in ("+", "-", "*") for pair in ((x, y), (r, s))),
        *(apply(operator, x, number) for operator in ("div", "mod") for number in (three, minus)),
        apply("/", r, half),
        apply("-", x),
        apply("abs", x),
        apply("is_int", r),
        apply("*", x, apply("+", y, three)),
        apply("to_real", apply("-", x, three)),
        apply("select", apply("store", a, x, y), three),
        apply("store", apply("store", a, x, y), three, y),
        apply("=", a, apply("store", b, x, y)),
        apply("=", apply("store", b, x, y), a),
    ]


@pytest.mark.parametrize("term", terms(), ids=str)
def test_a_definition_has_the_values_of_its_operator(term: Term) -> None:
    found = smt_numbers.defined_terms(term)
    assert found
    for other in found:
        check(term, other)


def test_a_constant_becomes_a_sum() -> None:
    row = next(row for row in smt_numbers.MUTATIONS if row.id == "smt_numbers.sum")
    found = row.rewrite(problem("(declare-const r Real)(assert (< r 2.5))"), Choices(b""))
    assert found == problem("(declare-const r Real)(assert (< r (+ (/ 3.0 2.0) 1.0)))")
    assert row.rewrite(problem("(declare-const p Bool)(assert p)"), Choices(b"")) is None
