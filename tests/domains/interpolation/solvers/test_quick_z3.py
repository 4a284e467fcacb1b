"""Queries to Z3 about formulas whose conjuncts lie on many paths."""

import pytest
import z3
from chcfuzz.domains.interpolation.solvers.quick_z3 import Queries, conjuncts
from chcfuzz.grammar.reading.parse import problem

from tests.domains.interpolation.solvers.test_solvers import WATCHDOG

LEVELS = 60


def shared() -> str:
    """Return a text whose assertion has 2^60 paths to 121 conjuncts."""
    names = [f"{letter}{level}" for level in range(LEVELS) for letter in "pq"]
    declared = "".join(f"(declare-const {name} Bool)" for name in ("x", *names))
    body = f"f{LEVELS}"
    for level in reversed(range(LEVELS)):
        deeper = f"f{level}" if level else "x"
        sides = " ".join(f"(not (or (not {letter}{level}) (not {deeper})))" for letter in "pq")
        body = f"(let ((f{level + 1} (and {sides}))) {body})"
    return f"{declared}(assert {body})(assert (not q7))(check-sat)"


def test_conjuncts_on_many_paths_are_decided_within_the_limit() -> None:
    stated = problem(shared(), "shared")
    assert len(conjuncts(stated.formulas)) == 2 * LEVELS + 2
    assert Queries(WATCHDOG, 100_000).answer(stated)[0] == "unsat"


def test_a_query_that_was_refuted_within_the_same_limit_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    refuted = problem("(declare-const x Int)(assert (> x 7))(assert (< x 6))(check-sat)", "refuted")
    satisfied = problem("(declare-const x Int)(assert (> x 7))(assert (< x 16))(check-sat)", "satisfied")
    assert Queries(WATCHDOG, 100_000).answer(refuted) == ("unsat", "")
    asked: list[str] = []

    def ask(_queries: Queries, text: str, *_: object) -> tuple[str, str]:
        asked.append(text)
        return "unknown", ""

    monkeypatch.setattr(Queries, "_ask", ask)
    assert Queries(WATCHDOG, 100_000).answer(refuted) == ("unsat", "")
    assert not asked
    others = ((refuted, 90_000, None), (satisfied, 100_000, None), (refuted, 100_000, z3.Context()))
    for again, limit, context in others:
        assert Queries(WATCHDOG, limit, context).answer(again) == ("unknown", "")
    assert len(asked) == 3
