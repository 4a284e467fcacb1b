"""Terms become values, and constant arrays get other ones."""

from chcfuzz.domains.smt.rows.values import MUTATIONS

from tests.domains.smt.rows.cases import results

ARRAYS = "(declare-const m (Array Int Bool))(declare-const n (Array Int Int))"
FILLED = "((as const (Array Int Bool)) true)"


def test_a_term_becomes_any_value_of_its_sort() -> None:
    assert results(MUTATIONS, "smt_values.put", "(assert (= p q))") == {
        *("(assert true)", "(assert false)"),
        *(f"(assert (= {value} q))" for value in ("true", "false")),
        *(f"(assert (= p {value}))" for value in ("true", "false")),
    }


def test_constant_arrays_are_put_only_where_some_are() -> None:
    assert not any(
        "as const" in text for text in results(MUTATIONS, "smt_values.put", f"{ARRAYS}(assert (select m x))")
    )
    before = f"{ARRAYS}(assert (= m (store {FILLED} x p)))"
    assert f"(assert (= {FILLED} (store {FILLED} x p)))" in results(MUTATIONS, "smt_values.put", before, 300)


def test_a_constant_array_gets_another_value_that_cvc5_reads() -> None:
    found = results(MUTATIONS, "smt_values.refill", f"{ARRAYS}(assert (= n ((as const (Array Int Int)) 4)))", 100)
    assert found == {f"(assert (= n ((as const (Array Int Int)) {number})))" for number in (0, 2, 3, 5, 8)}


def test_a_divisor_and_a_sort_without_values_stay() -> None:
    assert results(MUTATIONS, "smt_values.put", "(assert (= u u))") <= {"(assert true)", "(assert false)"}
    found = results(MUTATIONS, "smt_values.put", "(assert (= x (div x y)))", 200)
    assert not [text for text in found if "(div x y)" not in text and "(div " in text and not text.endswith(" y)))")]
