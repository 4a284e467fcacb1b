"""Rows that draw with a model: what was drawn is in the step, and damaged steps change nothing."""

from collections.abc import Iterator

import pytest
from chcfuzz.domains.smt.rows.learned import MUTATIONS
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.learning import active

from tests.domains.smt.rows.problems import PROBLEMS

SUBTERM, ASSERTION = MUTATIONS
TEXT = "(declare-const x Int)(declare-const p Bool)(assert (or p (forall ((z Int)) (< z x))))"


@pytest.fixture(autouse=True)
def builtin() -> Iterator[None]:
    """Draw with the shipped model."""
    active.activate(active.BUILT_IN)
    yield
    active.activate(active.NONE)


def rewritten(problem: Problem, data: bytes, key: bytes = b"key") -> Problem | None:
    found: Problem | None = SUBTERM.rewrite(problem, Choices(data, key))
    return found


def test_drawn_steps_change_problems_and_read_back() -> None:
    changed = 0
    for name, problem in PROBLEMS.items():
        for row in MUTATIONS:
            for number in range(4):
                assert row.data_for is not None
                data = row.data_for(problem, Choices(b"", f"{name} {number}".encode()))
                after = None if data is None else row.rewrite(problem, Choices(data, b"key"))
                if after is not None:
                    changed += 1
                    assert parse.problem(print_problem(after)) == after
    assert changed > 2 * len(PROBLEMS)


def test_a_stored_step_means_the_same_without_a_model() -> None:
    problem = parse.problem(TEXT)
    assert SUBTERM.data_for is not None
    data = SUBTERM.data_for(problem, Choices(b"", b"some"))
    assert data is not None
    before = rewritten(problem, data)
    active.activate(active.NONE)
    assert SUBTERM.data_for(problem, Choices(b"", b"some")) is None
    assert rewritten(problem, data) == rewritten(problem, data, b"another key") == before


def test_the_place_and_the_term_are_those_of_the_step() -> None:
    problem = parse.problem(TEXT)
    found = {
        print_problem(after).partition("(assert ")[2].partition(")\n")[0]
        for number in range(20)
        if (after := rewritten(problem, number.to_bytes(4, "little") + b"(= x 3)")) is not None
    }
    assert found == {
        "(= x 3)",
        "(or (= x 3) (forall ((z Int)) (< z x)))",
        "(or p (= x 3))",
        "(or p (forall ((z Int)) (= x 3)))",
    }
    bound = [rewritten(problem, number.to_bytes(4, "little") + b"(+ z 1)") for number in range(20)]
    assert any(after is not None for after in bound)
    assert all("(forall ((z Int)) (<" in print_problem(after) for after in bound if after is not None)


@pytest.mark.parametrize("data", [b"", b"\0", b"\0\0\0\0", b"\0\0\0\0(", b"\0\0\0\0(= y 1)", b"\0\0\0\0x", b"\xff" * 9])
def test_damaged_steps_change_nothing(data: bytes) -> None:
    problem = parse.problem(TEXT)
    assert rewritten(problem, data) is None
    assert ASSERTION.rewrite(problem, Choices(data, b"key")) is None


def test_an_assertion_is_added() -> None:
    problem = parse.problem(TEXT)
    after = ASSERTION.rewrite(problem, Choices(b"\0\0\0\0(not p)", b"key"))
    assert after is not None
    assert after.formulas[:-1] == problem.formulas
    assert "(assert (not p))" in print_problem(after)
