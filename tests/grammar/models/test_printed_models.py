"""Models of the three solvers: read, judged, and judged wrong where they were made wrong."""

from __future__ import annotations

import pytest
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.models.printed_models import read_model
from chcfuzz.grammar.models.structures import holds, judge
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.reading.parse import problem

from tests.grammar.models.model_printers import MODELS

FOR_BITWUZLA = """
(declare-sort U 0)(declare-fun f (U (_ BitVec 3)) (_ BitVec 3))(declare-const a U)(declare-const b U)
(declare-const m (Array (_ BitVec 3) (_ BitVec 3)))(declare-const v (_ BitVec 5))
(declare-fun h ((_ BitVec 2) Bool) Bool)
(declare-const mm (Array (_ BitVec 2) (Array (_ BitVec 2) Bool)))(declare-const |odd name| Bool)
(assert (distinct (f a #b001) (f b #b001) (f a #b010)))
(assert (= (select m #b011) #b100))(assert (distinct (select m #b100) #b100))(assert (bvugt v #b01010))
(assert (distinct (h #b00 true) (h #b01 true)))(assert |odd name|)
(assert (select (select mm #b01) #b10))(assert (not (select (select mm #b10) #b10)))
"""
FOR_ALL = (
    FOR_BITWUZLA
    + """
(declare-sort |odd sort| 0)(declare-const o |odd sort|)(declare-const u |odd sort|)(assert (distinct o u))
(declare-fun g (U) U)(assert (distinct a b))(assert (= (g a) b))(declare-const n (Array U Bool))
(assert (distinct (select n a) (select n b)))
(declare-datatypes ((Pair 0)) (((pair (first Int) (second U)))))
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-const p Pair)(declare-const l L)(declare-const r Real)(declare-const q Real)
(assert (= (first p) (- 3)))(assert (= (second p) b))(assert ((_ is cons) l))(assert (> (hd l) 2))
(assert (= r (/ 1 3)))(assert (< q (- 0.5)))
(declare-fun k (Bool) (Array Int Int))(assert (= (select (k true) 1) 7))(assert (= (select (k false) 1) 8))
(declare-fun w (Int) Int)(assert (> (w (w 0)) (w 0)))(assert (< (w 1) (w (- 1))))
"""
)


@pytest.mark.parametrize("solver", MODELS)
def test_models_of_real_solvers_hold(solver: str) -> None:
    stated = problem(FOR_BITWUZLA if solver == "bitwuzla" else FOR_ALL)
    model = MODELS[solver](print_problem(stated))
    assert model is not None
    structure = read_model(model, stated)
    assert structure.unreadable == ()
    assert judge(stated, structure) == (True,) * len(stated.assertions)
    # Each definition counts: the model without one of them is still a model or open, never wrong.
    for function, definition in structure.functions.items():
        fewer = {other: each for other, each in structure.functions.items() if other is not function}
        assert False not in judge(stated, type(structure)(fewer, structure.arrays, structure.elements)), definition


OF_FLOATS = """
(declare-const x Float32)(declare-const y Float32)(declare-const m RoundingMode)(declare-const n Float32)
(declare-const i Float32)(declare-const z Float32)(declare-fun f (Float32 Bool) Float32)
(declare-const a (Array (_ BitVec 2) Float32))(declare-const h Float16)(declare-const b (_ BitVec 8))
(assert (fp.lt x y))(assert (fp.isNaN n))(assert (and (fp.isInfinite i) (fp.isNegative i)))
(assert (and (fp.isZero z) (fp.isNegative z)))(assert (distinct m RNE))(assert (fp.gt (f x true) y))
(assert (fp.eq (fp.neg x) (f y false)))(assert (fp.isSubnormal (select a #b01)))(assert (fp.isPositive (select a #b10)))
(assert (= b ((_ fp.to_ubv 8) RTZ y)))(assert (fp.gt y ((_ to_fp 8 24) RNE 10.0)))
"""


@pytest.mark.parametrize("solver", MODELS)
def test_models_of_floating_point_hold(solver: str) -> None:
    stated = problem(OF_FLOATS if solver != "cvc5" else OF_FLOATS.replace("Float16", "Float64"))
    model = MODELS[solver](print_problem(stated))
    assert model is not None
    structure = read_model(model, stated)
    assert structure.unreadable == ()
    assert judge(stated, structure) == (True,) * len(stated.assertions)


OF_STRINGS = """
(declare-fun f (String) Bool)(declare-fun g ((Seq String)) Int)(declare-datatypes ((W 0)) (((w (text String)))))
(declare-fun h (W Int) String)
(assert (f "ab"))(assert (not (f "b")))(assert (f ""))(assert (= (g (seq.unit "b")) (+ 1 (g (seq.unit "u")))))
(assert (= (h (w "\\u{e9}c") 1) "x"))(assert (= (h (w "y") 1) "z"))
"""


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_models_of_functions_over_strings_hold(solver: str) -> None:
    stated = problem(OF_STRINGS)
    model = MODELS[solver](print_problem(stated))
    assert model is not None
    structure = read_model(model, stated)
    assert structure.unreadable == ()
    assert judge(stated, structure) == (True,) * len(stated.assertions)
    if solver == "z3":
        assert "(_ Char 98)" in model


SMALL = "(declare-const a Int)(declare-fun f (Int) Int)(assert (> (f a) 1))(assert (= (f 0) 5))"


@pytest.mark.parametrize(
    ("model", "judged"),
    [
        ("(define-fun a () Int 0)(define-fun f ((x Int)) Int 5)", (True, True)),
        ("(define-fun a () Int 1)(define-fun f ((x Int)) Int (ite (= x 0) 5 (- 1)))", (False, True)),
        ("(define-fun a () Int 1)(define-fun f ((x Int)) Int (g x))(define-fun g ((x Int)) Int (+ x 5))", (True, True)),
        ("sat\n(model (define-fun f ((x Int)) Int 5))", (True, True)),  # whatever a is
        ("((define-fun f ((x Int)) Int (+ x 5)))", (True, True)),
        ("(\n; a comment (\n(define-fun f ((x Int)) Int (let ((y (+ x 4))) y)))", (True, False)),
        ("(define-fun f ((x Int)) Int 6)", (True, False)),
        ("(define-fun a () Int 0)", (None, None)),
        ("(define-fun f ((x Int)) Int (f x))", (None, None)),
        ("(define-fun a () Int 3)(define-fun f ((x Int)) Int (root-obj (+ (^ x 2) (- 2)) 1))", (None, None)),
        ("(define-fun a () Real 3.0)(define-fun f ((x Int)) Int 5)", (True, True)),
        ("(define-fun f ((x Real)) Int 5)", (None, None)),
        ("(define-fun f ((x Int)) Int 1)(define-fun a () Int 3)(define-fun |f| ((x Int)) Int 5)", (None, None)),
    ],
)  # fmt: skip
def test_what_a_model_leaves_open_is_not_wrong(model: str, judged: tuple[bool | None, ...]) -> None:
    stated = problem(SMALL)
    assert judge(stated, read_model(model, stated)) == judged


def test_a_definition_that_is_not_understood_is_named() -> None:
    structure = read_model("(define-fun a () Int (root-obj x 1))(define-fun f ((x Int)) Int 5)", problem(SMALL))
    assert structure.unreadable == ("a",)
    assert judge(problem(SMALL), structure) == (True, True)


@pytest.mark.parametrize(
    "model",
    [
        "(define-fun m () (Array Int Int) (_ as-array k!0))(define-fun k!0 ((x!0 Int)) Int (ite (= x!0 3) 4 5))",
        "(define-fun m () (Array Int Int) (lambda ((x Int)) (ite (= 3 x) 4 (ite (or (= x 7) (= x 8)) 6 5))))",
        "(define-fun m () (Array Int Int) (store ((as const (Array Int Int)) 5) 3 4))",
        "(define-fun m () (Array Int Int) (let ((a!1 (store ((as const (Array Int Int)) 5) 3 1))) (store a!1 3 4)))",
    ],
)
def test_arrays_are_written_in_several_ways(model: str) -> None:
    stated = problem("(declare-const m (Array Int Int))(assert (= (select m 3) 4))(assert (= (select m 9) 5))")
    assert judge(stated, read_model(model, stated)) == (True, True)
    assert (
        holds(problem("(declare-const m (Array Int Int))(assert (= (select m 3) 5))"), read_model(model, stated))
        is False
    )


@pytest.mark.parametrize(
    "model",
    [
        "(define-fun f ((x Bool)) Bool (let ((a x)) (forall ((x Bool)) (or a (and x (not x))))))",
        "(define-fun f ((x Bool)) Bool (select (lambda ((x Int)) (exists ((x Int)) (= x 3))) 9))",
    ],
)
def test_a_quantifier_may_bind_the_name_of_a_parameter(model: str) -> None:
    stated = problem("(declare-fun f (Bool) Bool)(assert (f true))(check-sat)")
    assert judge(stated, read_model(model, stated)) == (True,)


def test_an_array_whose_elements_depend_on_more_than_equality_is_open() -> None:
    declared = "(declare-const m (Array Int Int))"
    stated = problem(f"{declared}(assert (= (select m 3) 4))")
    model = read_model("(define-fun m () (Array Int Int) (lambda ((x Int)) (+ x 1)))", stated)
    assert judge(stated, model) == (True,)  # but single elements are known
    more = f"{declared}(assert (= (select (store (store m 5 1) 3 9) 3) 9))(assert (= (select (store m 5 1) 3) 5))"
    more += "(assert (= m (store m 3 4)))(assert (distinct m (store m 3 5)))(assert (= (select (ite true m m) 0) 1))"
    assert judge(problem(more), model) == (True, False, None, None, True)


@pytest.mark.parametrize("text", ["(", ")", "((define-fun a () Int 1)", "(define-fun a () Int 1))"])
def test_an_unbalanced_model_is_refused(text: str) -> None:
    with pytest.raises(ChcfuzzError, match="parenthesis"):
        read_model(text, problem(SMALL))


def test_deep_models_end_in_time() -> None:
    deep = "(+ 1 " * 5000 + "0" + ")" * 5000
    structure = read_model(f"(define-fun a () Int {deep})(define-fun f ((x Int)) Int 5)", problem(SMALL))
    assert structure.unreadable == ("a",)
