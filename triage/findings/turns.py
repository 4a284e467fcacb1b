"""The order in which the suspicions of a campaign are examined.

Suspicions whose symptom has had the fewest turns come first, then those whose seed and kind have had the fewest, then
those whose similarity key has, then graver ones, so that a frequent bug does not delay another one. Wrong answers are
one turn ahead. For a seed, a turn that confirms a finding counts as three, so that a seed whose first wrong answer is
not settled soon has another turn.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable

from chcfuzz.triage.examine.suspicion import is_gravest, kind_of, seed_of, similarity_of, symptom_of

_TURNS_OF_A_FINDING = 3


class Turns:
    """Counts turns, and chooses the next suspicion; suspicions are given by the names of their files."""

    def __init__(self) -> None:
        self._of_keys: Tally[str] = Tally()  # similarity keys
        self._of_seeds: Tally[str] = Tally()
        self._of_symptoms: Tally[str] = Tally()
        self._kinds: set[str] = set()  # that had a turn
        self._failed: set[str] = set()

    def next(self, names: Iterable[str], first_only: bool = False) -> str | None:
        """Return the suspicion whose turn it is; with `first_only`, only one whose key has not had a turn."""
        waiting = (name for name in names if name not in self._failed)
        return min(
            (name for name in waiting if not (first_only and self._of_keys[similarity_of(name)])),
            key=self._order,
            default=None,
        )

    def is_first(self, name: str) -> bool:
        """Return whether no suspicion of its kind has had a turn."""
        return kind_of(name) not in self._kinds

    def begin(self, name: str) -> int:
        """Count a turn; return the number of turns that the seed and kind had before."""
        turn = self._of_seeds[seed_of(name)]
        self._of_seeds[seed_of(name)] += 1
        self._of_keys[similarity_of(name)] += 1
        self._of_symptoms[symptom_of(name)] += 1
        self._kinds.add(kind_of(name))
        return turn

    def confirmed(self, name: str) -> None:
        """Note that the turn has confirmed a finding."""
        self._of_seeds[seed_of(name)] += _TURNS_OF_A_FINDING - 1

    def failed(self, name: str) -> None:
        """Note that the examination has failed, so that the suspicion does not get another turn."""
        self._failed.add(name)

    def _order(self, name: str) -> tuple[int, int, int, str]:
        behind = not is_gravest(name)
        symptom = self._of_symptoms[symptom_of(name)] + behind
        return symptom, self._of_seeds[seed_of(name)] + behind, self._of_keys[similarity_of(name)], name
