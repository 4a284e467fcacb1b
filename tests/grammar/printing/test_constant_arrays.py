"""Tests of formulas without constant arrays."""

import pytest
import z3
from chcfuzz.grammar.printing.constant_arrays import weakened
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.terms import Quantifier, Term, free_variables
from chcfuzz.oracles import second_solver

DECLARED = """(declare-fun p ((Array Int Int) (Array Bool Int) Int Int Bool) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Bool Int)) (i Int) (constant Int) (c Bool))
    (=> {} (p a b i constant c))))"""
ALL = "((as const (Array Int Int)) i)"
NESTED = f"((as const (Array Int (Array Int Int))) {ALL})"


def formula(text: str) -> Term:
    (clause,) = parse.parse(DECLARED.format(text)).clauses
    assert isinstance(clause.formula, Quantifier)
    return clause.formula.body.children[0]


def script(term: Term) -> str:
    declared = "".join(f"(declare-const {each.name} {each.sort})" for each in free_variables(term))
    return f"(set-logic ALL){declared}(assert {print_term(term)})(check-sat)"


def answer_of_z3(term: Term) -> z3.CheckSatResult:
    solver = z3.Solver()
    solver.from_string(script(term))
    return solver.check()


@pytest.mark.parametrize(
    "text",
    [
        f"(= {ALL} (store a 6 4) ((as const (Array Int Int)) 5))",
        f"(= {ALL} (store ((as const (Array Int Int)) 5) 6 4))",
        f"(and (= a {ALL}) (distinct (select a 0) (select a constant)))",
        "(and (= b ((as const (Array Bool Int)) i)) (distinct (select b true) (select b c)))",
        f"(and (= {ALL} ((as const (Array Int Int)) constant)) (distinct i constant))",
        "(and (= ((as const (Array Bool Int)) i) ((as const (Array Bool Int)) constant)) (distinct i constant))",
        "(= ((as const (Array Bool Int)) i) (store ((as const (Array Bool Int)) (+ i 1)) c 3))",
        f"(= {NESTED} (store {NESTED} constant a) ((as const (Array Int (Array Int Int))) (store {ALL} 0 (+ i 1))))",
    ],
)
def test_cvc5_refutes_what_it_does_not_read(text: str) -> None:
    assert second_solver.answers(script(formula(text))) == ()
    assert second_solver.refutes(script(weakened(formula(text))))


@pytest.mark.parametrize(
    "text",
    [
        f"(= a {ALL})",
        f"(distinct a {ALL})",
        f"(= (store a 0 1) (store {ALL} constant 2))",
        "(distinct (store (store b true 1) false 2) ((as const (Array Bool Int)) i))",
        "(= (store (store b true 1) c 2) ((as const (Array Bool Int)) i))",
        "(= ((as const (Array Bool Int)) i) (store (store ((as const (Array Bool Int)) (+ i 1)) c i) (not c) i))",
        "(= ((as const (Array (_ BitVec 1) Int)) i) (store ((as const (Array (_ BitVec 1) Int)) constant) #b0 1))",
        f"(distinct {ALL} ((as const (Array Int Int)) constant) (store {ALL} constant 2))",
        f"(forall ((j Int)) (= (select {ALL} j) i))",
    ],
)
def test_satisfiable_formulas_stay_so(text: str) -> None:
    assert answer_of_z3(formula(text)) == answer_of_z3(weakened(formula(text))) == z3.sat


def test_arrays_of_values_and_quantified_formulas_stay() -> None:
    for text in ("(= a ((as const (Array Int Int)) (- 5)))", f"(forall ((j Int)) (= a (store {ALL} j i)))"):
        assert weakened(formula(text)) == formula(text)


def test_new_constants_have_new_names() -> None:
    given = formula(f"(= (store a constant 1) {ALL})")
    new = {each.name for each in free_variables(weakened(given, {"index"}))} - {"a", "i", "constant"}
    assert len(new) == 2
    assert "index" not in new


def test_many_arrays_and_indices_stay() -> None:
    arrays = " ".join(f"((as const (Array Int Int)) (+ i {number}))" for number in range(200))
    reads = " ".join(f"(select a (+ i {number}))" for number in range(200))
    given = formula(f"(and (distinct {arrays}) (distinct {reads}))")
    assert weakened(given) is given


def test_shared_values_are_visited_once() -> None:
    pairs = "(declare-datatypes ((P 0)) (((leaf) (pair (left P) (right P)))))(declare-fun p ((Array Int P)) Bool)"
    shared = "v"
    for _ in range(60):
        shared = f"(let ((v (pair v v))) {shared})"
    text = f"{pairs}(assert (let ((v leaf)) (p ((as const (Array Int P)) {shared}))))"
    (clause,) = parse.parse(text).clauses
    assert weakened(clause.formula) is clause.formula
