"""Clauses under a model at given values, decided by our evaluator alone."""

from fractions import Fraction

import pytest
from chcfuzz.domains.chc.oracles.counterexample import completed, description, holds, meanings
from chcfuzz.grammar.evaluation.values import Constructed, array_value
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.sorts import BOOL, INT, REAL, array, bitvec
from chcfuzz.grammar.system import Clause, System
from chcfuzz.oracles.left_open import some_value

COUNTER = parse(
    """(declare-fun inv (Int Int) Bool)
    (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))
    (assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< x 10)) (inv (+ x 1) (+ y 2)))))
    (assert (forall ((x Int) (y Int)) (=> (and (inv x y) (>= x 10) (not (= y 20))) false)))"""
)
RIGHT = ["(define-fun inv ((a Int) (b Int)) Bool (and (= b (* 2 a)) (<= a 10)))"]
WRONG = ["(define-fun inv ((a Int) (b Int)) Bool (and (= b (* 2 a)) (< a 5)))"]
LISTS = parse(
    """(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
    (declare-fun p (List (Array Int Bool) (_ BitVec 4) Real) Bool)
    (assert (forall ((l List) (a (Array Int Bool)) (b (_ BitVec 4)) (r Real))
      (=> (and (p l a b r) (= l nil)) (p (cons 1 l) (store a 0 true) (bvadd b #x1) (+ r 0.5)))))"""
)


def values(clause: Clause, **given: str) -> dict[str, str]:
    assert set(given) <= {variable.name for variable in clause.variables}
    return given


def value_at(system: System, definitions: list[str], number: int, **given: str) -> bool | None:
    clause = system.clauses[number]
    assignment = completed(system, clause.variables, values(clause, **given))
    assert assignment is not None
    read = meanings(system, definitions)
    return None if read is None else holds(read, clause, assignment)


@pytest.mark.parametrize("x", range(-2, 14))
def test_an_inductive_invariant_makes_every_clause_true_everywhere(x: int) -> None:
    for number in range(3):
        for y in range(-2, 30):
            result = (f"(- {-n})" if n < 0 else str(n) for n in (x, y))
            assert value_at(COUNTER, RIGHT, number, **dict(zip("xy", result, strict=True))) is True


def test_a_model_that_is_not_inductive_fails_where_it_is_left() -> None:
    assert value_at(COUNTER, WRONG, 1, x="3", y="6") is True
    assert value_at(COUNTER, WRONG, 1, x="4", y="8") is False


def test_every_theory_is_evaluated() -> None:
    sorts = "(l List) (a (Array Int Bool)) (b (_ BitVec 4)) (r Real)"
    keeps = [f"(define-fun p ({sorts}) Bool (or (= l nil) (and (select a 0) (= b #x0) (= r 0.75))))"]
    given = {"l": "nil", "a": "((as const (Array Int Bool)) false)", "b": "#xf", "r": "(/ 1.0 4.0)"}
    assert value_at(LISTS, keeps, 0, **given) is True
    assert value_at(LISTS, keeps, 0, **{**given, "b": "#xe"}) is False
    assert value_at(LISTS, keeps, 0, **{**given, "l": "(cons 3 nil)"}) is True, "the body is false"


def test_functions_that_a_definition_uses_are_read_too() -> None:
    definitions = [
        "(define-fun twice ((n Int)) Int (* 2 n))",
        "(define-fun inv ((a Int) (b Int)) Bool (= b (twice a)))",
    ]
    assert value_at(COUNTER, definitions, 0) is True


@pytest.mark.parametrize(
    "definition",
    [
        "(define-fun inv ((a Int) (b Int)) Bool (exists ((c Int)) (= (* 2 c) (+ a b c))))",
        "(define-fun inv ((a Int) (b Int)) Bool (= (div a 0) b))",
        "(define-fun inv ((a Int) (b Int)) Bool (select (_ as-array k!0) a))",
        "(define-fun inv ((a Int)",
    ],
)
def test_an_undecided_clause_is_none(definition: str) -> None:
    assert value_at(COUNTER, [definition], 1, x="1", y="3") is None


def test_a_value_that_is_none_is_refused() -> None:
    clause = COUNTER.clauses[0]
    for text in ("(_ as-array k!0)", "y", "(", "(div 1 0)"):
        assert completed(COUNTER, clause.variables, {"x": text}) is None


def test_missing_values_are_filled_in() -> None:
    clause = LISTS.clauses[0]
    assignment = completed(LISTS, clause.variables, {"b": "#x3"})
    assert assignment is not None
    assert description(assignment) == "l = nil, a = ((as const (Array Int Bool)) false), b = #x3, r = 0.0"


def test_a_data_type_may_hold_arrays_of_itself_before_its_constant() -> None:
    holder = parse("(declare-datatype T ((c (all (Array Int T)) (next T)) (nil)))(declare-fun p (T) Bool)")
    (sort,) = holder.predicates[0].parameters
    assert some_value(sort) is Constructed(sort, "nil")


def test_some_value_is_one_of_the_sort() -> None:
    tree = parse(
        """(declare-datatypes ((Tree 0) (Forest 0))
          (((node (children Forest))) ((more (first Tree) (rest Forest)) (none))))
        (declare-fun p (Tree) Bool)"""
    )
    (sort,) = tree.predicates[0].parameters
    value = some_value(sort)
    assert isinstance(value, Constructed)
    assert value.constructor == "node"
    assert some_value(array(INT, BOOL)) == array_value(INT, False, {})
    assert [some_value(of) for of in (BOOL, INT, REAL, bitvec(3))] == [False, 0, Fraction(0), 0]
