"""Terms in structures: quantifiers, terms that SMT-LIB leaves open, finite universes, limits."""

from __future__ import annotations

import pytest
from chcfuzz.grammar.models.printed_models import read_model
from chcfuzz.grammar.models.structures import holds, judge
from chcfuzz.grammar.reading.parse import problem

DECLARED = """(declare-sort U 0)(declare-const u U)(declare-const a Int)(declare-const r Real)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-const l L)
(declare-datatypes ((C 0)) (((red) (green))))
(declare-fun f (U) Int)(declare-fun g (Int) Int)(declare-const m (Array U Int))(declare-const n (Array U Int))
"""
MODEL = """(declare-fun U!val!0 () U)(declare-fun U!val!1 () U)(define-fun u () U U!val!1)(define-fun a () Int 0)
(define-fun l () L nil)(define-fun r () Real 0.0)(define-fun f ((x U)) Int (ite (= x U!val!0) 1 2))
(define-fun g ((x Int)) Int x)(define-fun m () (Array U Int) (store ((as const (Array U Int)) 1) U!val!0 2))
(define-fun n () (Array U Int) (store ((as const (Array U Int)) 2) U!val!1 1))
"""


@pytest.mark.parametrize(
    ("assertion", "value"),
    [
        ("(forall ((x U)) (> (f x) 0))", True),
        ("(forall ((x U)) (> (f x) 1))", False),
        ("(exists ((x U)) (> (f x) 1))", True),
        ("(forall ((c C)) (or (= c red) (= c green)))", True),
        ("(forall ((b (_ BitVec 4))) (bvule b #xe))", False),
        ("(forall ((q Real) (c C)) (or (= c red) (= c green)))", True),
        ("(forall ((x Int)) (= (g x) x))", None),
        ("(forall ((x Int)) (> (g x) 1))", False),
        ("(exists ((x Int)) (and (> x 40) (= (g x) 41)))", True),
        ("(forall ((x Int) (b (_ BitVec 40))) (= x 0))", False),
        ("(forall ((x Int)) (=> (> x 0) (exists ((y Int)) (< y (g x)))))", None),
        ("(= (div 1 a) 7)", None),
        ("(= (div 1 a) 0)", True),  # fixed so, it is true
        ("(= (div 1 a) (div 1 (g a)))", True),
        ("(= (mod 5 a) 5)", True),
        ("(= (/ 1.0 r) 0.0)", True),
        ("(distinct (/ 1.0 r) 0.0)", None),
        ("(= (hd l) 0)", True),
        ("(distinct (hd l) (hd nil))", None),
        ("(= m n)", None),  # equal in this universe, different in larger ones
        ("(= m (store m u 5))", False),
        ("(= (select m u) 1)", True),
        ("(= u u)", True),
    ],
)
def test_the_value_of_an_assertion(assertion: str, value: bool | None) -> None:
    stated = problem(f"{DECLARED}(assert {assertion})")
    assert judge(stated, read_model(MODEL, stated)) == (value,)


def test_division_by_zero_is_as_the_solver_prints_it() -> None:
    stated = problem("(declare-const a Int)(assert (= (div 3 a) 8))(assert (= (mod 3 a) 3))(assert (= (div 9 a 2) 3))")
    model = read_model("(define-fun a () Int 0)(define-fun div0 ((x Int) (y Int)) Int (ite (= x 3) 8 7))", stated)
    assert judge(stated, model) == (True, True, True)
    assert judge(stated, read_model("(define-fun a () Int 0)", stated)) == (None, True, None)


@pytest.mark.parametrize("constructor", ["(hold (held (Array Int Int)))", "(hold (held (Array Int Int)) (at Int))"])
def test_a_field_that_holds_an_array_without_a_table_is_open(constructor: str) -> None:
    other = " 3" if "at" in constructor else ""
    stated = problem(f"""(declare-datatypes ((H 0)) (({constructor})))(declare-const k (Array Int Int))
        (assert (= (select (held (hold k{other})) 3) 4))(assert (= (select k 3) 4))""")
    model = read_model("(define-fun k () (Array Int Int) (lambda ((x Int)) (+ x 1)))", stated)
    assert judge(stated, model) == (None, True)


def test_a_universe_that_is_not_stated_refutes_nothing_by_its_size() -> None:
    stated = problem("(declare-sort U 0)(declare-const u U)(assert (forall ((x U)) (= x u)))")
    assert holds(stated, read_model("(define-fun u () U (as @U_0 U))", stated)) is True
    other = problem("(declare-sort U 0)(declare-const u U)(assert (exists ((x U)) (distinct x u)))")
    assert holds(other, read_model("(define-fun u () U (as @U_0 U))", other)) is None
    assert holds(other, read_model("(declare-fun U!val!0 () U)(define-fun u () U U!val!0)", other)) is False


def test_defaults_that_no_index_has_in_common_do_not_make_arrays_differ() -> None:
    declared = "(declare-sort U 0)(declare-fun b (Int Int) (Array U Int))"
    of = "(_ BitVec 2) (Array U Int)"
    rows = "(store (store (store ((as const (Array {})) (b {})) {} (b {})) {} (b {})) {} (b {}))"
    model = "(define-fun b ((x Int) (y Int)) (Array U Int) (store ((as const (Array U Int)) x) (as @U_0 U) y))"
    one = rows.format(of, "4 0", "#b10", "7 1", "#b11", "8 1", "#b01", "4 0")
    other = rows.format(of, "3 1", "#b00", "5 0", "#b01", "6 0", "#b11", "3 1")
    stated = problem(f"{declared}(assert (= {one} {other}))")
    assert holds(stated, read_model(model, stated)) is None  # they are equal if there is only one element


def test_a_structure_is_a_model_if_all_assertions_hold() -> None:
    stated = problem("(declare-const a Int)(assert (> a 0))(assert (= (div 1 0) 7))(assert (< a 5))")
    assert holds(stated, read_model("(define-fun a () Int 3)", stated)) is None
    assert holds(stated, read_model("(define-fun a () Int 7)", stated)) is False
    assert (
        holds(problem("(declare-const a Int)(assert (> a 0))"), read_model("(define-fun a () Int 3)", stated)) is True
    )


def test_an_evaluation_that_takes_too_many_steps_is_open() -> None:
    bound = " ".join(f"(x{number} (_ BitVec 8))" for number in range(2))
    text = f"(declare-const c (_ BitVec 8))(assert (forall ({bound}) (bvule (bvand x0 x1 c) c)))"
    stated = problem(text.replace("(forall", "(forall ((z Bool)) (forall").replace(" c)))", " c))))"))
    structure = read_model("(define-fun c () (_ BitVec 8) #x0f)", stated)
    assert judge(stated, structure, most_steps=500) == (None,)
    small = problem(
        "(declare-const c (_ BitVec 8))(assert (forall ((x (_ BitVec 4))) (bvule x #xf)))(assert (= c #x0f))"
    )
    assert judge(small, read_model("(define-fun c () (_ BitVec 8) #x0f)", small), most_steps=500) == (True, True)


def test_an_expensive_assertion_leaves_steps_for_the_others() -> None:
    bound = " ".join(f"(x{number} (_ BitVec 30))" for number in range(4))
    hard = f"(assert (forall ({bound}) (bvule (bvand x0 x1 x2 x3 c) c)))"
    stated = problem(f"(declare-const c (_ BitVec 30)){hard * 3}(assert (= c (bvneg c)))")
    structure = read_model("(define-fun c () (_ BitVec 30) (_ bv5 30))", stated)
    assert judge(stated, structure, most_steps=600) == (None, None, None, False)


def test_quantifiers_in_each_other_end() -> None:
    nested = "".join(f"(forall ((x{number} Int)) (exists ((y{number} Int)) " for number in range(12))
    inner = " ".join(f"(< x{number} y{number})" for number in range(12))
    stated = problem(f"(declare-const a Int)(assert {nested}(and (> a 0) {inner}){')' * 24})")
    assert judge(stated, read_model("(define-fun a () Int 1)", stated)) == (None,)
    assert judge(stated, read_model("(define-fun a () Int 0)", stated)) == (False,)


FLOATS = "(declare-const x (_ FloatingPoint 3 5))(declare-const m RoundingMode)(declare-const b (_ BitVec 4))"
FLOAT_MODEL = """(define-fun x () (_ FloatingPoint 3 5) (_ NaN 3 5))(define-fun m () RoundingMode roundTowardZero)
(define-fun b () (_ BitVec 4) #x0)"""


@pytest.mark.parametrize(
    ("assertion", "value"),
    [
        ("(and (fp.isNaN x) (= m RTZ))", True),
        ("(= b ((_ fp.to_ubv 4) m x))", True),  # for one value of what is left open
        ("(distinct b ((_ fp.to_ubv 4) m x))", None),  # and that is not the other one
        ("(= b ((_ fp.to_ubv 4) m (_ +zero 3 5)))", True),
        ("(= b ((_ fp.to_ubv 4) m (fp #b0 #b011 #x0)))", False),
        ("(< (fp.to_real x) 1.0)", True),
        ("(fp.isZero (fp.min (_ +zero 3 5) (_ -zero 3 5)))", True),
        ("(= (fp.min (_ +zero 3 5) (_ -zero 3 5)) (_ -zero 3 5))", None),
        ("(fp.isNaN (fp.add m (_ +zero 40 5) (_ +zero 40 5)))", None),  # too large to compute: not open
        ("(= b ((_ fp.to_ubv 4) m (_ +zero 40 5)))", None),
    ],
)
def test_operators_of_floating_point_without_a_value_have_one_in_some_model(assertion: str, value: bool | None) -> None:
    stated = problem(f"{FLOATS}(assert {assertion})")
    assert holds(stated, read_model(FLOAT_MODEL, stated)) is value
