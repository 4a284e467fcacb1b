"""Identities of finite sets: equal for all small values, by the evaluator."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from chcfuzz.domains.smt.rows import sets as smt_sets
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading.parse import parse_term, problem
from chcfuzz.grammar.sorts import INT, Sort
from chcfuzz.grammar.terms import Term, Variable, free_variables
from chcfuzz.grammar.theories.sets import set_of

SETS = set_of(INT)
S, T, N = Variable("s", SETS), Variable("t", SETS), Variable("n", INT)
VALUES: dict[Sort, tuple[Any, ...]] = {
    INT: (-1, 0, 2),
    SETS: tuple(frozenset(each) for each in ((), (0,), (2,), (0, 2), (-1, 0, 5))),
}
DRAWS = 80


def draws(rewrite: Callable[[Term, Choices], Term], text: str) -> set[str]:
    """Return the different terms that a rewrite draws, each equal to the term for all small values."""
    term = parse_term(text, [S, T, N])
    found = dict.fromkeys(rewrite(term, Choices(b"", str(number).encode())) for number in range(DRAWS))
    used = free_variables(term)
    for other in found:
        assert set(free_variables(other)) <= set(used)
        for values in product(*(VALUES[each.sort] for each in used)):
            assignment = dict(zip(used, values, strict=True))
            assert evaluate(term, assignment) == evaluate(other, assignment), (print_term(other), assignment)
    return {print_term(each) for each in found}


@pytest.mark.parametrize("text", ["s", "(set.minus s t)", "(set.singleton n)", "(as set.empty (Set Int))"])
def test_a_split_set_is_the_same(text: str) -> None:
    assert len(draws(smt_sets.same, text)) > 12


def test_sets_of_an_uninterpreted_sort_are_split_without_literals() -> None:
    (formula,) = problem("(declare-sort P 0)(declare-const s (Set P))(assert (set.is_empty s))").formulas
    found = {smt_sets.same(formula.children[0], Choices(b"", str(number).encode())) for number in range(DRAWS)}
    assert len(found) > 12


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("(set.member n s)", 5),
        ("(set.member n (set.union s t))", 5),
        ("(set.subset s t)", 3),
        ("(= s t)", 3),
        ("(set.is_empty (set.inter s t))", 2),
    ],
)
def test_a_statement_is_its_definition(text: str, forms: int) -> None:
    assert len(draws(smt_sets.defined, text)) == forms


@pytest.mark.parametrize(("text", "least"), [("(set.card s)", 6), ("(set.card (set.union s t))", 8)])
def test_a_size_is_that_of_its_parts(text: str, least: int) -> None:
    assert len(draws(smt_sets.of_parts, text)) >= least


@pytest.mark.parametrize("assertion", ["(= n 1)", "(= n 1 2)", "(= b b)"])
def test_other_terms_stay(assertion: str) -> None:
    given = problem(f"(declare-const n Int)(declare-const b Bool)(assert {assertion})")
    assert not any(row.applies(given) for row in smt_sets.MUTATIONS)
