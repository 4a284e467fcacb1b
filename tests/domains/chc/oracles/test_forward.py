"""Forward derivation: what it finds is a refutation, and it finds none of a system with a model."""

from pathlib import Path

import pytest
from chcfuzz.domains.chc.oracles import forward
from chcfuzz.domains.chc.oracles.refutation import fault
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System

CORPUS = Path(__file__).resolve().parents[4] / "corpus"
# The values of y are given by nothing but a hint; x and z follow from a fact and from equations.
HINTED = parse("""
    (declare-fun p (Int) Bool)
    (assert (p 3))
    (assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x) (> y (* 2 x)) (= (+ x y) z)) (p z))))
    (assert (forall ((x Int)) (=> (and (p x) (> x 100)) false)))
""")


def read(name: str) -> System:
    return parse((CORPUS / f"{name}.smt2").read_text(), name)


@pytest.mark.parametrize("name", ["bool/ripple-counter-unsafe", "lia/clock-unsafe", "adt/door-lock-unsafe"])
def test_a_system_without_free_choices_has_a_refutation_without_hints(name: str) -> None:
    system = read(name)
    found = forward.refutation(system, {})
    assert found is not None
    assert fault(system, found) is None


def test_values_that_no_fact_and_no_equation_determines_come_from_the_hints() -> None:
    assert forward.refutation(HINTED, {}) is None
    assert forward.refutation(HINTED, {1: [{1: 5}]}) is None  # x + y is 8, and then 13 and 18, too few of them
    found = forward.refutation(HINTED, {1: [{1: 5}, {1: 99}]})
    assert found is not None
    assert [step.clause for step in found] == [0, 1, 2]
    assert found[1].values == (3, 99, 102)
    assert fault(HINTED, found) is None


def test_values_of_another_sort_or_of_no_variable_harm_nothing() -> None:
    assert forward.refutation(HINTED, {1: [{1: True}, {7: 99}], 5: [{}]}) is None


@pytest.mark.parametrize("name", ["bool/ripple-counter-safe", "lia/clock-safe", "adt/door-lock-safe"])
def test_a_system_with_a_model_has_none(name: str) -> None:
    assert forward.refutation(read(name), {}) is None


def test_the_search_ends_where_facts_have_no_end() -> None:
    endless = parse("""
        (declare-fun p (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y) (< x 0)) false)))
    """)
    assert forward.refutation(endless, {}) is None


def test_a_system_is_searched_without_its_hints_if_they_do_not_help() -> None:
    """The hint excludes the only instance of the clause that gives the fact."""
    counter = parse("""
        (declare-fun p (Int) Bool)
        (assert (forall ((x Int)) (=> (= x 3) (p x))))
        (assert (forall ((x Int)) (=> (and (p x) (> x 2)) false)))
    """)
    found = forward.refutation(counter, {0: [{0: 9}]})
    assert found is not None
    assert [step.values for step in found] == [(3,), (3,)]
    assert fault(counter, found) is None


@pytest.mark.parametrize(("limit", "least"), [("_MOST_STEPS", 4), ("_MOST_WORK", 4)])
def test_the_search_ends_at_its_bounds(monkeypatch: pytest.MonkeyPatch, limit: str, least: int) -> None:
    counting = parse("""
        (declare-fun p (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (= y (+ x 1))) (p y))))
        (assert (forall ((x Int)) (=> (and (p x) (> x 2)) false)))
    """)
    assert forward.refutation(counting, {}) is not None
    monkeypatch.setattr(forward, limit, least - 3)
    assert forward.refutation(counting, {}) is None
