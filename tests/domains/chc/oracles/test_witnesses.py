"""Queries of mutations: they have limits, and one that ignores them ends the process as its owner wants."""

from collections.abc import Iterator
from typing import Any

import pytest
import z3
from chcfuzz.domains.chc.oracles import witnesses
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.printing.witness import plugged
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.terms import FALSE, TRUE
from chcfuzz.solvers.watchdog import Watchdog


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Collect the actions that the watchdogs of queries get."""
    given: list[Any] = []

    def watchdog(_seconds: float, on_stuck: Any = None) -> Watchdog:
        given.append(on_stuck)
        return Watchdog(20)

    monkeypatch.setattr(witnesses, "Watchdog", watchdog)
    monkeypatch.setattr(witnesses, "_on_stuck", [])
    yield given
    witnesses.call_if_stuck(lambda: None)  # drops this watchdog


def test_a_stuck_query_of_a_mutation_calls_what_the_worker_gave(watched: list[Any]) -> None:
    text = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))(check-sat)"

    def action() -> None:
        raise AssertionError("not stuck")

    witnesses.call_if_stuck(action)
    assert witnesses.spacer_model(text) is not None
    assert watched == [action]


SAFE = parse("""(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (> x 5)) false)))
(check-sat)
""")
UNSAFE = SAFE.with_clauses(
    parse("(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (p x) (< x 3))))").clauses
    + SAFE.clauses[:2]
)
NODES = {system: sum(clause.formula.size for clause in system.clauses) for system in (SAFE, UNSAFE)}


@pytest.fixture(autouse=True)
def _nothing_is_cached() -> Iterator[None]:
    """Forget the witnesses that were found under other limits."""
    yield
    witnesses.checked_model.cache_clear()
    witnesses.checked_refutation.cache_clear()


def test_a_system_has_the_witness_of_its_answer_and_none_of_the_other() -> None:
    model = witnesses.model_of(SAFE)
    assert model is not None
    assert witnesses.is_model(SAFE, model)
    assert not witnesses.is_model(UNSAFE, model)
    assert witnesses.model_of(UNSAFE) is None
    assert witnesses.refutation_of(UNSAFE) is not None
    assert witnesses.refutation_of(SAFE) is None


def test_a_system_of_more_nodes_than_the_limit_has_no_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    for less in (0, 1):
        witnesses.checked_refutation.cache_clear()
        monkeypatch.setattr(witnesses, "MOST_NODES", NODES[UNSAFE] - less)
        assert (witnesses.refutation_of(UNSAFE) is None) is bool(less)
    monkeypatch.setattr(witnesses, "MOST_NODES", NODES[SAFE] - 1)
    assert witnesses.model_of(SAFE) is None
    monkeypatch.setattr(witnesses, "spacer_model", lambda _: (_ for _ in ()).throw(AssertionError("Spacer runs")))
    assert witnesses.model_of(SAFE) is None


def test_a_model_is_not_used_if_its_meanings_make_the_system_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    model = witnesses.model_of(SAFE)
    assert model is not None
    claims = [plugged(clause.formula, model) for clause in SAFE.clauses]
    size = sum(claim.size for claim in claims if claim is not TRUE)
    for less in (0, 1):
        monkeypatch.setattr(witnesses, "MOST_NODES", size - less)
        assert witnesses.is_model(SAFE, model) is not bool(less)


def test_a_witness_that_cannot_be_found_or_proved_within_the_resource_limits_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = witnesses.model_of(SAFE)
    assert model is not None
    assert witnesses.spacer_model(print_system(SAFE)) is not None
    monkeypatch.setattr(witnesses, "RLIMIT", 1)
    assert witnesses.spacer_model(print_system(SAFE)) is None
    monkeypatch.setattr(witnesses, "RLIMIT_CLAUSE", 1)
    assert not witnesses.is_model(SAFE, model)
    witnesses.checked_refutation.cache_clear()
    assert witnesses.refutation_of(UNSAFE) is None


def test_text_that_z3_does_not_read_has_no_model() -> None:
    assert witnesses.spacer_model("(assert") is None


def test_a_meaning_larger_than_the_limit_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    definitions = "(define-fun p ((x Int)) Bool (and (>= x 0) (<= x 5)))"
    model = witnesses.read_model(SAFE, definitions)
    assert model is not None
    (meaning,) = model.values()
    for less in (0, 1):
        monkeypatch.setattr(witnesses, "MOST_MEANING", meaning.body.size - less)
        assert (witnesses.read_model(SAFE, definitions) is None) is bool(less)


def test_a_predicate_without_a_definition_is_false_and_other_sorts_are_refused() -> None:
    model = witnesses.read_model(SAFE, "")
    assert model is not None
    (meaning,) = model.values()
    assert meaning.body is FALSE
    assert tuple(variable.sort for variable in meaning.parameters) == SAFE.predicates[0].parameters
    for other in ("((x Real)) Bool (> x 0.0)", "((x Int)) Int x", "((x Int) (y Int)) Bool (> x y)", "((x Int)) Bool ("):
        assert witnesses.read_model(SAFE, f"(define-fun p {other})") is None


@pytest.mark.parametrize("name", ["SimpleSolver", "SolverFor"])
def test_an_interrupt_during_a_query_is_left_to_the_campaign(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Z3 would catch the signal, and the campaign would continue."""
    made: list[Any] = []
    make = getattr(z3, name)

    def noting(*arguments: Any, **named: Any) -> Any:
        solver = make(*arguments, **named)
        made.append(settings := {})
        change = solver.set

        def noted(setting: str, value: Any) -> None:
            settings[setting] = value
            change(setting, value)

        solver.set = noted
        return solver

    monkeypatch.setattr(z3, name, noting)
    assert witnesses.model_of(SAFE) is not None
    (settings,) = made
    assert settings["ctrl_c"] is False
    assert settings["rlimit"] == (witnesses.RLIMIT if name == "SolverFor" else witnesses.RLIMIT_CLAUSE)
