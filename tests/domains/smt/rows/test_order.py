"""Assertions and declarations: reordered, split, joined, repeated."""

import pytest
from chcfuzz.domains.smt.rows.order import MUTATIONS
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.reading.parse import problem

from tests.domains.smt.rows.cases import HEAD, results

CASES = [
    ("swap-assertions", "(assert p) (assert q)", {"(assert q) (assert p)"}),
    ("shuffle-assertions", "(assert p) (assert q)", {"(assert q) (assert p)"}),
    ("split", "(assert (and p q)) (assert r)", {"(assert p) (assert q) (assert r)"}),
    ("join", "(assert p) (assert q)", {"(assert (and p q))"}),
    ("repeat", "(assert p)", {"(assert p) (assert p)"}),
    ("swap-assertions", "(assert p) (assert p)", set()),
    ("split", "(assert (or p q))", set()),
    ("join", "(assert p)", set()),
]


@pytest.mark.parametrize(("row", "before", "after"), CASES)
def test_a_row_makes_all_of_these_and_nothing_else(row: str, before: str, after: set[str]) -> None:
    assert results(MUTATIONS, f"smt_order.{row}", before) == after


def test_declarations_are_shuffled() -> None:
    row = next(row for row in MUTATIONS if row.id == "smt_order.shuffle-declarations")
    given = problem(HEAD)
    found = row.rewrite(given, Choices(b"", b"1"))
    assert found != given
    assert set(found.functions) == set(given.functions)
