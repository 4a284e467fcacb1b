"""The shape of a problem in words, as reports print it."""

import pytest
from chcfuzz.triage.examine.shape import SystemShape

SHAPE = SystemShape(("Int",), linear=True, recursive=False, doubled=False, operators=("<", "equality of Arrays"))


@pytest.mark.parametrize(
    ("linear", "recursive", "rules"),
    [
        (True, False, "linear"),
        (True, True, "linear, recursive"),
        (False, False, "non-linear"),
        (False, True, "non-linear, recursive"),
    ],
)
def test_rules_are_named(linear: bool, recursive: bool, rules: str) -> None:
    shape = SystemShape(("Int", "Array"), linear, recursive, doubled=False, operators=())
    assert shape.rules == rules
    assert shape.summary() == f"Int+Array, {rules}; no operators"


def test_a_problem_without_rules_has_its_kind_if_it_has_one() -> None:
    assert (
        SystemShape(("Int",), True, True, False, ("+",), horn=False, kind="quantified").summary()
        == "Int, quantified; +"
    )
    assert SystemShape((), True, True, False, (), horn=False).summary() == "Bool; no operators"


def test_operators_are_listed() -> None:
    assert SHAPE.summary() == "Int, linear; <, equality of Arrays"
