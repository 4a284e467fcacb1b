"""Which unit is mutated next: often, one whose trace has a rare transition.

libFuzzer's entropic schedule prefers rare features, too, but looks at its corpus alone, and the power schedule replaces
many of the units that it chooses. A unit is as rare here as the rarest transition of its trace, by the executions of
this process that had it, as inputs with rare branches in FairFuzz (Lemieux and Sen, ASE 2018).
`bench.faults.score` has measured it (docs/measurements.md, "Faults in Z3's own code").
"""

from __future__ import annotations

import sys

import numpy as np
from cachetools import LRUCache
from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.power_schedule import MOST_UNITS, PowerSchedule
from chcfuzz.tracing.feature_rarity import SLOTS, FeatureRarity
from numpy.typing import NDArray

_DRAWN = 4  # units, the rarest of which is mutated
_USUALLY = 4  # all but one of this number of mutations are of a unit that is drawn so
_MOST_TRANSITIONS = 256  # of a unit: its rarest; a trace of Spacer has about a hundred, that of a command any number
_UNKNOWN = np.zeros(0, dtype=np.uint32)


class RareUnits:
    """Draws units of a power schedule with rare transitions."""

    def __init__(self, schedule: PowerSchedule[bytes]) -> None:
        self._schedule = schedule
        self._rarity = FeatureRarity(np.zeros(SLOTS, dtype=np.int64))
        self._transitions: LRUCache[bytes, NDArray[np.uint32]] = LRUCache(MOST_UNITS)  # of units worth mutating

    def executed(self, unit: bytes, transitions: NDArray[np.uint32], worth: bool) -> None:
        """Count the transitions of an execution, and note those of a unit that is worth mutating."""
        self._rarity.executed(transitions)
        if worth:
            order = np.argsort(self._rarity.times(transitions), kind="stable")
            self._transitions[unit] = transitions[order[:_MOST_TRANSITIONS]]

    def choose(self, unit: bytes, choices: Choices) -> bytes:
        """Return the rarest of some units that the schedule draws, or the one that it chooses in place of `unit`."""
        if choices.index(_USUALLY):
            drawn = [self._schedule.draw(choices) for _ in range(_DRAWN)]
            units = [each for each in drawn if each is not None]
            if units:
                return min(units, key=self._times)
        return self._schedule.choose(unit, choices)

    def _times(self, unit: bytes) -> int:
        """Return the number of executions with the rarest transition of a unit; unknown ones are never preferred."""
        transitions = self._transitions.get(unit, _UNKNOWN)
        return int(self._rarity.times(transitions).min(initial=sys.maxsize))
