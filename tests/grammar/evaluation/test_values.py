"""Values: equal ones are equal objects, finite sorts have all of theirs, and each has its sort."""

from fractions import Fraction

import pytest
from chcfuzz.grammar.evaluation.values import UNDETERMINED, ArrayValue, Constructed, array_value, domain, has_sort
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort, array, bitvec

from tests.grammar.evaluation.test_evaluate import COLOUR, LIST, PAIR, UNIT, value_of


def test_equal_arrays_are_equal_values_whatever_their_default() -> None:
    bit = bitvec(1)
    assert array_value(INT, 0, {1: 0, 2: 5}) == array_value(INT, 0, {2: 5})
    assert array_value(bit, 0, {0: 7, 1: 7}) == ArrayValue(7, {})
    assert array_value(BOOL, 1, {True: 2}) == array_value(BOOL, 2, {False: 1})
    assert hash(array_value(BOOL, 1, {True: 2})) == hash(array_value(BOOL, 2, {False: 1}))
    assert array_value(INT, 0, {1: 1}) != array_value(INT, 0, {1: 2})


def test_arrays_indexed_by_a_sort_with_one_value_are_equal_if_they_agree_there() -> None:
    lonely = array(INT, UNIT)  # one array: every index has the same element
    unit = Constructed(UNIT, "unit")
    (only,) = domain(lonely, 1) or ()
    assert only == ArrayValue(unit, {})
    for sort in (UNIT, lonely, array(lonely, UNIT), array(array(INT, lonely), UNIT)):
        (value,) = domain(sort, 1) or ()
        assert array_value(sort, 0, {value: 1}) == ArrayValue(1, {})
    assert len(domain(array(lonely, BOOL), 100) or ()) == 2
    stored = "(store ((as const (Array (Array Int Unit) Int)) 0) ((as const (Array Int Unit)) unit) 1)"
    assert value_of(f"(= {stored} ((as const (Array (Array Int Unit) Int)) 1))") is True


def test_values_of_data_types_are_one_object() -> None:
    nil = Constructed(LIST, "nil")
    assert Constructed(LIST, "cons", (1, nil)) is Constructed(LIST, "cons", (1, Constructed(LIST, "nil")))
    assert Constructed(LIST, "cons", (1, nil)) is not Constructed(LIST, "cons", (2, nil))


def test_finite_sorts_have_all_their_values_and_others_none() -> None:
    assert domain(BOOL, 2) == (False, True)
    assert domain(bitvec(3), 8) == tuple(range(8))
    assert domain(bitvec(3), 7) is None
    assert len(domain(PAIR, 100) or ()) == 6
    assert len(domain(array(BOOL, COLOUR), 100) or ()) == 9
    for infinite in (INT, REAL, LIST, array(INT, BOOL), array(BOOL, INT), bitvec(64)):
        assert domain(infinite, 4096) is None


@pytest.mark.parametrize(
    ("value", "sort"),
    [
        (1, BOOL),
        (True, INT),
        (Fraction(1), INT),
        (1, REAL),
        (0.5, REAL),
        (True, bitvec(1)),
        (-1, bitvec(4)),
        (16, bitvec(4)),
        ("red", COLOUR),
        (None, INT),
        (UNDETERMINED, INT),
        (0, array(INT, INT)),
        (ArrayValue(False, {}), array(INT, INT)),
        (ArrayValue(0, {True: 1}), array(INT, INT)),
        (ArrayValue(0, {1: True}), array(INT, INT)),
        (ArrayValue(0, {}), INT),
        (ArrayValue(0, {1: 0}), array(INT, INT)),
        (ArrayValue(0, {0: 1, 1: 1}), array(bitvec(1), INT)),
        (Constructed(COLOUR, "red"), PAIR),
        (Constructed(COLOUR, "blue"), COLOUR),
        (Constructed(COLOUR, "red", (1,)), COLOUR),
        (Constructed(PAIR, "pair", (1, Constructed(COLOUR, "red"))), PAIR),
        (Constructed(PAIR, "pair", (True,)), PAIR),
        (Constructed(LIST, "cons", (1, Constructed(COLOUR, "red"))), LIST),
        (Constructed(LIST, "nil"), INT),
    ],
    ids=lambda given: given.constructor if isinstance(given, Constructed) else str(given),
)
def test_what_is_no_value_of_a_sort(value: object, sort: Sort) -> None:
    assert not has_sort(value, sort)


def test_a_long_value_has_its_sort_without_recursion() -> None:
    value = Constructed(LIST, "nil")
    for number in range(5_000):
        value = Constructed(LIST, "cons", (number, value))
    assert has_sort(value, LIST)
    assert not has_sort(Constructed(LIST, "cons", (True, value)), LIST)
