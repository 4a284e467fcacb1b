"""The order of clauses and declarations: known wrong answers of Spacer depend on it (Z3 issues 5714, 7466)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.system import System
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.places import swapped

T = TypeVar("T")


def _shuffled(items: Sequence[T], choices: Choices) -> list[T]:
    return [items[i] for i in choices.permutation(len(items))]


def _clauses(system: System) -> bool:
    """Return whether two clauses differ."""
    return any(clause != system.clauses[0] for clause in system.clauses)


def _predicates(system: System) -> bool:
    return len(system.predicates) > 1


def _changed(new: System, old: System) -> System | None:
    return None if new == old else new


def _swap_clauses(system: System, choices: Choices) -> System | None:
    return _changed(system.with_clauses(swapped(system.clauses, choices)), system) if _clauses(system) else None


def _shuffle_clauses(system: System, choices: Choices) -> System | None:
    return _changed(system.with_clauses(_shuffled(system.clauses, choices)), system)


def _swap_declarations(system: System, choices: Choices) -> System | None:
    if not _predicates(system):
        return None
    return _changed(system.with_predicates(swapped(system.predicates, choices)), system)


def _shuffle_declarations(system: System, choices: Choices) -> System | None:
    return _changed(system.with_predicates(_shuffled(system.predicates, choices)), system)


_SOURCE = "answers depend on clause order, as in Z3 issue 5714"

MUTATIONS = (
    Mutation(
        "order.swap-clauses",
        Promise.EQUIVALENT,
        "two clauses are swapped",
        _SOURCE,
        _swap_clauses,
        _clauses,
        permutes=True,
        needs=Needs.CLAUSES,
    ),
    Mutation(
        "order.shuffle-clauses",
        Promise.EQUIVALENT,
        "all clauses are shuffled",
        _SOURCE,
        _shuffle_clauses,
        _clauses,
        permutes=True,
        needs=Needs.CLAUSES,
    ),
    Mutation(
        "order.swap-declarations",
        Promise.EQUIVALENT,
        "two declarations are swapped",
        _SOURCE,
        _swap_declarations,
        _predicates,
        permutes=True,
        needs=Needs.CLAUSES,
    ),
    Mutation(
        "order.shuffle-declarations",
        Promise.EQUIVALENT,
        "all predicate declarations are shuffled",
        _SOURCE,
        _shuffle_declarations,
        _predicates,
        permutes=True,
        needs=Needs.CLAUSES,
    ),
)
