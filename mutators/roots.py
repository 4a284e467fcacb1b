"""Roots of recipes: how the problems of a domain are read and printed, and which ones are always there.

A process works in one domain, as it works with one Z3: `activate` chooses it, else it is that of CHC systems. Recipes,
seeds, chains, seed groups and policies ask `active()` and know nothing else about the domain.
"""

from __future__ import annotations

import importlib
from typing import Protocol

from chcfuzz.grammar.problem import BaseProblem

_DEFAULT = "chcfuzz.domains.chc"


class Roots(Protocol):
    """Reads, prints and compares the problems that recipes of a domain start from."""

    @property
    def noun(self) -> str:
        """The name of a problem in messages, such as "CHC system"."""

    @property
    def built_in(self) -> tuple[str, ...]:
        """Texts that stand for bytes without a readable root. Append only: bytes choose by position."""

    @property
    def entropy_rows(self) -> tuple[str, ...]:
        """Ids of the mutations that plain entropy chooses from, by position; independent of the installed solver."""

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes that policies learn about separately. Append only: stored tallies name them by position."""

    def __hash__(self) -> int: ...

    def class_of(self, problem: BaseProblem) -> str:
        """Return the class of a problem, one of `classes`."""

    def parse(self, text: str, name: str) -> BaseProblem:
        """Return the problem that a text states; raises `GrammarError`, which names the place, for anything else."""

    def print(self, problem: BaseProblem) -> str:
        """Return the canonical text of a problem; `parse` of it is the same problem."""

    def complexity(self, problem: BaseProblem) -> tuple[int, ...]:
        """Return a sort key, from simple to complex problems."""


_active: list[Roots] = []  # at most one


def activate(roots: Roots) -> None:
    """Make these the roots of this process."""
    _active[:] = [roots]


def active() -> Roots:
    """Return the roots of this process."""
    if not _active:
        _active.append(importlib.import_module(_DEFAULT).ROOTS)
    return _active[0]
