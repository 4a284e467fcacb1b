"""Rows that use a model of Z3: what they assert holds in it."""

from chcfuzz.domains.smt.rows.models import MUTATIONS, model_of
from chcfuzz.grammar.reading.parse import problem

from tests.domains.smt.rows.cases import HEAD, results

ONE_MODEL = "(assert (and (< 6 x 8) (= a #x5) (not p) (= (* 2.0 s) 3.0) (= c (mixed x))))"


def test_values_of_the_model_are_asserted() -> None:
    found = results(MUTATIONS, "smt_models.assert-values", ONE_MODEL, 100)
    assert any("(= c (mixed 7))" in text and "(= x 7)" in text for text in found)
    assert any("(= s (/ 3.0 2.0))" in text for text in found)
    assert not any("(= u" in text for text in found)


def test_a_constant_becomes_its_value() -> None:
    found = results(MUTATIONS, "smt_models.plug", "(assert (and (< 6 x 8) (f x)))", 60)
    assert found == {"(assert (and (< 6 7 8) (f x)))", "(assert (and (< 6 x 8) (f 7)))"}


def test_values_are_excluded() -> None:
    found = results(MUTATIONS, "smt_models.block", ONE_MODEL, 100)
    assert any("(assert (not (and (= x 7) (= p false))))" in text or "(not (= x 7))" in text for text in found)


def test_drawn_formulas_that_are_asserted_hold_in_the_model() -> None:
    found = results(MUTATIONS, "smt_models.assert-true", ONE_MODEL, 60)
    assert len(found) > 20
    assert all(model_of(problem(HEAD + text)) is not None for text in sorted(found)[:10])


def test_an_unsatisfiable_problem_has_no_model() -> None:
    for row in MUTATIONS:
        assert results(MUTATIONS, row.id, "(assert (< x x))", 3) == set()
        assert not row.applies(problem(f"(set-info :status unsat){HEAD}(assert p)"))
