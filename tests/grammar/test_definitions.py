"""Defined functions: expanded in the formulas, called in the text, and read back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from chcfuzz.grammar.definitions import DefinedFunction, defined
from chcfuzz.grammar.form import PLAIN
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.parse import parse_term, problem
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.terms import Variable, apply, integer

X, Y = Variable("x", INT), Variable("y", INT)
TEXT = """(declare-fun g (Int) Int)
(declare-const a Int)
(define-fun seven () Int (+ (g 0) 7))
(define-fun below ((x Int) (y Int)) Bool (and (< x y) (forall ((z Int)) (=> (> z y) (> (g z) x)))))
(define-fun both ((x Int)) Bool (and (below x seven) (below seven x)))
(define-fun unused ((x Int)) Int (* x x))
(assert (or (both (+ a 1)) (below a (g a))))
(assert (forall ((z Int)) (below z a)))
(check-sat)
"""


def text_of(stated: Problem) -> list[str]:
    return [line for line in print_problem(stated).splitlines() if line.startswith(("(define", "(assert", "   "))]


def test_formulas_are_expanded_and_their_text_calls_the_definitions() -> None:
    stated = problem(TEXT)
    assert "below" not in print_term(stated.formulas[0])
    assert text_of(stated) == [
        "(define-fun seven () Int (+ (g 0) 7))",
        "(define-fun below ((x Int) (y Int)) Bool (and (< x y) (forall ((z Int)) (=> (> z y) (> (g z) x)))))",
        "(define-fun both ((x Int)) Bool (and (below x seven) (below seven x)))",
        "(assert (or (both (+ a 1)) (below a (g a))))",
        "(assert (forall ((z Int))",
        "    (and (< z a) (forall ((z!1 Int)) (=> (> z!1 a) (> (g z!1) z))))))",  # below would capture its z
    ]


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        "(define-fun x ((x Int)) Int (+ x 1))(assert (= (x 0) 1))",
        "(define-fun f ((g Int)) Int (+ g 1))(declare-fun g (Int) Int)(assert (= (f (g 0)) 1))",
        "(define-fun f ((x Int) (y Int)) Int (+ x 1))(assert (= (f 0 5) 1))",
        "(define-fun same ((x Int)) Int x)(define-fun zero () Int 0)(assert (= (same zero) 1))",
        "(define-fun p ((b Bool)) Bool (not b))(push 1)(define-fun q () Bool (p true))(assert q)(check-sat)(pop 1)"
        "(assert (p false))",
        "(declare-fun f (Int) Int)(define-fun g ((x Int)) Int (f x))"
        "(assert (forall ((x Int)) (! (> (g x) 0) :pattern ((f x)))))(assert (= (g 1) 2))",
        "(define-fun |odd name| ((x Real)) Real (* x 0.5))(assert (! (= (|odd name| 1) 0.5) :named n))",
    ],
)
def test_the_text_reads_back_as_the_same_problem(text: str) -> None:
    stated = problem(text)
    printed = print_problem(stated)
    assert problem(printed) == stated
    assert print_problem(problem(printed)) == printed
    plain = replace(stated, form=PLAIN)
    assert problem(print_problem(plain)) == plain


def test_unused_parameters_and_definitions_are_left_out() -> None:
    stated = problem("(define-fun f ((x Int) (y Int)) Int (+ x 1))(define-fun g () Int (f 1 2))(assert (= (f 0 5) 1))")
    assert text_of(stated) == ["(define-fun f ((x Int)) Int (+ x 1))", "(assert (= (f 0) 1))"]


def test_a_changed_subterm_is_written_out() -> None:
    stated = problem("(define-fun f ((x Int)) Int (+ x 1))(assert (= (f 0) (f 1)))")
    changed = stated.with_formula(0, parse_term("(= (+ 0 2) (+ 1 1))"))
    assert text_of(changed)[1:] == ["(assert (= (+ 0 2) (f 1)))"]
    assert text_of(stated.with_formula(0, parse_term("(= 0 (+ 1 2))"))) == ["(assert (= 0 (+ 1 2)))"]


def test_a_definition_whose_name_is_taken_is_written_out() -> None:
    stated = problem("(define-fun f ((x Int)) Int (+ x 1))(assert (= (f 0) 1))")
    other = replace(stated, functions=problem("(declare-const f Int)(assert (= f 0))").functions)
    assert text_of(other) == ["(assert (= (+ 0 1) 1))"]
    assert problem(print_problem(other)) == other.in_its_form


def test_arguments_are_those_for_which_the_body_is_the_term() -> None:
    double = DefinedFunction("double", (X,), apply("+", X, X))
    assert double.arguments(apply("+", integer(1), integer(1))) == (integer(1),)
    assert double.arguments(apply("+", integer(1), integer(2))) is None
    assert double.arguments(apply("*", integer(1), integer(1))) is None
    assert defined("second", (X, Y), Y) is None
    assert defined("open", (), apply("+", X, X)) is None
