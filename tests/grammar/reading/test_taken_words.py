"""Symbols of scripts that solvers take for words of their own: they are read under other names."""

from __future__ import annotations

import pytest
import z3
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.printing.dialects import print_for
from chcfuzz.grammar.printing.printer import print_problem, print_system, print_term
from chcfuzz.grammar.reading.parse import parse, problem

from tests.grammar.printing.test_dialects import ANSWERS, cvc5_answer, z3_answer

LIST = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-const l L)"


@pytest.mark.parametrize(
    "text",
    [
        "(declare-fun exp (Real) Real)(assert (< (exp 1.0) 0.0))",
        "(declare-fun |sin| (Int) Int)(assert (= (sin 1) (|sin| 2) 77))",
        "(define-fun cosh ((x Real)) Real (+ x 1.0))(assert (= (cosh 0.0) 1.0))",
        "(declare-fun atan2 (Int Int) Int)(assert (= (atan2 1 2) 77))",
        "(declare-const tan Bool)(assert (! tan :named sqrt))(assert sqrt)",
        f"{LIST}(declare-fun is-nil (L) Bool)(assert (and (is-nil l) (distinct l nil)))",
        "(declare-sort Set 0)(declare-fun in (Int Set) Bool)(declare-const Set! Set)(assert (in 1 Set!))",
        "(declare-sort List 0)(declare-const a List)(declare-const b List)(assert (distinct a b))",
        "(declare-datatypes ((Seq 0) (String 0)) (((s (a Int))) ((t (b Seq)))))(declare-const c String)"
        "(assert (= (a (b c)) 3))",
    ],
)
def test_z3_and_cvc5_read_what_the_script_means(text: str) -> None:
    stated = problem(text)
    assert z3_answer(print_for(stated, "z3")) == cvc5_answer(print_for(stated, "cvc5")) == "sat"
    assert problem(print_problem(stated)) == stated


@pytest.mark.parametrize(
    "word", ["abs", "rem", "if", "iff", "implies", "concat", "extract", "choice", "lambda", "RTZ", "div0"]
)
def test_words_of_other_logics_may_be_declared(word: str) -> None:
    stated = problem(f"(declare-fun {word} (Bool) Int)(declare-const p Bool)(assert (= ({word} p) ({word} (not p)) 3))")
    assert z3_answer(print_for(stated, "z3")) == cvc5_answer(print_for(stated, "cvc5")) == "sat"
    assert problem(print_problem(stated)) == stated


@pytest.mark.parametrize("word", ["push", "pop", "echo", "reset", "get-value", "check-sat-assuming", "define-fun-rec"])
def test_a_command_is_printed_as_a_name_between_bars(word: str) -> None:
    stated = problem(f"(declare-fun |{word}| (Bool) Bool)(assert (|{word}| true))")
    assert f"(|{word}| true)" in print_problem(stated)
    assert {answer(print_for(stated, reader)) for reader, answer in ANSWERS.items()} == {"sat"}


def test_a_predicate_may_have_the_name_of_a_function_of_z3() -> None:
    system = parse("(declare-fun tan (Int) Bool)(assert (forall ((x Int)) (=> (= x 0) (tan x))))(assert (tan 1))")
    assert [predicate.name for predicate in system.predicates] == ["tan!"]
    solver = z3.SolverFor("HORN", ctx=z3.Context())
    solver.from_string(print_system(system))
    assert solver.check() == z3.sat


@pytest.mark.parametrize(
    "text",
    [
        '(set-info :source "(declare-fun exp")(declare-const x Int)(assert (= x 1))',
        "(declare-const x Int)(assert (forall ((exp Int)) (> exp x)))",
        f"{LIST}(assert (is-nil l))",
        "(declare-fun is-odd (Int) Bool)(assert (is-odd 3))",
        "(declare-datatypes ((List 0)) (((nil) (cons (hd Int) (tl List)))))(declare-const l List)(assert (= l nil))",
        "(declare-fun expected (Int) Bool)(declare-const Sets Bool)(assert (expected 3))",
    ],
)
def test_other_names_stay(text: str) -> None:
    assert "!" not in print_problem(problem(text))


def test_functions_of_the_solvers_are_refused_as_before() -> None:
    with pytest.raises(GrammarError, match="transcendental functions are not supported, at `sin`"):
        problem("(declare-const x Real)(assert (> (sin x) 0.0))")


@pytest.mark.parametrize(
    "around",
    [
        "; (declare-fun abs (Int) Int)\n",
        "(set-info :source |without (declare-fun abs (Int) Int)|)",
        '(set-info :notes "(define-fun abs ")',
        "(declare-fun repeat (Int) Int)(declare-const y (_ BitVec 2))(assert (= ((_ repeat 2) y) #x1))",
    ],
)
def test_a_word_that_is_not_declared_keeps_its_meaning(around: str) -> None:
    read = problem(f"{around}(declare-const x Int)(assert (= (abs x) 2))")
    assert print_term(read.formulas[-1]) == "(= (abs x) 2)"
