"""The units that a worker made since its last execution; all other units come from a corpus."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Origin:
    """The origin of a unit that was made here.

    `origin` is the unit that libFuzzer started from, None for a crossover of two.
    `base` is the unit of the corpus that it was mutating, None while it reads the corpus.
    """

    origin: bytes | None
    base: bytes | None = None


class MadeUnits:
    """Units that were made here since the last execution: libFuzzer may mutate a unit repeatedly."""

    def __init__(self) -> None:
        self._made: dict[bytes, Origin] = {}

    def mutated(self, unit: bytes, before: bytes, base: bytes | None = None) -> None:
        """Note that `unit` is a mutation of `before`."""
        earlier = self._made.get(before)
        self._made[unit] = Origin((earlier and earlier.origin) or before, base)

    def crossed(self, unit: bytes, base: bytes | None = None) -> None:
        """Note that `unit` comes from two others, so that it does not have a single origin."""
        self._made[unit] = Origin(None, base)

    def get(self, unit: bytes) -> Origin | None:
        """Return the origin of a unit; None for a unit of a corpus."""
        return self._made.get(unit)

    def base_of(self, unit: bytes) -> bytes:
        """Return the unit of the corpus that libFuzzer is mutating if it mutates this unit."""
        made = self._made.get(unit)
        return (made and made.base) or unit

    def clear(self) -> None:
        """Forget all units, after an execution."""
        self._made.clear()
