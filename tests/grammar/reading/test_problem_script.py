"""Scripts of SMT problems: several checks, levels, assumptions, resets, and refusals in plain words."""

from __future__ import annotations

import pytest
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.parse import checks, parse, problem

GOALS = """(set-logic ALL)
(declare-fun f (Int) Int)
(assert (forall ((x Int)) (> (f x) x)))
(set-info :status unsat)
(push 1)(declare-const a Int)(assert (! (< (f a) a) :named goal))(check-sat)(pop 1)
(assert (= (f 0) 1))
(push)(declare-const a Real)(assert (> a 0.0))(check-sat)(get-model)(pop)
(declare-const p Bool)
(check-sat-assuming (p (not (= (f 0) 1))))
(check-sat)
"""


def formulas(stated: Problem) -> list[str]:
    return [print_term(formula) for formula in stated.formulas]


def test_each_check_is_a_problem() -> None:
    first, second, third, last = checks(GOALS)
    assert formulas(first) == ["(forall ((x Int)) (> (f x) x))", "(< (f a) a)"]
    assert formulas(second) == ["(forall ((x Int)) (> (f x) x))", "(= (f 0) 1)", "(> a 0.0)"]
    assert formulas(third) == [*formulas(second)[:2], "(not (= (f 0) 1))", "p"]
    assert formulas(last) == formulas(second)[:2]
    assert [[f"{each.name} {each.result}" for each in stated.functions] for stated in (first, second, last)] == [
        ["f Int", "a Int"],
        ["f Int", "a Real", "a!1 Int"],  # that of the level before, which is closed
        ["f Int", "p Bool", "a Int", "a!1 Real"],
    ]


def test_a_status_is_of_the_next_check() -> None:
    assert [stated.status for stated in checks(GOALS)] == ["unsat", None, None, None]


def test_a_problem_is_the_last_check_or_the_one_that_is_asked_for() -> None:
    assert problem(GOALS) == checks(GOALS)[-1]
    assert [problem(GOALS, check=number) for number in range(4)] == list(checks(GOALS))
    with pytest.raises(GrammarError, match="check 4 is not in the script, which has 4"):
        problem(GOALS, check=4)


def test_a_script_without_a_check_is_one_problem() -> None:
    text = "(declare-const a Int)(assert (> a 0))(push 1)(assert (< a 0))"
    assert len(checks(text)) == 1
    assert len(problem(text).assertions) == 2


@pytest.mark.parametrize(
    ("commands", "left"),
    [
        ("(push 2)(declare-const a Int)(pop 1)(declare-const a Bool)(pop 1)(declare-const a Real)", ["a Real"]),
        ("(declare-const a Int)(push 0)(pop 0)", ["a Int"]),
        ("(declare-const b Int)(assert (= b 1))(reset-assertions)(declare-const a Int)", ["a Int"]),
        (
            "(set-option :global-declarations true)(push 1)(declare-const a Int)(pop 1)(declare-const b Int)",
            ["a Int", "b Int"],
        ),
        ("(set-option :global-declarations true)(declare-const a Int)(reset-assertions)", ["a Int"]),
        ("(set-option :global-declarations true)(declare-const b Int)(reset)(declare-const a Int)", ["a Int"]),
        ("(push 1)(declare-sort U 0)(declare-const b U)(pop 1)(declare-datatype U ((k)))(declare-const a U)", ["a U"]),
    ],
)
def test_declarations_of_a_level_end_with_it(commands: str, left: list[str]) -> None:
    stated = problem(f"{commands}(check-sat)")
    assert [f"{each.name} {each.result}" for each in stated.functions] == left
    assert not stated.assertions
    assert problem(print_problem(stated)) == stated


def test_objectives_and_soft_constraints_are_left_out() -> None:
    text = "(declare-const a Int)(assert (> a 0))(minimize a)(assert-soft (> a 1) :weight 2)(check-sat-using smt)"
    assert formulas(problem(text)) == ["(> a 0)"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("(assert true)\n (pop 1)", "2:3: 0 levels are open, at `pop`"),
        ("(push 1)(pop 2)", "1:10: 1 levels are open, at `pop`"),
        ("(push 1001)", "more than 1000 levels are open"),
        ("(push (1))", "push takes a number of levels"),
        ("(declare-const p Bool)(check-sat p)", "write a check with assumptions as check-sat-assuming"),
        ("(declare-const p Int)(check-sat-assuming (p))", "an assertion has sort Bool, not Int"),
        ("(declare-const a Int)(assert (str.x a))", "1:31: this operator of strings is not supported, at `str.x`"),
        ('(declare-const a Bool)(assert (= a "x"))', "1:32: = is not defined on (Bool String)"),
        ("(declare-const s (Seq Int))(assert (seq.x s))", "this operator of sequences is not supported, at `seq.x`"),
        ("(declare-const s (Bag Int))", "bags, relations and tables are not supported"),
        ("(declare-const a Int)(assert (> (str.len a) 1))", "str.len is not defined on (Int)"),
        ("(declare-fun f ((-> Int Int)) Int)", "higher-order functions are not supported"),
        ("(declare-const x Real)(assert (= (sin x) x))", "transcendental functions are not supported"),
        ("(assert (= #f0m3 #f1m3))", "finite fields are not supported, at `#f0m3 #f1m3))`"),
        ("(declare-const a Int)(assert (= ((_ iand 4) a) 1))", "operators on the bits of integers are not supported"),
        ("(define-funs-rec ((f ((x Int)) Int)) (x 1))", "1:20: 1 functions declared, 2 defined"),
        ("(define-fun-rec f ((x Int)) Bool x)", "the definition has sort Int, not Bool"),
    ],
)
def test_refusals_are_plain_and_have_a_place(text: str, what: str) -> None:
    for read in (problem, checks):
        with pytest.raises(GrammarError) as error:
            read(text, "file")
        assert what in str(error.value)


def test_a_chc_system_is_one_check_without_levels() -> None:
    for text, what in (
        ("(declare-fun p () Bool)(push 1)", "without push, pop and reset"),
        ("(declare-fun p () Bool)(check-sat-assuming (p))", "a script states one system: write each into a file"),
        ("(declare-fun p () Bool)(assert p)(check-sat-using smt)", "no command that is known here"),
        ("(declare-fun s ((Bag Int)) Bool)", "1:18: bags, relations and tables are not supported, at `Bag`"),
    ):
        with pytest.raises(GrammarError) as error:
            parse(text)
        assert what in str(error.value)
    same = "(declare-fun p () Bool)(assert p)(check-sat)(check-sat-assuming (p))"
    assert parse(same) == parse("(declare-fun p () Bool)(assert p)")


def test_the_pattern_of_a_constructor_without_fields_may_have_brackets() -> None:
    text = """(declare-datatypes ((N 0)) (((zero) (succ (pred N)))))(declare-const n N)
    (assert (match n ({} ((succ p) (= p zero)))))"""
    assert problem(text.format("((zero) true)")) == problem(text.format("(zero true)"))
    with pytest.raises(GrammarError, match="no pattern of N"):
        problem(text.format("((other) true)"))
