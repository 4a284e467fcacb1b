"""Identities of connectives: equal under all truth values, by the evaluator."""

from itertools import product

import pytest
from chcfuzz.domains.smt.rows import logic as smt_logic
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.grammar.sorts import BOOL
from chcfuzz.grammar.terms import Quantifier, Term, Variable, apply, negation

P, Q, R = (Variable(name, BOOL) for name in "pqr")
ROWS = {row.id: row for row in smt_logic.MUTATIONS}
DRAWS = 80


def truth_table(term: Term) -> list[object]:
    rows = product((False, True), repeat=3)
    return [evaluate(term, dict(zip((P, Q, R), row, strict=True))) for row in rows]


def test_a_neutral_element_changes_no_truth_value() -> None:
    drawn = {smt_logic.same(P, Choices(b"", str(number).encode())) for number in range(DRAWS)}
    assert len(drawn) > 10
    assert all(truth_table(other) == truth_table(P) for other in drawn)


def test_an_operator_with_an_element_and_a_set_of_booleans_has_no_definition() -> None:
    (member,) = problem("(declare-const s (Set Bool))(assert (set.member true s))").formulas
    assert smt_logic.defined_terms(member) == []


FORMULAS = [
    *(apply(operator, P, Q) for operator in ("and", "or", "xor", "=>", "=", "distinct")),
    *(apply(operator, P, Q, R) for operator in ("and", "or", "=>", "=")),
    *(negation(apply(operator, P, Q)) for operator in ("and", "or", "=>")),
    apply("ite", P, Q, R),
    negation(apply("ite", P, Q, R)),
    negation(negation(P)),
    Quantifier("forall", (R,), apply("or", P, R)),
    negation(Quantifier("exists", (R,), apply("and", P, R))),
]


@pytest.mark.parametrize("formula", FORMULAS, ids=str)
def test_a_definition_has_the_truth_values_of_its_connective(formula: Term) -> None:
    found = smt_logic.defined_terms(formula)
    assert found
    for other in found:
        assert other is not formula
        assert truth_table(other) == truth_table(formula)


CASES = [
    ("turn", "(= p q)", "(= q p)"),
    ("turn", "(f (+ x 1))", "(f (+ 1 x))"),
    ("regroup", "(or p q r)", "(or (or p q) r)"),
    ("regroup", "(or p (or q r))", "(or p q r)"),
    ("lift-ite", "(f (ite p x 1))", "(ite p (f x) (f 1))"),
    ("lift-ite", "(< 0 (ite p x 1))", "(ite p (< 0 x) (< 0 1))"),
    ("turn-ite", "(f (ite p x 1))", "(f (ite (not p) 1 x))"),
    ("turn-ite", "(f (ite (not p) x 1))", "(f (ite p 1 x))"),
    ("cut", "(f (ite p x 1))", "(ite p (f (ite true x 1)) (f (ite false x 1)))"),
    (
        "cut",
        "(xor p (forall ((p Bool)) p))",
        "(ite p (xor true (forall ((p Bool)) p)) (xor false (forall ((p Bool)) p)))",
    ),
]
HEAD = (
    "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(declare-const x Int)(declare-fun f (Int) Bool)"
)


@pytest.mark.parametrize(("row", "before", "after"), CASES)
def test_a_row_moves_arguments_and_ites(row: str, before: str, after: str) -> None:
    found = ROWS[f"smt_logic.{row}"].rewrite(problem(f"{HEAD}(assert {before})"), Choices(b""))
    assert found == problem(f"{HEAD}(assert {after})")


@pytest.mark.parametrize(
    ("row", "before"),
    [
        ("turn", "(=> p q)"),
        ("turn", "(= p p)"),
        ("regroup", "(or p q)"),
        ("lift-ite", "(not p)"),
        ("turn-ite", "(not p)"),
        ("cut", "p"),
        ("defined", "p"),
    ],
)
def test_a_row_declines_what_has_another_form(row: str, before: str) -> None:
    given = problem(f"{HEAD}(assert {before})")
    mutation = ROWS[f"smt_logic.{row}"]
    assert not mutation.applies(given)
    assert mutation.rewrite(given, Choices(b"")) is None
