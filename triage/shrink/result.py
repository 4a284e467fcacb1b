"""Results of a reduction, and the requirement on them."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Generic, TypeVar

from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.triage.shrink.search import Counts
from chcfuzz.triage.shrink.size import Size

P_co = TypeVar("P_co", bound=BaseProblem, covariant=True)


class Mode(enum.Enum):
    """Requirement on the result.

    `EQUIVALENT`: each clause stays equivalent, as in HornFuzz's reduction. `FINDING`: the system passes the test.
    """

    EQUIVALENT = "equivalent"
    FINDING = "finding"


@dataclass(frozen=True)
class Shrunk(Generic[P_co]):
    """The smallest system so far.

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
    counts: Counts
    minimal: bool = False
