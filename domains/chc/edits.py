"""Systems that a single edit of a reduction pass makes of a system."""

from __future__ import annotations

from collections.abc import Iterator

from chcfuzz.grammar.system import System
from chcfuzz.triage.shrink.passes import PASSES, is_sound

_ROUNDS = 3  # edits of each pass, at most, spread evenly over its list


def single_edits(system: System) -> Iterator[tuple[str, System]]:
    """Yield well-formed systems after single edits, each with the name of the edit; the passes take turns."""
    for turn in range(_ROUNDS):
        for one in PASSES:
            number = one.number(system)
            place = number * turn // _ROUNDS
            if number and (turn == 0 or place > number * (turn - 1) // _ROUNDS):
                candidate = one.candidates(system, place, 1)[0]()
                if candidate is not None and is_sound(candidate):
                    yield f"{one.name} ({place + 1} of {number})", candidate
