"""Values that are read from Z3's model are those of the model's text, as the same terms."""

import pytest
import z3
from chcfuzz.domains.parts.oracles.model_values import values_of
from chcfuzz.domains.parts.oracles.violating_values import values_in
from chcfuzz.grammar.reading.parse import problem

PROBLEMS = {
    "numbers": """
        (declare-const b Bool)(declare-const c Bool)(declare-const i Int)(declare-const r Real)
        (declare-const v (_ BitVec 70))(declare-const |a b| Int)
        (assert (and b (not c) (= i (- 5)) (= (* 3.0 r) (- 1.0)) (= v (bvneg (_ bv3 70)))))
        (assert (= |a b| 123456789012345678901))
    """,
    "left out": "(declare-const i Int)(declare-const a (Array Int Bool))(declare-const j Int)(assert (= j 2))",
    "arrays": """
        (declare-const a (Array Int Int))(declare-const b (Array Int (Array Bool Int)))
        (assert (= a (store (store (store ((as const (Array Int Int)) 6) 4 7) 0 9) 4 8)))
        (assert (and (= (select (select b 1) true) 2) (= (select (select b 1) false) 3)))
        (assert (= (select (select b 2) true) 5))
    """,
    "data types": """
        (declare-datatypes ((D 0)(E 0)) (((nil)(|a cons| (hd Int)(tl D)))((pair (left D)(right (Array Int D))))))
        (declare-const d D)(declare-const e E)
        (assert (and ((_ is |a cons|) d) (= (hd d) 4) (not (= (tl d) nil)) (= (left e) d) (= (select (right e) 3) d)))
    """,
}
OTHERS = {
    "an uninterpreted sort": "(declare-sort U 0)(declare-const u U)(declare-const v U)(assert (distinct u v))",
    "an algebraic number": "(declare-const r Real)(assert (= (* r r) 2.0))",
    "a string": '(declare-const s String)(assert (= s "a"))',
}


def _model(text: str) -> z3.ModelRef:
    solver = z3.SimpleSolver(ctx=z3.Context())
    solver.from_string(text)
    assert solver.check() == z3.sat
    return solver.model()


@pytest.mark.parametrize("name", PROBLEMS)
def test_values_of_a_model_are_those_of_its_text(name: str) -> None:
    given, model = problem(PROBLEMS[name]), _model(PROBLEMS[name])
    found = values_of(model, given)
    assert found is not None
    assert list(found) == [function.name for function in given.functions]
    assert found == values_in(given, model.sexpr())


@pytest.mark.parametrize("name", OTHERS)
def test_a_value_of_another_form_is_left_to_the_text(name: str) -> None:
    assert values_of(_model(OTHERS[name]), problem(OTHERS[name])) is None
