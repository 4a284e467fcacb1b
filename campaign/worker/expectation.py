"""The promised answer of a unit, and the reason for it: the status of the seed when the unit was executed.

A declared status may be wrong, and so may a solver's own answer to the seed. Once a witness or, for an own answer, two
other projects show another status, the verdicts that depend on the earlier one are judged again, without another
execution (`executor`); all other verdicts stay.
"""

from __future__ import annotations

from dataclasses import dataclass

from chcfuzz.execution.seed_answers import Ground, SeedAnswer

_NONE = "-"


@dataclass(frozen=True)
class Expectation:
    """The answer that was promised, None without a promise; the status of the seed, and the ground of the status."""

    answer: str | None = None
    seed: str | None = None
    ground: Ground = Ground.NONE

    @classmethod
    def of(cls, promised: str | None, seed: SeedAnswer | None) -> Expectation:
        """Return the expectation of a mutant with this promised answer, for the known answer of its seed."""
        return cls(promised) if seed is None else cls(promised, seed.status, seed.ground)

    @classmethod
    def read(cls, text: str) -> Expectation:
        """Return the expectation that `written` wrote; raises `ValueError` for other text."""
        answer, seed, ground = text.split(" ")
        return cls(None if answer == _NONE else answer, None if seed == _NONE else seed, Ground(ground))

    @property
    def written(self) -> str:
        """The expectation as a line of text."""
        return " ".join((self.answer or _NONE, self.seed or _NONE, self.ground.value))

    def has_fallen(self, known: SeedAnswer | None) -> bool:
        """Determine whether the seed has another status by now, which is more than the answer of one project."""
        return known is not None and known.ground not in (Ground.NONE, Ground.ANSWER) and known.status != self.seed


NOTHING = Expectation()
