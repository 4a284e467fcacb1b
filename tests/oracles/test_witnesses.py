"""Queries of mutations: one that ignores its limits ends the process as its owner wants."""

from collections.abc import Iterator
from typing import Any

import pytest
from chcfuzz.oracles import witnesses
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
