"""Variants of a problem: the same assertions with other names of symbols, or in another order.

Every variant has the answer of the problem, but a solver may take another path to it. A release that is right only for
one name, or for one order, still has the bug.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.system import System
from chcfuzz.triage.shrink.names import nth_name, with_predicate_names
from chcfuzz.triage.shrink.passes import is_sound

Varied = TypeVar("Varied", bound=BaseProblem)
Order = Callable[[Sequence[Any]], Sequence[Any]]

_LETTERS, _WORD = "qrstu", ("inv",)


def variants_of_system(system: System) -> Iterator[tuple[str, System]]:
    """Yield systems with other names of predicates, and with other orders of clauses, each with its name."""

    def renamed(before: System, letters: Sequence[str]) -> System:
        return with_predicate_names(before, names(letters, len(before.predicates)))

    def ordered(before: System, order: Order) -> System:
        return before.with_clauses(order(before.clauses))

    return varied(system, renamed, ordered, is_sound)


def varied(
    problem: Varied,
    renamed: Callable[[Varied, Sequence[str]], Varied],
    ordered: Callable[[Varied, Order], Varied],
    is_sound: Callable[[Varied], bool],
) -> Iterator[tuple[str, Varied]]:
    """Yield the well-formed variants that differ from the problem, each with its name, and each once.

    `renamed` takes the letters for `names`, and `ordered` the new order of a sequence.
    """
    changes: dict[str, Callable[[Varied], Varied]] = {
        "names q, r, s": lambda before: renamed(before, _LETTERS),
        "names inv, inv1": lambda before: renamed(before, _WORD),
        "reversed order": lambda before: ordered(before, _backwards),
        "rotated order": lambda before: ordered(before, _rotated),
    }
    ways = (*((name,) for name in changes), ("names inv, inv1", "reversed order"), ("names q, r, s", "rotated order"))
    found = [problem]
    for way in ways:
        variant = problem
        for name in way:
            variant = changes[name](variant)
        if variant not in found and is_sound(variant):
            found.append(variant)
            yield ", ".join(way), variant


def names(letters: Sequence[str], number: int) -> list[str]:
    """Return different names: `number` of them."""
    return [nth_name(letters, each) for each in range(number)]


def _backwards(sequence: Sequence[Any]) -> Sequence[Any]:
    return sequence[::-1]


def _rotated(sequence: Sequence[Any]) -> Sequence[Any]:
    return (*sequence[1:], *sequence[:1])
