"""Patterns of quantifiers: read, printed, carried along, and dropped where they do not fit."""

from __future__ import annotations

import pytest
import z3
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.printing.alt_ergo import print_alt_ergo
from chcfuzz.grammar.printing.printer import print_problem, print_system, print_term
from chcfuzz.grammar.reading.parse import parse, problem
from chcfuzz.grammar.sorts import BOOL, INT
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.terms import Call, Function, Quantifier, Variable, apply, integer

DECLARED = """(declare-fun f (Int) Int)(declare-fun g (Int Int) Bool)(declare-const m (Array Int Int))
(declare-fun h ((_ BitVec 8)) (_ BitVec 4))(declare-const c Int)"""


@pytest.mark.parametrize(
    ("assertion", "printed"),
    [
        ("(forall ((x Int)) (! (> (f x) 0) :pattern ((f x))))", None),
        ("(forall ((x Int) (y Int)) (! (=> (g x y) (> (f x) (f y))) :pattern ((g x y)) :pattern ((f x) (f y))))", None),
        ("(exists ((x Int)) (! (= (select m x) (f (+ x c))) :pattern ((f (+ x c)))))", None),
        ("(forall ((v (_ BitVec 8))) (! (= (h v) ((_ extract 3 0) v)) :pattern (((_ extract 3 0) v))))", None),
        # Patterns that do not fit are left out.
        ("(forall ((x Int)) (! (> (f x) 0) :pattern ((f c))))", "(forall ((x Int)) (> (f x) 0))"),
        ("(forall ((x Int)) (! (> (f x) 0) :pattern ((g x x))))", "(forall ((x Int)) (> (f x) 0))"),
        ("(forall ((x Int)) (! (> (f x) 0) :pattern (x) :pattern ()))", "(forall ((x Int)) (> (f x) 0))"),
        ("(forall ((x Int)) (! (> (f x) 0) :no-pattern (f x) :qid q))", "(forall ((x Int)) (> (f x) 0))"),
        # Z3 reads the pattern as one term if its first part is a function.
        ("(forall ((x Int)) (! (> (f x) 0) :pattern (f x)))", "(forall ((x Int)) (! (> (f x) 0) :pattern ((f x))))"),
        (
            "(forall ((x Int) (y Int)) (! (> (f x) (f y)) :pattern ((f x))))",
            "(forall ((x Int) (y Int)) (> (f x) (f y)))",
        ),
        # Names that are taken change in the patterns too, and `let` is expanded in them.
        (
            "(forall ((c Int)) (! (> (f c) 0) :pattern ((f c))))",
            "(forall ((c!1 Int)) (! (> (f c!1) 0) :pattern ((f c!1))))",
        ),
        (
            "(let ((n (f c))) (forall ((x Int)) (! (g x n) :pattern ((g x n)))))",
            "(forall ((x Int)) (! (g x (f c)) :pattern ((g x (f c)))))",
        ),
    ],
)
def test_patterns_are_read_and_printed(assertion: str, printed: str | None) -> None:
    stated = problem(f"{DECLARED}(assert {assertion})")
    assert print_term(stated.formulas[0]) == (printed or assertion)
    assert problem(print_problem(stated)) == stated
    z3.Solver(ctx=z3.Context()).from_string(print_problem(stated))


_NO_TERMS = {
    ":pattern ((unknown x))": "3:53: unknown operator, at `unknown`",
    ":pattern ((f true))": "3:53: f takes (Int), not (Bool), at `f`",
    ":pattern ((f x) (g x))": "3:59: g takes (Int Int), not (Int), at `g`",
    ":pattern ((_))": "3:53: unexpected here, at `)`",
    ":pattern ((_ (f) 1))": "3:53: unexpected here, at `(f) 1)`",
    ":pattern ((as f))": "3:53: unexpected here, at `)`",
    ":pattern (:f)": "3:52: unexpected here, at `:f`",
    ":pattern": "3:42: a pattern is a list of terms, at `:pattern`",
    ":pattern f": "3:51: a pattern is a list of terms, at `f`",
    ":no-pattern (f true)": "3:55: f takes (Int), not (Bool), at `f`",
    ":no-pattern": "3:42: unexpected here, at `:no-pattern`",
}


@pytest.mark.parametrize("pattern", _NO_TERMS)
def test_a_pattern_that_is_not_a_list_of_terms_is_refused(pattern: str) -> None:
    with pytest.raises(GrammarError) as caught:
        problem(f"{DECLARED}\n(assert (forall ((x Int)) (! (> (f x) 0) {pattern})))")
    assert str(caught.value) == f"<text>:{_NO_TERMS[pattern]}"
    predicates = "(declare-fun f (Int) Bool)(declare-fun g (Int Int) Bool)"
    with pytest.raises(GrammarError, match=r"^<text>:1:"):
        parse(f"{predicates}(assert (forall ((x Int)) (! (f x) {pattern})))")


def test_a_pattern_stays_while_the_body_has_its_terms() -> None:
    f, x, y = Function("f", (INT,), INT), Variable("x", INT), Variable("y", INT)
    pattern = ((Call(f, [x]),),)
    positive = apply(">", Call(f, [x]), y)
    term = Quantifier("forall", (x,), positive, pattern)
    assert term.patterns == pattern
    assert term is not Quantifier("forall", (x,), positive)
    assert term.rebuild([apply("not", positive)]).patterns == pattern  # type: ignore[attr-defined]
    assert term.rebuild([apply(">", x, y)]).patterns == ()  # type: ignore[attr-defined]
    # A variable that would be captured is renamed, in the pattern too.
    renamed = substitute(term, {y: x})
    assert print_term(renamed) == "(forall ((x!1 Int)) (! (> (f x!1) x) :pattern ((f x!1))))"
    assert substitute(term, {y: integer(3)}).patterns == pattern  # type: ignore[attr-defined]


def test_systems_have_no_patterns() -> None:
    system = parse("(declare-fun p (Int) Bool)(assert (forall ((x Int)) (! (=> (= x 0) (p x)) :pattern ((p x)))))")
    assert ":pattern" not in print_system(system)


def test_alt_ergo_calls_them_triggers() -> None:
    text = "(forall ((x Int) (y Int)) (! (=> (g x y) (> (f x) (f y))) :pattern ((g x y)) :pattern ((f x) (f y))))"
    printed = print_alt_ergo(problem(f"{DECLARED.split('(declare-fun h')[0]}(assert {text})(assert true)"))
    assert "(forall x : int, y : int [g(x, y) | f(x), f(y)]. (g(x, y) -> (f(x) > f(y))))" in printed


def test_a_quantifier_binds_bools_without_patterns() -> None:
    b = Variable("b", BOOL)
    assert Quantifier("forall", (b,), b, ((b,),)).patterns == ()
