"""Queries to Z3 about formulas whose conjuncts lie on many paths."""

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
