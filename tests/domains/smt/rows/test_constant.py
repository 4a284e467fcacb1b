"""Constants: values near a constant, at the edges of its sort, and other constants of the problem."""

from chcfuzz.domains.smt.rows.constant import MUTATIONS

from tests.domains.smt.rows.cases import results


def test_numbers_become_near_ones() -> None:
    found = results(MUTATIONS, "smt_constant.nudge", "(assert (< x 6))")
    assert found == {f"(assert (< x {n}))" for n in ("7", "5", "(- 6)", "12", "3", "0")}


def test_bits_flip() -> None:
    found = results(MUTATIONS, "smt_constant.nudge", "(assert (= a #x6))", 300)
    assert {f"(assert (= a #x{n}))" for n in "7542ea9c3"} <= found


def test_a_truth_value_becomes_the_other() -> None:
    assert results(MUTATIONS, "smt_constant.nudge", "(assert (= p true))") == {"(assert (= p false))"}


def test_a_divisor_does_not_become_zero() -> None:
    for row in MUTATIONS:
        found = results(MUTATIONS, row.id, "(assert (= 0 (div x 1)))", 200)
        assert found
        assert "(assert (= 0 (div x 0)))" not in found


def test_constants_of_the_problem_and_their_neighbours_are_used() -> None:
    found = results(MUTATIONS, "smt_constant.other", "(assert (and (< x 6) (> y 20)))", 300)
    assert {"(assert (and (< x 20) (> y 20)))", "(assert (and (< x 6) (> y 7)))"} <= found


def test_there_must_be_a_constant() -> None:
    for row in MUTATIONS:
        assert results(MUTATIONS, row.id, "(assert (f x))") == set()
