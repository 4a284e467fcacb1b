"""Names with their sort, `(as name SORT)`, and formulas with several names."""

from __future__ import annotations

import pytest
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading.parse import parse, problem

DECLARED = "(declare-const x Int)(declare-fun f (Int) Int)(declare-fun p (Int) Bool)"


@pytest.mark.parametrize(
    ("assertion", "plain"),
    [
        ("(exists ((x Int)) (= (as x Int) 4))", "(exists ((x Int)) (= x 4))"),
        ("(let ((x 3)) (= (as x Int) 3))", "(let ((x 3)) (= x 3))"),
        ("(exists ((y Int)) (p (as y Int)))", "(exists ((y Int)) (p y))"),
        ("(= (as x Int) ((as f Int) (as x Int)))", "(= x (f x))"),
        ("(or (as true Bool) (as false Bool))", "(or true false)"),
    ],
)
def test_a_name_with_its_sort_is_the_name(assertion: str, plain: str) -> None:
    with_sorts, without = (problem(f"{DECLARED}(assert {text})").formulas for text in (assertion, plain))
    assert with_sorts == without


def test_every_symbol_may_stand_between_bars() -> None:
    quoted = """(declare-datatypes ((|L| 0)) (((|nil|) (|cons| (|hd| (_ |BitVec| 4)) (|tl| |L|)))))
        (declare-const |l| |L|)
        (assert (|and| ((_ |is| |cons|) |l|) (|=| ((_ |extract| 3 0) (|hd| |l|)) (_ |bv3| 4))))"""
    assert problem(quoted) == problem(quoted.replace("|", ""))


def test_a_bound_variable_of_a_clause_may_have_its_sort() -> None:
    texts = ("(forall ((y Int)) (=> (p (as y Int)) (< y 3)))", "(forall ((y Int)) (=> (p y) (< y 3)))")
    systems = [parse(f"(declare-fun p (Int) Bool)(assert {text})") for text in texts]
    assert systems[0] == systems[1]


def test_a_name_with_another_sort_is_refused() -> None:
    with pytest.raises(GrammarError, match="has sort Int, not Bool"):
        problem(f"{DECLARED}(assert (forall ((y Int)) (as y Bool)))")


@pytest.mark.parametrize("named", ["(! (! (p x) :named a) :named b)", "(! (p x) :named a :named b)"])
def test_each_name_of_a_formula_stands_for_it(named: str) -> None:
    stated = problem(f"{DECLARED}(assert {named})(assert (or (not a) (not b)))")
    assert print_term(stated.formulas[1]) == "(or (not (p x)) (not (p x)))"
    assert stated.assertions[0].name == "a"
    inside = problem(f"{DECLARED}(assert (not {named}))(assert (and a b))")
    assert print_term(inside.formulas[1]) == "(and (p x) (p x))"


def test_a_pattern_may_name_sorts() -> None:
    array = "((as const (Array Int Int)) y)"
    stated = problem(f"(assert (forall ((y Int)) (! (= (select {array} 1) y) :pattern ({array}))))")
    assert print_term(stated.formulas[0]).endswith(f":pattern ({array})))")
