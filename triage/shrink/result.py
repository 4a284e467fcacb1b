"""Results of a reduction, and the requirement on them."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.triage.shrink.search import CandidateCounts, Pass, Search, until_minimal
from chcfuzz.triage.shrink.size import Size

P = TypeVar("P", bound=BaseProblem)
P_co = TypeVar("P_co", bound=BaseProblem, covariant=True)


class Mode(enum.Enum):
    """Requirement on the result of a reduction.

    `EQUIVALENT`: each clause stays equivalent, as in HornFuzz's reduction. `FINDING`: the system passes the test.
    """

    EQUIVALENT = "equivalent"
    FINDING = "finding"


@dataclass(frozen=True)
class Shrunk(Generic[P_co]):
    """An intermediate result of a reduction: the smallest system so far.

    Attributes:
        system: The system.
        size: Its size.
        by: The pass that made it; None for the system given.
        counts: Numbers of candidates until now.
        minimal: Whether the test refuses every single edit of it; set for the last result only.
    """

    system: P_co
    size: Size
    by: str | None
    counts: CandidateCounts
    minimal: bool = False


def improve(search: Search[P], passes: Sequence[Pass[P]], measure: Callable[[P], Size]) -> Iterator[Shrunk[P]]:
    """Yield the start of a search, each better result of the passes, and at last the best one again as minimal."""
    found = Shrunk(search.best, measure(search.best), None, search.counts)
    yield found
    for name in until_minimal(search, passes):
        found = Shrunk(search.best, measure(search.best), name, search.counts)
        yield found
    yield replace(found, counts=search.counts, minimal=True)
