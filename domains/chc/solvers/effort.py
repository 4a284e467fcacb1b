"""The effort of Spacer for a system, by its statistics: the depth of unfolding, and the number of lemmas."""

from __future__ import annotations

from dataclasses import dataclass

import z3
from chcfuzz.solvers.watchdog import Watchdog

_LEVELS, _LEMMAS = "SPACER max query lvl", "SPACER num lemmas"


@dataclass(frozen=True)
class Effort:
    """`answer` is "sat", "unsat" or "unknown". Both numbers are 0 where the transforms alone decide."""

    answer: str
    levels: int
    lemmas: int


def effort(text: str, rlimit: int, watchdog: Watchdog) -> Effort:
    """Solve a script under a resource limit, and read off what it took. Never raises for what Z3 does."""
    context = z3.Context()
    solver = z3.SolverFor("HORN", ctx=context)
    answer = "unknown"
    with watchdog.guard(context):
        try:
            solver.set("rlimit", rlimit)
            solver.from_string(text)
            answer = str(solver.check())
        except z3.Z3Exception:
            pass
        statistics = solver.statistics()
        keys = set(statistics.keys())
        levels, lemmas = (int(statistics.get_key_value(key)) if key in keys else 0 for key in (_LEVELS, _LEMMAS))
    return Effort(answer, levels, lemmas)
