"""An examination tries the options of the theories in a problem, each with one value."""

import pytest
from chcfuzz.domains.smt.domain import DOMAIN
from chcfuzz.domains.smt.rows import parameters as smt_parameters
from chcfuzz.grammar.reading import parse

BITS = "(declare-const x (_ BitVec 4))(assert (bvult x #x3))"
INTEGERS = "(declare-const x Int)(assert (< x 3))"
ALL_INTEGERS = "(assert (forall ((x Int)) (> (* x x) (- 1))))"


def options(text: str, solver: str) -> dict[str, list[str]]:
    """Return the options of a solver that are tried on a problem, with their values."""
    stated, rows = parse.problem(text), smt_parameters.rows(("z3", "cvc5", "bitwuzla"))
    found = {row.name: list(DOMAIN.tried((("solver", solver),), row, stated)) for row in rows}
    return {name: values for name, values in found.items() if values}


@pytest.mark.parametrize(
    ("option", "where"),
    [
        ("z3.smt.arith.solver", {INTEGERS, ALL_INTEGERS}),
        ("z3.smt.bv.reflect", {BITS}),
        ("z3.smt.mbqi", {ALL_INTEGERS}),
        ("z3.smt.relevancy", {BITS, INTEGERS, ALL_INTEGERS}),
        ("cvc5.bv-solver", {BITS}),
        ("cvc5.miniscope-quant", {ALL_INTEGERS}),
        ("cvc5.nl-ext", {INTEGERS, ALL_INTEGERS}),
    ],
)
def test_an_option_is_tried_where_its_theory_is(option: str, where: set[str]) -> None:
    solver = option.partition(".")[0]
    assert {text for text in (BITS, INTEGERS, ALL_INTEGERS) if option in options(text, solver)} == where


def test_an_option_has_one_value_and_belongs_to_the_solver_under_test() -> None:
    found = options(BITS, "bitwuzla")
    assert found
    assert all(name.startswith("bitwuzla.") and len(values) == 1 for name, values in found.items())
