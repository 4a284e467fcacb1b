"""Arguments with few values: derived from the clauses, and correct for all derivable facts."""

import pytest
from chcfuzz.domains.chc.oracles import witnesses
from chcfuzz.domains.chc.oracles.refutation import facts_of
from chcfuzz.domains.chc.rows.few_values import MOST, few_values
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System

from tests.mutators.systems import SYSTEMS


def of(text: str) -> dict[str, tuple[object, ...]]:
    found = few_values(parse(f"(set-logic HORN)(declare-fun p (Int Int) Bool)(declare-fun q (Int) Bool){text}"))
    return {f"{predicate.name}{at}": values for (predicate, at), values in found.items()}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(assert (p 3 4))", {"p0": (3,), "p1": (4,)}),
        ("(assert (p 3 4))(assert (p 5 4))", {"p0": (3, 5), "p1": (4,)}),
        ("(assert (forall ((x Int)) (p 3 x)))", {"p0": (3,)}),
        ("(assert (q 1))(assert (forall ((x Int)) (=> (q x) (p x x))))", {"q0": (1,), "p0": (1,), "p1": (1,)}),
        # a counter with a bound, and one without
        ("(assert (q 0))(assert (forall ((x Int)) (=> (and (q x) (< x 3)) (q (+ x 1)))))", {"q0": (0, 1, 2, 3)}),
        ("(assert (q 0))(assert (forall ((x Int)) (=> (q x) (q (+ x 1)))))", {}),
        # an equation of the body
        ("(assert (forall ((x Int) (y Int)) (=> (and (= x 7) (= (- x 1) y)) (p x y))))", {"p0": (7,), "p1": (6,)}),
        # two variables at once, or one that no atom bounds, may be anything
        ("(assert (p 1 2))(assert (forall ((x Int) (y Int)) (=> (p x y) (q (+ x y)))))", {"p0": (1,), "p1": (2,)}),
        ("(assert (forall ((x Int)) (=> (and (< 0 x) (< x 3)) (q x))))", {}),
        # an atom below a disjunction bounds nothing
        ("(assert (p 1 2))(assert (forall ((x Int)) (=> (or (p x 2) (= x 9)) (q x))))", {"p0": (1,), "p1": (2,)}),
        ("(assert (q (div 1 0)))", {}),
        ("(assert (forall ((x Int)) (=> (and (q x)) (q (div 5 x)))))(assert (q 0))", {}),
    ],
)
def test_an_argument_has_the_values_that_its_rules_give_it(text: str, found: dict[str, tuple[object, ...]]) -> None:
    assert of(text) == found


def test_more_values_than_are_counted_are_none() -> None:
    facts = [f"(assert (q {number}))" for number in range(MOST + 1)]
    assert of("".join(facts[:-1])) == {"q0": tuple(range(MOST))}
    assert of("".join(facts)) == {}


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_is_derived_has_one_of_them(name: str) -> None:
    system: System = SYSTEMS[name]
    refutation = witnesses.refutation_of(system) if system.status == "unsat" else None
    found = few_values(system)
    for fact in facts_of(refutation or ()):
        for at, value in enumerate(fact.values):
            assert value in found.get((fact.predicate, at), (value,))
