"""Systems generated together with the witness of their answer, from choices.

The witness is drawn first, so that generation needs no solver. A predicate holds a vector of numbers (`layouts`), and
clauses are transitions: the vector of the head is an affine image of those in the body.

- `sat`: every mode of every predicate has invariants (linear sums that are bounded below, fixed, or fixed modulo a
  number), which are its interpretation. A new predicate is reached from an existing one by an invertible map that also
  transforms the invariants, so this transition needs no guard. Each other transition is the best of several drawn ones:
  an invariant of its head that one or two invariants of its body do not imply becomes a guard. A query negates a
  consequence of the invariants.
- `unsat`: transitions are executed, starting from a fact, and each gets only guards that held in all its executions. A
  query requires conditions that hold at the end. The execution is the refutation, and the clauses generalize its steps.
"""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.domains.chc.generation.generate_sat import SatMaker
from chcfuzz.domains.chc.generation.generate_unsat import UnsatMaker
from chcfuzz.domains.chc.generation.layouts import (
    THEORIES,
    basis,
)
from chcfuzz.domains.chc.generation.transitions import Generated
from chcfuzz.grammar.choices import Choices

SIZES = (1, 2, 2, 3, 4, 6, 10, 20)  # numbers of predicates


def generated(
    status: str, choices: Choices, theories: Sequence[str] | None = None, sizes: Sequence[int] = SIZES
) -> Generated:
    """Return a system of this status, over these theories or drawn ones; its number of predicates is one of `sizes`."""
    if theories is None:
        theories = [theory for theory in THEORIES if choices.index(3) == 0]
    on, size = basis(theories, choices), choices.pick(sizes)
    return SatMaker(on, choices).made(size) if status == "sat" else UnsatMaker(on, choices).made(size)
