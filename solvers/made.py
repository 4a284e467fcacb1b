"""Problems that are made together with the witness of their answer, before any solver runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from chcfuzz.solvers.watchdog import Watchdog


@dataclass(frozen=True)
class Effort:
    """Effort of a solver: its answer "sat", "unsat" or "unknown", and its depth of search.

    Both numbers are 0 if preprocessing decides.
    """

    answer: str
    levels: int
    lemmas: int


class MadeProblem(Protocol):
    """A problem with `:status`, as text, and the witness of its answer."""

    @property
    def text(self) -> str:
        """The problem as SMT-LIB text."""

    @property
    def witness(self) -> str:
        """The witness as text."""

    def is_right(self, watchdog: Watchdog) -> bool | None:
        """Check the witness; None if the check does not decide."""

    def effort(self, rlimit: int, watchdog: Watchdog) -> Effort:
        """Return the effort of the solver under test; never raises for what the solver does."""
