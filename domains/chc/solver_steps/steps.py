"""Solver steps: the lemmas, proof obligations and facts of a PDR solver, as text, in the order in which it made them.

A *solver step* is a step of a solver. A *step* alone is a mutation everywhere else in chcfuzz.
"""

from __future__ import annotations

from dataclasses import dataclass, field

ALL_LEVELS = 1 << 30  # level of a lemma that holds at every level; solvers print it as `oo`


@dataclass(frozen=True)
class Lemma:
    """A lemma: `formula` holds for each fact of `predicate` that has a derivation of height at most `level`.

    `blocked` is the formula of the obligation that it was made for, if that is known. A lemma of a lower level that
    propagation raised `is_pushed`. Both describe its origin, and do not distinguish lemmas.
    """

    predicate: str
    level: int
    formula: str
    blocked: str = field(default="", compare=False)
    is_pushed: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Obligation:
    """A proof obligation: a set of facts from which the facts of its parent follow in one derivation step.

    `parents` are the obligations that it may belong to, as pairs of predicate and formula; empty for the root. The
    solver claims that each fact leads into the parent only if the obligation `is_exact`; others are guesses.
    """

    predicate: str
    level: int
    formula: str
    parents: tuple[tuple[str, str], ...] = ()
    is_exact: bool = False


@dataclass(frozen=True)
class ReachFact:
    """Set of facts of a predicate; each follows from earlier facts by one rule."""

    predicate: str
    formula: str


SolverStep = Lemma | Obligation | ReachFact


def level_text(level: int) -> str:
    """Return a level as solvers print it."""
    return "oo" if level == ALL_LEVELS else str(level)


def level_of(text: str) -> int:
    """Return the level that a solver prints; raises `ValueError`."""
    return ALL_LEVELS if text == "oo" else int(text)
