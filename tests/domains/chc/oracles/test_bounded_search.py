"""Bounded search finds refutations where Spacer gives no proof, and ends at its limits."""

import re

import pytest
from chcfuzz.domains.chc.oracles import bounded_search
from chcfuzz.domains.chc.oracles.bounded_search import DerivationTrees
from chcfuzz.domains.chc.oracles.derive import derive
from chcfuzz.domains.chc.oracles.refutation import DerivationStep
from chcfuzz.domains.chc.solvers import hyper_resolution
from chcfuzz.domains.chc.solvers.hyper_resolution import HyperResolutionAnswer
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog

from tests.domains.chc.oracles.test_derive import COUNTER, RLIMIT, SYSTEMS, WATCHDOG, right, system


@pytest.fixture
def spacer_gives_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hyper_resolution, "facts", lambda *_: HyperResolutionAnswer(Status.UNKNOWN, "gives up"))


@pytest.mark.usefixtures("spacer_gives_no_proof")
@pytest.mark.parametrize("name", SYSTEMS)
def test_a_refutation_is_found_by_bounded_search(name: str) -> None:
    search = derive(system(name), RLIMIT, WATCHDOG)
    right(system(name), search)
    assert "bounded search, depth " in search.message


@pytest.mark.usefixtures("spacer_gives_no_proof")
def test_bounded_search_writes_each_fact_once() -> None:
    found = right(system("non-linear"), derive(system("non-linear"), RLIMIT, WATCHDOG))
    facts = [step.fact for step in found]
    assert len(set(facts)) == len(facts)
    assert len(found) == 6, "five Fibonacci numbers and false"


@pytest.mark.slow
@pytest.mark.usefixtures("spacer_gives_no_proof")
def test_the_bounded_search_stops_before_its_query_is_too_big() -> None:
    wide = parse(
        """(declare-fun p (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int)) (=> (and (p x) (p (+ x 0)) (p (* 1 x)) (p (- x 0))) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (> x 40)) false)))"""
    )
    search = derive(wide, 50_000_000, WATCHDOG)
    assert search.refutation is None
    assert "too many rules for depth " in search.message


@pytest.mark.slow
@pytest.mark.usefixtures("spacer_gives_no_proof")
def test_the_bounded_search_stops_before_long_clauses_are_written_down_too_often() -> None:
    long = " ".join(f"(< (- x {number}) 1000)" for number in range(3_000))
    chain = parse(COUNTER.replace("(< x 9)", f"(and (< x 99) {long})").format(90))
    search = derive(chain, 500_000_000, WATCHDOG)
    assert search.refutation is None
    assert "too many rules for depth 8" in search.message


def test_a_wall_clock_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hyper_resolution, "facts", lambda *_: HyperResolutionAnswer(Status.UNKNOWN, "gives up"))
    hard = parse(
        """(declare-fun p (Int Int Int) Bool)
        (assert (forall ((x Int) (y Int) (z Int)) (p x y z)))
        (assert (forall ((x Int) (y Int) (z Int))
          (=> (and (p x y z) (= (+ (* x x x) (* y y y) (* z z z)) 114) (> x 1000)) false)))"""
    )
    search = derive(hard, 4_000_000_000, Watchdog(1.0))
    assert search.refutation is None
    assert "bounded search: limit reached at depth 2" in search.message


def test_the_search_ends_where_there_are_no_deeper_trees() -> None:
    flat = parse("(declare-fun p (Int) Bool) (assert (p 0)) (assert (forall ((x Int)) (=> (and (p x) (> x 0)) false)))")
    assert derive(flat, RLIMIT, WATCHDOG).message.endswith("bounded search: no derivation of depth 2")


def test_what_is_found_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DerivationTrees, "refutation", lambda *_: (DerivationStep(0, (), (), None),))
    monkeypatch.setattr(hyper_resolution, "facts", lambda *_: HyperResolutionAnswer(Status.UNKNOWN, "gives up"))
    search = derive(parse(COUNTER.format(4)), RLIMIT, WATCHDOG)
    assert search.refutation is None
    assert search.message.endswith("step 1: the head is not false")


@pytest.mark.usefixtures("spacer_gives_no_proof")
@pytest.mark.parametrize("limit", ["_MOST_RULES", "_MOST_NODES"])
def test_a_tree_that_is_too_big_ends_the_search_with_its_depth(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    deep = parse(COUNTER.format(7))
    assert derive(deep, RLIMIT, WATCHDOG).refutation is not None
    monkeypatch.setattr(bounded_search, limit, 20)
    search = derive(deep, RLIMIT, WATCHDOG)
    assert search.refutation is None
    assert re.search(r"bounded search(: no derivation of depth \d+)?, too many rules for depth \d+$", search.message)
