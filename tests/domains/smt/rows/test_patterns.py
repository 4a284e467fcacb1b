"""Patterns of quantifiers, added and dropped: text before, text after."""

import pytest
from chcfuzz.domains.smt.rows.patterns import MUTATIONS

from tests.domains.smt.rows.cases import results

CASES = [
    (
        "add",
        "(assert (forall ((z Int)) (f z)))",
        {"(assert (forall ((z Int)) (! (f z) :pattern ((f z)))))"},
    ),
    (
        "add",
        "(assert (forall ((z Int)) (not (< (h z p) 3))))",
        {
            "(assert (forall ((z Int)) (! (not (< (h z p) 3)) :pattern ((h z p)))))",
            "(assert (forall ((z Int)) (! (not (< (h z p) 3)) :pattern ((< (h z p) 3)))))",
        },
    ),
    (
        "add",
        "(assert (forall ((z Int)(w Int)) (=> (f z) (g w))))",
        {
            "(assert (forall ((z Int) (w Int)) (! (=> (f z) (g w)) :pattern ((f z) (g w)))))",
            "(assert (forall ((z Int) (w Int)) (! (=> (f z) (g w)) :pattern ((g w) (f z)))))",
        },
    ),
    (
        "add",
        "(assert (forall ((z Int)) (and (f z) (exists ((w Int)) (= (h w p) (h z p))))))",
        {
            "(assert (forall ((z Int)) (! (and (f z) (exists ((w Int)) (= (h w p) (h z p)))) :pattern ((f z)))))",
            "(assert (forall ((z Int)) (! (and (f z) (exists ((w Int)) (= (h w p) (h z p)))) :pattern ((h z p)))))",
            "(assert (forall ((z Int)) (and (f z) (exists ((w Int)) (! (= (h w p) (h z p)) :pattern ((h w p)))))))",
            "(assert (forall ((z Int)) (and (f z) (exists ((w Int)) (! (= (h w p) (h z p)) "
            ":pattern ((= (h w p) (h z p))))))))",
        },
    ),
    ("add", "(assert (forall ((z Int)(t Bool)) (or (f z) t)))", set()),
    ("add", "(assert (f x))", set()),
    (
        "drop",
        "(assert (forall ((z Int)) (! (and (f z) (g z)) :pattern ((f z)) :pattern ((g z)))))",
        {
            "(assert (forall ((z Int)) (! (and (f z) (g z)) :pattern ((g z)))))",
            "(assert (forall ((z Int)) (! (and (f z) (g z)) :pattern ((f z)))))",
        },
    ),
    ("drop", "(assert (forall ((z Int)) (f z)))", set()),
]


@pytest.mark.parametrize(("row", "before", "after"), CASES)
def test_a_row_makes_all_of_these_and_nothing_else(row: str, before: str, after: set[str]) -> None:
    assert results(MUTATIONS, f"smt_patterns.{row}", before) == after
