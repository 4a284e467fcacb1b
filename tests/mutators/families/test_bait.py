"""Bait for projection and interpolation: text before, text after, what is declined, and that nothing is left open."""

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.mutators.families import bait
from chcfuzz.mutators.mutation import Mutation

from tests.mutators.judge import Judgment, draw, equivalence

ROWS = {row.id.partition(".")[2]: row for row in bait.MUTATIONS}
HEAD = """(set-logic HORN)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-datatypes ((R 0)) (((rec (fst Int) (snd Bool)))))
(declare-fun p (Int) Bool)"""
VARIABLES = (
    "(x Int) (y Int) (u Real) (v (_ BitVec 8)) (w (_ BitVec 8)) (a (Array Int Int)) (b (Array Int Int)) (l L) (r R)"
)

CASES = [
    # row, choices, body before, body after
    ("scale", b"", "(< x y)", "(< (* 2 x) (* 2 y))"),
    ("scale", b"\x01", "(< x y)", "(< (* 3 x) (* 3 y))"),
    ("scale", b"", "(<= x y)", "(<= (* 2 x) (* 2 y))"),
    ("scale", b"\x01", "(<= x y)", "(<= (* 3 x) (* 3 y))"),
    ("scale", b"", "(>= u 0.5)", "(>= (* 2.0 u) (* 2.0 (/ 1.0 2.0)))"),
    ("scale", b"\x01", "(>= u 0.5)", "(>= (* 3.0 u) (* 3.0 (/ 1.0 2.0)))"),
    ("scale", b"", "(distinct x 3)", "(distinct (* 2 x) (* 2 3))"),
    ("scale", b"\x01", "(distinct x 3)", "(distinct (* 3 x) (* 3 3))"),
    ("strict", b"", "(<= x y)", "(< (+ x (- 1)) y)"),
    ("strict", b"\x01", "(<= x y)", "(< x (+ y 1))"),
    ("strict", b"", "(> x 3)", "(>= (+ x (- 1)) 3)"),
    ("strict", b"\x01", "(> x 3)", "(>= x (+ 3 1))"),
    ("strict", b"", "(>= x y)", "(> (+ x 1) y)"),
    ("strict", b"\x01", "(>= x y)", "(> x (+ y (- 1)))"),
    ("split-order", b"", "(= x y)", "(and (<= x y) (>= x y))"),
    ("split-order", b"", "(distinct u 0.5)", "(or (< u (/ 1.0 2.0)) (> u (/ 1.0 2.0)))"),
    ("split-order", b"", "(>= x y)", "(not (< x y))"),
    ("split-order", b"\x01", "(>= x y)", "(or (> x y) (= x y))"),
    ("split-order", b"", "(< x y)", "(and (<= x y) (distinct x y))"),
    ("not-distinct", b"", "(= a b)", "(not (distinct a b))"),
    ("not-distinct", b"", "(distinct v w)", "(not (= v w))"),
    ("divide", b"", "(p y)", "(p (+ (* 2 (div y 2)) (mod y 2)))"),
    ("modulo", b"", "(= x y)", "(and (= x y) (= (mod x 2) (mod y 2)))"),
    ("modulo", b"\x01", "(= x y)", "(and (= x y) (= (mod x 3) (mod y 3)))"),
    ("modulo", b"", "(distinct x y)", "(or (distinct x y) (distinct (mod x 2) (mod y 2)))"),
    ("modulo", b"\x01", "(distinct x y)", "(or (distinct x y) (distinct (mod x 3) (mod y 3)))"),
    ("modulo", b"", "(< x y)", "(and (< x y) (> 2 (mod x 2)))"),
    ("modulo", b"\x01", "(< x y)", "(and (< x y) (> 3 (mod x 3)))"),
    ("as-reals", b"", "(< x 3)", "(< (to_real x) 3.0)"),
    ("as-reals", b"\x01", "(< x 3)", "(< (+ (to_real x) (/ 1.0 2.0)) 3.0)"),
    ("as-reals", b"", "(= x y)", "(= (to_real x) (to_real y))"),
    ("through-reals", b"", "(p y)", "(p (to_int (to_real y)))"),
    ("select-of-store", b"", "(= u 0.5)", "(select (store ((as const (Array Int Bool)) false) x (= u (/ 1.0 2.0))) x)"),
    (
        "select-of-store",
        b"\x01",
        "(= u 0.5)",
        "(= (select (store ((as const (Array Int Real)) 0.0) x u) x) (/ 1.0 2.0))",
    ),
    ("store-back", b"", "(= a b)", "(= (store a x (select a x)) b)"),
    ("store-back", b"\x01", "(= a b)", "(= a (store b x (select b x)))"),
    ("store-aside", b"", "(= (select a x) 3)", "(= (ite (= x x) (select a x) (select (store a x x) x)) 3)"),
    ("store-aside", b"\x01", "(= (select a x) 3)", "(= (ite (= x 3) (select a x) (select (store a 3 x) x)) 3)"),
    ("cells", b"", "(= a b)", "(and (= a b) (= (select a x) (select b x)))"),
    ("cells", b"\x01", "(= a b)", "(and (= a b) (= (select a 0) (select b 0)))"),
    ("select-of-constructor", b"", "(p y)", "(p (hd (cons y l)))"),
    ("rebuild", b"", "(= l nil)", "(= (ite ((_ is nil) l) nil l) nil)"),
    ("rebuild", b"\x01", "(= l nil)", "(= l (ite ((_ is nil) nil) nil nil))"),
    ("rebuild", b"", "(= r (rec 1 true))", "(= (rec (fst r) (snd r)) (rec 1 true))"),
    ("rebuild", b"\x01", "(= r (rec 1 true))", "(= r (rec (fst (rec 1 true)) (snd (rec 1 true))))"),
    ("tested", b"", "((_ is cons) l)", "(= l (cons (hd l) (tl l)))"),
    ("tested", b"\x01", "((_ is cons) l)", "(not ((_ is nil) l))"),
    ("tested", b"", "((_ is rec) r)", "(= r (rec (fst r) (snd r)))"),
    ("sliced", b"", "(= v w)", "(= (concat ((_ extract 7 1) v) ((_ extract 0 0) v)) w)"),
    ("sliced", b"\x01", "(= v w)", "(= v (concat ((_ extract 7 1) w) ((_ extract 0 0) w)))"),
    (
        "equal-slices",
        b"",
        "(= v w)",
        "(and (= ((_ extract 7 1) v) ((_ extract 7 1) w)) (= ((_ extract 0 0) v) ((_ extract 0 0) w)))",
    ),
    (
        "equal-slices",
        b"\x01",
        "(= v w)",
        "(and (= ((_ extract 7 2) v) ((_ extract 7 2) w)) (= ((_ extract 1 0) v) ((_ extract 1 0) w)))",
    ),
    (
        "equal-slices",
        b"",
        "(distinct v w)",
        "(or (distinct ((_ extract 7 1) v) ((_ extract 7 1) w)) (distinct ((_ extract 0 0) v) ((_ extract 0 0) w)))",
    ),
    (
        "equal-slices",
        b"\x01",
        "(distinct v w)",
        "(or (distinct ((_ extract 7 2) v) ((_ extract 7 2) w)) (distinct ((_ extract 1 0) v) ((_ extract 1 0) w)))",
    ),
    ("extended", b"", "(bvult v w)", "(bvult ((_ zero_extend 1) v) ((_ zero_extend 1) w))"),
    ("extended", b"\x01", "(bvult v w)", "(bvslt (bvxor v #x80) (bvxor w #x80))"),
    ("extended", b"", "(bvsge v w)", "(bvsge ((_ sign_extend 1) v) ((_ sign_extend 1) w))"),
    ("extended", b"\x01", "(bvsge v w)", "(bvuge (bvxor v #x80) (bvxor w #x80))"),
    ("select-of-constructor", b"\x00\x01", "(p y)", "(p (fst (rec y false)))"),
]

WITH_VARIABLE = [
    # choices, sort of the new variable, body after (p y)
    (b"", "Bool", "(and (p y) (= z false))"),
    (b"\x01", "Int", "(and (p y) (and (<= (* 2 z) x) (< x (+ (* 2 z) 2))))"),
    (b"\x02", "Real", "(and (p y) (= u (* 2.0 z)))"),
]

DECLINED = [
    ("scale", "(< x y 3)"),
    ("scale", "(bvult v w)"),
    ("strict", "(= x y)"),
    ("strict", "(< u 0.5)"),
    ("split-order", "(= a b)"),
    ("not-distinct", "(= x y 3)"),
    ("divide", "(< u 0.5)"),
    ("modulo", "(= u 0.5)"),
    ("as-reals", "(< u 0.5)"),
    ("through-reals", "(bvult v w)"),
    ("select-of-store", "nothing"),
    ("store-back", "(< x y)"),
    ("store-aside", "(= a b)"),
    ("cells", "(= x y)"),
    ("select-of-constructor", "nothing"),
    ("rebuild", "(< x y)"),
    ("tested", "(= l nil)"),
    ("sliced", "(= x y)"),
    ("equal-slices", "(bvult v w)"),
    ("extended", "(= v w)"),
    ("new-variable", "nothing"),
]

# Values that SMT-LIB leaves open: zero divisors, fields of other constructors; and constant arrays hold values.
OPEN = """(set-logic HORN)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-fun p (Int L (Array Int Int)) Bool)
(assert (forall ((x Int) (l L) (a (Array Int Int)))
  (=> (and (= (div x 0) (mod 7 x)) (> (hd nil) (hd (tl l))) (= (select a (hd l)) 3) (distinct (hd l) (hd (tl nil)) x)
           (= a ((as const (Array Int Int)) 3)))
      (p (div x x) (tl l) ((as const (Array Int Int)) 7)))))
(assert (forall ((x Int) (l L) (a (Array Int Int))) (=> (p x l a) (or ((_ is cons) l) (< x (hd l))))))
"""


def system(body: str, variables: str = VARIABLES) -> System:
    if body == "nothing":
        return parse("(set-logic HORN)(declare-fun q () Bool)")
    head = "(q x)" if body.endswith("q") else "(p x)"
    return parse(f"{HEAD}(assert (forall ({variables}) (=> {body} {head})))")


@pytest.mark.parametrize(("row", "choices", "before", "after"), CASES)
def test_each_row_makes_this_of_that(row: str, choices: bytes, before: str, after: str) -> None:
    assert ROWS[row].applies(system(before))
    assert ROWS[row].rewrite(system(before), Choices(choices)) == system(after)


@pytest.mark.parametrize(("choices", "sort", "after"), WITH_VARIABLE)
def test_a_new_variable_is_bound_and_always_has_a_value(choices: bytes, sort: str, after: str) -> None:
    assert ROWS["new-variable"].applies(system("(p y)"))
    result = ROWS["new-variable"].rewrite(system("(p y)"), Choices(choices))
    assert result == system(after, f"{VARIABLES} (z {sort})")


@pytest.mark.parametrize(("row", "before"), DECLINED)
def test_what_does_not_fit_is_declined(row: str, before: str) -> None:
    found = system(before)
    if before != "nothing":  # these rows ignore the head (p x) and the declared sorts
        found = parse(f"{HEAD}(declare-fun q () Bool)(assert (forall ({VARIABLES}) (=> {before} q)))")
    assert not ROWS[row].applies(found)
    assert ROWS[row].rewrite(found, Choices(b"")) is None


def test_every_row_has_a_case_and_is_declined_somewhere() -> None:
    assert {row for row, *_ in CASES} | {"new-variable"} == set(ROWS)
    assert {row for row, _ in DECLINED} == set(ROWS)


@pytest.mark.slow
@pytest.mark.parametrize("row", bait.MUTATIONS, ids=lambda row: row.id)
def test_nothing_depends_on_what_smt_lib_leaves_open(row: Mutation) -> None:
    """Z3 takes any value for it, so a rewrite that is equivalent for some only is found out."""
    seed = parse(OPEN)
    if row.applies(seed):
        found = [each for number in range(8) if (each := draw(row, "open", seed, number)) is not None]
        assert found
        assert not [str(each) for each in found if equivalence(each) is Judgment.BROKEN]
        assert not [str(each) for each in found if "(as const (Array Int Int)) (" in str(each)]


def test_a_fact_may_get_a_variable_too() -> None:
    given = parse("(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))")
    after = ROWS["new-variable"].rewrite(given, Choices(b"\x01"))
    assert after == parse(
        """(set-logic HORN)(declare-fun p (Int) Bool)
        (assert (forall ((z Int)) (=> (and (<= (* 2 z) 0) (< 0 (+ (* 2 z) 2))) (p 0))))"""
    )


def test_a_term_near_a_new_variable_has_no_variable_that_an_inner_quantifier_hides() -> None:
    before = parse("(declare-fun p (Bool) Bool)(assert (forall ((x Int)) (forall ((x Bool)) (=> (p x) false))))")
    for number in range(60):
        after = ROWS["new-variable"].rewrite(before, Choices(b"", bytes([number])))
        assert after is not None
        assert parse(print_system(after)).predicates == after.predicates
