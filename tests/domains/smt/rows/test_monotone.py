"""Assertions dropped, added, weakened and strengthened; a known status stops what could not be checked."""

import pytest
from chcfuzz.domains.smt.rows.monotone import MUTATIONS

from tests.domains.smt.rows.cases import results


@pytest.mark.parametrize(
    ("row", "before", "after"),
    [
        ("drop", "(assert p) (assert q)", "(assert q)"),
        ("weaken", "(assert (and p q))", "(assert q)"),
        ("weaken", "(assert (not (or p q)))", "(assert (not p))"),
        ("weaken", "(assert (< x y))", "(assert (<= x y))"),
        ("strengthen", "(assert (or p q))", "(assert q)"),
        ("strengthen", "(assert (=> (and p q) r))", "(assert r)"),
        ("strengthen", "(assert (=> (and p q) r))", "(assert (=> p r))"),
    ],
)
def test_a_row_makes_this_among_others(row: str, before: str, after: str) -> None:
    assert after in results(MUTATIONS, f"smt_monotone.{row}", before, 200)


def test_an_assertion_is_added() -> None:
    found = results(MUTATIONS, "smt_monotone.add", "(assert p)")
    assert len(found) > 20
    assert all("(assert p)" in text and text.count("(assert ") == 2 for text in found)


@pytest.mark.parametrize(
    ("row", "status"), [("drop", "unsat"), ("weaken", "unsat"), ("add", "sat"), ("strengthen", "sat")]
)
def test_a_row_declines_a_status_that_it_does_not_preserve(row: str, status: str) -> None:
    assert not results(MUTATIONS, f"smt_monotone.{row}", f"(set-info :status {status})(assert (and p q))")
