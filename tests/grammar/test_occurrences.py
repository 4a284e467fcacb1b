"""Where terms occur: counted on the shared term, walked to one by one."""

import pytest
from chcfuzz.grammar.occurrences import Occurrences, fallen_into
from chcfuzz.grammar.paths import Path, at
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.terms import Term, Variable, apply, conjunction, integer, is_operator, negation

X, Y = Variable("x", INT), Variable("y", INT)
LESS, MORE = apply("<", X, Y), apply("<", Y, X)


def is_x(term: Term) -> bool:
    return term is X


def in_a_tree(root: Term) -> list[Path]:
    """The paths to every x, looked for without counting."""
    return [*([()] if is_x(root) else []), *((i, *path) for i, c in enumerate(root.children) for path in in_a_tree(c))]


@pytest.mark.parametrize(
    "root",
    [
        X,
        Y,
        conjunction(LESS, MORE),
        conjunction(LESS, LESS, conjunction(MORE, LESS)),
        apply("=", apply("+", X, X), apply("*", X, apply("+", X, X))),
        negation(conjunction(negation(LESS), apply("<", Y, integer(1)), negation(LESS))),
    ],
)
def test_every_occurrence_is_found_in_order(root: Term) -> None:
    found = Occurrences(root, is_x)
    assert list(found) == in_a_tree(root)
    assert found.number == len(in_a_tree(root))
    assert all(at(root, path) is X for path in found)


def test_an_occurrence_inside_another_comes_after_it() -> None:
    root = conjunction(conjunction(LESS, MORE), MORE)
    assert list(Occurrences(root, lambda term: is_operator(term, "and"))) == [(), (0,)]


def test_below_what_is_not_entered_nothing_is_found() -> None:
    root = conjunction(LESS, negation(MORE))
    found = Occurrences(root, lambda term: is_operator(term, "<"), lambda term: not is_operator(term, "not"))
    assert list(found) == [(0,)]


def test_where_parts_are_shared_no_tree_is_walked() -> None:
    root: Term = X
    for _ in range(200):
        root = apply("+", root, root)
    found = Occurrences(root, is_x)
    assert found.number == 2**200
    assert found.path(0) == (0,) * 200
    assert found.path(2**200 - 1) == (1,) * 200
    assert found.path(5) == (*[0] * 197, 1, 0, 1)


@pytest.mark.slow
def test_deep_terms_are_counted_without_recursion() -> None:
    root: Term = LESS
    for _ in range(20_000):
        root = negation(root)
    assert Occurrences(root, is_x).path(0) == (*[0] * 20_000, 0)


def test_a_number_falls_into_one_of_some_counts() -> None:
    assert [fallen_into(number, (2, 0, 1)) for number in range(3)] == [(0, 0), (0, 1), (2, 0)]
    with pytest.raises(IndexError):
        fallen_into(3, (2, 0, 1))
