"""Plans give the values of a strict evaluation, for functions that have one value each."""

import pytest
from chcfuzz.grammar.evaluation.values import UNDETERMINED
from chcfuzz.grammar.models.plans import MOST_NODES, plan_of
from chcfuzz.grammar.models.structures import Evaluation, Structure
from chcfuzz.grammar.reading.declarations import Definition
from chcfuzz.grammar.reading.parse import parse_term, problem
from chcfuzz.grammar.terms import Function, Term, Variable

DECLARED = problem(
    "(declare-sort U 0)(declare-datatypes ((D 0)) (((nil) (cons (hd Int) (tl D)))))"
    "(declare-const i Int)(declare-const z Int)(declare-const a (Array Int Int))(declare-const d D)"
    "(declare-const x (_ BitVec 4))(declare-const u (Array U Int))(declare-const v (Array U Int))"
    "(declare-const open Int)(declare-fun f (Int) Int)"
)
VALUES = {
    "i": "3",
    "z": "0",
    "a": "(store ((as const (Array Int Int)) 1) 3 7)",
    "d": "(cons 5 nil)",
    "x": "#xa",
    "u": "((as const (Array U Int)) 0)",
    "v": "((as const (Array U Int)) 1)",
    "f": "9",
}
FUNCTIONS = {function.name: function for function in DECLARED.functions}


def term(text: str) -> Term:
    return parse_term(text, (), DECLARED)


def structure() -> Structure:
    found = {}
    for name, text in VALUES.items():
        parameters = tuple(Variable(f"p{number}", sort) for number, sort in enumerate(FUNCTIONS[name].parameters))
        found[FUNCTIONS[name]] = Definition(parameters, term(text))
    return Structure(found)


def value_of(function: Function) -> object:
    return Evaluation(structure()).value(term(VALUES[function.name])) if function.name in VALUES else UNDETERMINED


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(+ i (select a i))", 10),
        ("(= (store a 3 1) ((as const (Array Int Int)) 1))", True),
        ("(ite (< i 2) (div i z) (hd d))", 5),
        ("(hd (tl d))", UNDETERMINED),
        ("(div i z)", UNDETERMINED),
        ("(or (= (div i z) 1) (< z i))", True),
        ("(ite (= open 1) i i)", 3),
        ("(+ i open)", UNDETERMINED),
        ("(bvadd x x)", 4),
        ("((_ is cons) d)", True),
        ("(f open)", 9),
        ("(= u v)", UNDETERMINED),  # a universe of no index in common is possible
        ("(distinct i z 3)", False),
        ("7", 7),
    ],
)
def test_a_plan_has_the_value_of_a_strict_evaluation(text: str, value: object) -> None:
    plan = plan_of(term(text))
    assert plan is not None
    assert plan.value(value_of) == Evaluation(structure()).value(term(text)) == value  # type: ignore[arg-type]


def test_a_plan_runs_again_with_other_values() -> None:
    plan = plan_of(term("(< i z)"))
    assert plan is not None
    assert not plan.is_constant
    assert [plan.value(lambda function, i=i: i if function.name == "i" else 2) for i in (1, 2)] == [True, False]  # type: ignore[misc]


def test_terms_with_variables_and_large_terms_have_no_plan() -> None:
    assert plan_of(term("(forall ((y Int)) (= y y))")) is None
    large = " ".join(f"(+ i {number})" for number in range(MOST_NODES // 2))
    assert plan_of(term(f"(+ {large})")) is None
