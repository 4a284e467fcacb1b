"""Texts of interpolation problems: those that were printed last are not read again."""

import pytest
from chcfuzz.domains.interpolation.roots import BUILT_IN, InterpolationRoots
from chcfuzz.domains.interpolation.solvers import interpolator
from chcfuzz.domains.interpolation.solvers.interpolator import stated
from chcfuzz.grammar.interpolation.group_text import read
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.terms import Apply, Value

ROOTS = InterpolationRoots()


def test_the_problem_of_a_printed_text_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(text: str, _name: str) -> None:
        raise AssertionError(f"read again: {text}")

    monkeypatch.setattr(interpolator, "read", fail)
    for text in BUILT_IN:
        plain = read(text).with_header((), ())
        printed = ROOTS.print(plain)
        assert stated(printed) == plain == read(printed)


def test_a_problem_whose_text_reads_as_another_one_is_read() -> None:
    plain = read(BUILT_IN[0]).with_header((), ())
    comparison = plain.formulas[0].children[0]
    five = Apply("-", (Value(5, INT),), INT)
    changed = plain.with_formula(0, comparison.rebuild((comparison.children[0], five)))
    found = stated(ROOTS.print(changed))
    assert found != changed
    assert found.formulas[0] == comparison.rebuild((comparison.children[0], Value(-5, INT)))
