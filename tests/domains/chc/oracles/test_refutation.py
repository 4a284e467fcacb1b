"""Refutations checked by our own evaluator: right ones are accepted, and every way of being wrong is named."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from chcfuzz.domains.chc.oracles.refutation import (
    DerivationStep as Step,
)
from chcfuzz.domains.chc.oracles.refutation import Fault, Refutation, fault, needed, prenex, without_exists
from chcfuzz.grammar.evaluation.values import ArrayValue, Ground, array_value
from chcfuzz.grammar.printing.witness import Fact
from chcfuzz.grammar.reading.parse import parse, parse_term
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Quantifier, Variable, subterms

LOOP = parse(
    """(declare-fun loop (Int) Bool)
    (assert (loop 0))
    (assert (forall ((x Int) (y Int)) (=> (and (loop x) (= y (+ x 2))) (loop y))))
    (assert (forall ((x Int)) (=> (and (loop x) (= x 2)) false)))"""
)
(PREDICATE,) = LOOP.predicates
RIGHT = (
    Step(0, (), (), Fact(PREDICATE, (0,))),
    Step(1, (0,), (0, 2), Fact(PREDICATE, (2,))),
    Step(2, (1,), (2,), None),
)


def fault_message(system: System, steps: Sequence[Step]) -> str:
    """Message of the fault, which has to be certain."""
    found = fault(system, tuple(steps))
    assert found is not None
    assert found.certain
    return found.message


def test_a_refutation_is_accepted() -> None:
    assert fault(LOOP, RIGHT) is None


def test_a_clause_of_false_alone_is_refuted_by_one_step() -> None:
    assert fault(parse("(assert false)"), (Step(0, (), (), None),)) is None


def test_a_step_at_a_number_of_more_than_4000_digits_is_not_certain() -> None:
    system = parse(f"""(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)
        (assert (p {"7" * 3000}))
        (assert (forall ((x Int)) (=> (p x) (q (* x x)))))
        (assert (forall ((x Int)) (=> (and (q x) (> x 0)) false)))""")
    p, q = system.predicates
    number = int("7" * 3000)
    square = Step(1, (0,), (number,), Fact(q, (number**2,)))
    found = fault(system, (Step(0, (), (), Fact(p, (number,))), square, Step(2, (1,), (number**2,), None)))
    assert found == Fault("step 2: (q (* x x)) has an unknown value", certain=False)


def test_unneeded_steps_and_premises_are_harmless() -> None:
    again = Step(1, (0, 0, 1), (0, 2), Fact(PREDICATE, (2,)))
    assert fault(LOOP, (*RIGHT[:2], again, Step(2, (0, 2, 1), (2,), None))) is None


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ((), "the last step does not derive false"),
        (RIGHT[:2], "the last step does not derive false"),
        ((*RIGHT, RIGHT[0]), "the last step does not derive false"),
        ((*RIGHT[:2], Step(3, (1,), (2,), None)), "step 3: clause 4 does not exist in the system"),
        ((*RIGHT[:2], Step(-1, (1,), (2,), None)), "step 3: clause 0 does not exist in the system"),
        (
            (RIGHT[0], Step(1, (1,), (0, 2), RIGHT[1].fact)),
            "step 2: it follows from a step that is not before it",
        ),
        (
            (RIGHT[0], Step(1, (-1,), (0, 2), RIGHT[1].fact)),
            "step 2: it follows from a step that is not before it",
        ),
        ((RIGHT[1], RIGHT[0], RIGHT[2]), "step 1: it follows from a step that is not before it"),
        ((*RIGHT[:2], Step(2, (0,), (2,), None)), "step 3: (loop x) does not hold"),
        ((*RIGHT[:2], Step(2, (), (2,), None)), "step 3: (loop x) does not hold"),
        ((*RIGHT[:2], Step(2, (0,), (0,), None)), "step 3: (= x 2) does not hold"),
        ((RIGHT[0], Step(1, (0,), (0, 3), Fact(PREDICATE, (3,)))), "step 2: (= y (+ x 2)) does not hold"),
        ((RIGHT[0], Step(1, (0,), (0, 2), Fact(PREDICATE, (4,)))), "step 2: the head is not (loop 4)"),
        ((Step(0, (), (), None),), "step 1: the head is not false"),
        (
            (*RIGHT[:2], Step(2, (1,), (2,), RIGHT[0].fact)),
            "step 3: the step has a fact, but the clause is a query",
        ),
    ],
)
def test_a_fault_is_described(steps: Refutation, message: str) -> None:
    assert fault_message(LOOP, steps).startswith(message)


@pytest.mark.parametrize(
    "values", [(), (2, 2), (True,), (Fraction(2),), (ArrayValue(2, {}),), ("2",), (None,)], ids=str
)
def test_values_of_another_number_or_sort_are_refused(values: tuple[Ground, ...]) -> None:
    assert (
        fault_message(LOOP, (*RIGHT[:2], Step(2, (1,), values, None))) == "step 3: clause 3 does not take these values"
    )


@pytest.mark.parametrize("value", [False, Fraction(0)])
def test_a_fact_with_a_value_of_another_sort_is_refused_although_it_is_equal_in_python(value: Ground) -> None:
    assert value == 0
    step = Step(0, (), (), Fact(PREDICATE, (value,)))
    assert fault_message(LOOP, (step,)) == "step 1: loop does not take the values of the fact"


def test_equal_arrays_in_another_form_are_no_values() -> None:
    system = parse(
        "(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (not (= a b)) (= (select a 1) (select b 1)))))"
    )
    zero, one = array_value(INT, 0, {}), array_value(INT, 0, {1: 1})
    assert fault(system, (Step(0, (), (zero, one), None),)) is None
    also_zero = ArrayValue(0, {1: 0})
    lying = parse("(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (not (= a b)) false)))")
    assert (
        fault_message(lying, (Step(0, (), (zero, also_zero), None),)) == "step 1: clause 1 does not take these values"
    )


def test_a_fact_of_another_predicate_is_no_premise() -> None:
    system = parse(
        """(declare-fun p (Int) Bool)
        (declare-fun q (Int) Bool)
        (assert (p 1))
        (assert (forall ((x Int)) (=> (q x) false)))"""
    )
    p, _ = system.predicates
    assert (
        fault_message(system, (Step(0, (), (), Fact(p, (1,))), Step(1, (0,), (1,), None)))
        == "step 2: (q x) does not hold"
    )


# Queries with a formula in the head -----------------------------------------------------------------


def test_a_head_without_predicates_has_to_be_false_at_the_values() -> None:
    system = parse("(assert (forall ((x Int)) (=> (> x 4) (or (< x 7) (= x 9)))))")
    assert fault(system, (Step(0, (), (8,), None),)) is None
    assert fault_message(system, (Step(0, (), (9,), None),)) == "step 1: (or (< x 7) (= x 9)) is not false"
    assert fault_message(system, (Step(0, (), (3,), None),)) == "step 1: (> x 4) does not hold"


def test_a_head_of_true_is_never_false() -> None:
    system = parse("(assert (forall ((x Int)) (=> (> x 4) true)))")
    assert fault_message(system, (Step(0, (), (5,), None),)) == "step 1: true is not false"


# Steps that our evaluator cannot check ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(assert (forall ((x Int)) (=> (= (div x 0) 1) false)))", "(= (div x 0) 1) has an unknown value"),
        ("(assert (forall ((x Int)) (=> (= x 1) (= (mod x 0) 1))))", "(= (mod x 0) 1) is not false"),
        ("(assert (forall ((x Int)) (=> (forall ((y Int)) (> (* y y) (- x))) false)))", "has an unknown value"),
    ],
)
def test_what_has_no_known_value_is_a_fault_but_no_certain_one(text: str, message: str) -> None:
    found = fault(parse(text), (Step(0, (), (1,), None),))
    assert found is not None
    assert not found.certain
    assert message in found.message


def test_a_fact_without_a_known_value_is_a_fault_but_no_certain_one() -> None:
    system = parse("(declare-fun p (Int) Bool) (assert (forall ((x Int)) (p (div x 0))))")
    found = fault(system, (Step(0, (), (1,), Fact(system.predicates[0], (0,))),))
    assert found == Fault("step 1: (p (div x 0)) has an unknown value", certain=False)


def test_what_does_not_hold_is_certain_beside_what_is_unknown() -> None:
    system = parse("(assert (forall ((x Int)) (=> (and (= (div x 0) 1) (> x 1)) false)))")
    assert fault_message(system, (Step(0, (), (1,), None),)) == "step 1: (> x 1) does not hold"


# Quantifiers and disjunctions in bodies ---------------------------------------------------------------


EXISTENTIALS = parse(
    """(declare-fun p (Int) Bool)
    (assert (p 1))
    (assert (p 7))
    (assert (forall ((x Int))
      (=> (and (exists ((y Int)) (and (p y) (> y 3))) (exists ((y Int)) (and (p y) (< y x)))) false)))
    (assert (forall ((x Int)) (=> (exists ((y Int)) (and (p y) (exists ((x Int)) (and (p x) (> x y))))) (> x 0))))
    (assert (forall ((x Int)) (=> (not (forall ((y Int)) (=> (p y) (not (= y (+ x 6)))))) (p x))))"""
)


def names(system: System, number: int) -> list[str]:
    return [variable.name for variable in prenex(system.clauses[number]).variables]


def facts_of(system: System) -> tuple[Step, Step]:
    (p,) = system.predicates
    return Step(0, (), (), Fact(p, (1,))), Step(1, (), (), Fact(p, (7,)))


def test_two_variables_of_the_same_name_have_values_of_their_own() -> None:
    assert names(EXISTENTIALS, 2) == ["x", "y", "y!1"]
    steps = facts_of(EXISTENTIALS)
    assert fault(EXISTENTIALS, (*steps, Step(2, (0, 1), (2, 7, 1), None))) is None
    assert "does not hold" in fault_message(EXISTENTIALS, (*steps, Step(2, (0, 1), (2, 7, 7), None)))
    assert "does not hold" in fault_message(EXISTENTIALS, (*steps, Step(2, (0,), (2, 7, 1), None)))
    assert (
        fault_message(EXISTENTIALS, (*steps, Step(2, (0, 1), (2,), None)))
        == "step 3: clause 3 does not take these values"
    )


def test_a_bound_variable_does_not_take_the_value_of_one_around_it() -> None:
    assert names(EXISTENTIALS, 3) == ["x", "y", "x!1"]
    steps = facts_of(EXISTENTIALS)
    assert fault(EXISTENTIALS, (*steps, Step(3, (0, 1), (-5, 1, 7), None))) is None
    assert "is not false" in fault_message(EXISTENTIALS, (*steps, Step(3, (0, 1), (5, 1, 7), None)))
    assert "does not hold" in fault_message(EXISTENTIALS, (*steps, Step(3, (0, 1), (-5, 7, 1), None)))


def test_a_negated_forall_is_an_exists() -> None:
    assert names(EXISTENTIALS, 4) == ["x", "y"]
    one, seven = facts_of(EXISTENTIALS)
    assert one.fact is not None
    right = Step(4, (1,), (1, 7), one.fact)
    assert fault_message(EXISTENTIALS, (one, seven, right)) == "the last step does not derive false"
    assert "does not hold" in fault_message(EXISTENTIALS, (one, seven, Step(4, (0,), (1, 7), one.fact)))


def test_a_quantifier_that_asserts_for_all_is_left_where_it_is() -> None:
    system = parse("(assert (forall ((x Int)) (=> (and (> x 0) (forall ((b Bool)) (or b (not b) (> x 9)))) false)))")
    assert [variable.name for variable in prenex(system.clauses[0]).variables] == ["x"]
    assert fault(system, (Step(0, (), (1,), None),)) is None
    wrong = parse("(assert (forall ((x Int)) (=> (and (> x 0) (forall ((b Bool)) (or b (> x 9)))) false)))")
    assert "does not hold" in fault_message(wrong, (Step(0, (), (1,), None),))


def test_quantifiers_below_a_condition_are_left_where_they_are() -> None:
    condition = "(exists ((b Bool)) (and b (> x 0)))"
    system = parse(f"(assert (forall ((x Int)) (=> (ite {condition} (exists ((y Int)) (> y x)) (< x 0)) false)))")
    assert names(system, 0) == ["x", "y"]
    assert fault(system, (Step(0, (), (1, 2), None),)) is None
    assert "does not hold" in fault_message(system, (Step(0, (), (1, 1), None),))
    assert fault(system, (Step(0, (), (-1, -1), None),)) is None


def test_of_a_disjunction_one_side_is_enough() -> None:
    system = parse(
        """(declare-fun p (Int) Bool)
        (assert (p 1))
        (assert (forall ((x Int)) (=> (or (and (p x) (> x 0)) (and (p (- x)) (p (+ x 1)) (> x 5))) false)))"""
    )
    first = Step(0, (), (), Fact(system.predicates[0], (1,)))
    assert fault(system, (first, Step(1, (0,), (1,), None))) is None
    assert "does not hold" in fault_message(system, (first, Step(1, (0,), (-1,), None)))


# Text -------------------------------------------------------------------------------------------------


PLAIN = parse("(declare-fun p (Int) Bool)(assert (p 0))")


def exists(least: int) -> str:
    return f"(exists ((k Int)) (and (p k) (> k {least})))"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (f"(and (or {exists(0)} false) {exists(1)})", 2),
        (f"(=> (not {exists(1)}) {exists(2)})", 2),
        (f"(not (=> {exists(3)} false))", 1),
        (f"(not (=> {exists(3)} (not {exists(4)})))", 2),
        (f"(ite (p 1) {exists(0)} {exists(1)})", 2),
        (f"(=> {exists(0)} (not {exists(1)}))", 0),
        (f"(not (or {exists(0)} {exists(1)}))", 0),
        (f"(ite {exists(0)} (p 1) (p 2))", 0),
        (f"(= {exists(0)} (p 1))", 0),
    ],
)
def test_only_quantifiers_that_assert_existence_become_variables(text: str, number: int) -> None:
    member = parse_term(text, (), PLAIN)
    variables: list[Variable] = []
    opened = without_exists(member, variables)
    assert len({variable.name for variable in variables}) == len(variables) == number
    left = [term for term in subterms(opened) if isinstance(term, Quantifier)]
    assert bool(left) is (number == 0)
    assert (opened is member) is (number == 0)


def test_the_same_quantifier_below_both_polarities_becomes_a_variable_once() -> None:
    variables: list[Variable] = []
    opened = without_exists(parse_term(f"(and {exists(0)} (not {exists(0)}))", (), PLAIN), variables)
    assert len(variables) == 1
    assert sum(isinstance(term, Quantifier) for term in subterms(opened)) == 1


def test_an_empty_refutation_needs_nothing() -> None:
    assert needed(()) == ()
