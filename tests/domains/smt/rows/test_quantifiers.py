"""Quantifiers moved, added, expanded, instantiated and replaced: text before, text after."""

import pytest
from chcfuzz.domains.smt.rows.quantifiers import MUTATIONS

from tests.domains.smt.rows.cases import results

CASES = [
    (
        "push",
        "(assert (forall ((z Int)) (and (f z) p)))",
        {"(assert (and (forall ((z Int)) (f z)) p))"},
    ),
    (
        "push",
        "(assert (exists ((z Int)) (or (f z) (g z))))",
        {"(assert (or (exists ((z Int)) (f z)) (exists ((z Int)) (g z))))"},
    ),
    (
        "push",
        "(assert (forall ((z Int)) (or (f z) p (g z))))",
        {"(assert (or (forall ((z Int)) (or (f z) (g z))) p))"},
    ),
    ("push", "(assert (forall ((z Int)) (or (f z) (g z))))", set()),
    (
        "pull",
        "(assert (and (f x) (forall ((z Int)) (g z))))",
        {"(assert (forall ((z!1 Int)) (and (f x) (g z!1))))"},
    ),
    (
        "pull",
        "(assert (=> (forall ((z Int)) (g z)) p))",
        {"(assert (exists ((z!1 Int)) (=> (g z!1) p)))"},
    ),
    (
        "split",
        "(assert (forall ((z Int)(w Int)) (f z)))",
        {"(assert (forall ((z Int)) (forall ((w Int)) (f z))))"},
    ),
    (
        "expand",
        "(assert (exists ((t Bool)(z Int)) (= t (f z))))",
        {"(assert (exists ((z Int)) (or (= true (f z)) (= false (f z)))))"},
    ),
    ("expand", "(assert (exists ((z Int)) (f z)))", set()),
    ("skolemize", "(assert (exists ((z Int)) (f z)))", {"(assert (f z!sk))"}),
    (
        "skolemize",
        "(assert (forall ((w Int)) (exists ((z Int)) (= w (h z p)))))",
        {"(assert (forall ((w Int)) (= w (h (z!sk w) p))))"},
    ),
    ("skolemize", "(assert (forall ((z Int)) (f z)))", set()),
    ("bind", "(assert (f x)) (assert p) (assert p)", {"(assert (exists ((e Int)) (f e))) (assert p) (assert p)"}),
    ("instance", "(assert (exists ((z Int)) (f z)))", set()),
]


@pytest.mark.parametrize(("row", "before", "after"), CASES)
def test_a_row_makes_all_of_these_and_nothing_else(row: str, before: str, after: set[str]) -> None:
    assert results(MUTATIONS, f"smt_quantifiers.{row}", before) == after


def test_instances_are_asserted_beside_the_formula() -> None:
    found = results(MUTATIONS, "smt_quantifiers.instance", "(assert (forall ((z Int)) (f z)))")
    assert len(found) > 10
    assert all("(assert (forall ((z Int)) (f z)))" in text and text.count("(assert ") == 2 for text in found)


def test_a_term_gets_a_bound_name() -> None:
    found = results(MUTATIONS, "smt_quantifiers.name", "(assert (f (h x p)))", 200)
    assert "(assert (forall ((z Int)) (=> (= z x) (f (h z p)))))" in found
    assert "(assert (exists ((z Bool)) (and (= p z) (f (h x z)))))" in found


def test_a_variable_of_an_inner_quantifier_gets_no_name_outside_of_it() -> None:
    found = results(
        MUTATIONS, "smt_quantifiers.name", "(assert (forall ((z Int)) (and (f z) (exists ((z Int)) (g z)))))", 400
    )
    assert (
        "(assert (forall ((z Int)) (exists ((z!1 Bool)) (and (= (f z) z!1) (and z!1 (exists ((z Int)) (g z)))))))"
        in found
    )
    assert not any("(exists ((z Int)) z!1)" in text for text in found)


def test_a_formula_is_quantified_over_a_variable_of_any_sort() -> None:
    found = results(MUTATIONS, "smt_quantifiers.unused", "(assert p)", 200)
    assert {"(assert (forall ((z U)) p))", "(assert (exists ((z C)) p))"} <= found
