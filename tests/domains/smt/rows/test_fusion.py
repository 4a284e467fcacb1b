"""Fusion of constants, of one problem and of two."""

import pytest
from chcfuzz.domains.smt.rows.fusion import MUTATIONS
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.parse import problem

from tests.domains.smt.rows.cases import results
from tests.domains.smt.rows.judge import smt_roots

ROWS = {row.id: row for row in MUTATIONS}
SAT = "(set-info :status sat)(declare-const x Int)(assert (> x 3))"
UNSAT = "(set-info :status unsat)(declare-const x Int)(assert (> x x))"


def fused(row: str, text: str, other: str, number: int = 0) -> Problem | None:
    with smt_roots():
        found: Problem | None = ROWS[f"smt_fusion.{row}"].rewrite(
            problem(text), Choices(other.encode(), str(number).encode())
        )
    return found


def test_two_constants_are_tied_by_a_third() -> None:
    found = results(MUTATIONS, "smt_fusion.self", "(assert (< x y))", 300)
    assert "(assert (= fused (+ x y))) (assert (< (- fused y) y))" in found
    assert any("(+ (* (- 3) x) (* 4 y))" in text and "(div (- fused (* 4 y)) (- 3))" in text for text in found)


@pytest.mark.parametrize(
    ("sort", "inverse"),
    [
        ("Real", "(- fused"),
        ("Bool", "(xor fused"),
        ("(_ BitVec 3)", "(bvxor fused"),
        ("(_ BitVec 3)", "(_ extract 5 3)"),
    ],
)
def test_constants_of_many_sorts_are_tied(sort: str, inverse: str) -> None:
    declared = f"(declare-const v {sort})(declare-const w {sort})"
    assert any(inverse in text for text in results(MUTATIONS, "smt_fusion.self", f"{declared}(assert (= v w))", 300))


def test_a_second_problem_gets_other_names() -> None:
    found = fused("sat", "(declare-const x Int)(assert (< x 0))", SAT)
    assert found is not None
    names = [function.name for function in found.functions]
    assert names[:2] == ["x", "x!1"]
    assert len(found.assertions) > 2


def test_an_unsatisfiable_problem_is_a_disjunct() -> None:
    found = fused("unsat", "(declare-const x Int)(assert (< x 0))(assert (> x (- 9)))", UNSAT)
    assert found is not None
    assert any(getattr(formula, "operator", "") == "or" for formula in found.formulas)


@pytest.mark.parametrize(("row", "other"), [("sat", UNSAT), ("unsat", SAT), ("sat", SAT.replace("sat)", "unknown)"))])
def test_the_second_problem_must_have_the_right_status(row: str, other: str) -> None:
    assert fused(row, "(declare-const x Int)(assert (< x 0))", other) is None


def test_problems_with_a_sort_of_the_same_name_are_not_fused() -> None:
    text = "(set-info :status sat)(declare-sort U 0)(declare-const u U)(assert (= u u))"
    assert fused("sat", text, text) is None


def test_results_that_both_problems_leave_open_could_differ() -> None:
    text = "(set-info :status sat)(declare-const x Int)(assert (= (div x 0) 3))"
    assert fused("sat", text, text) is None
    assert fused("sat", text, SAT) is not None
