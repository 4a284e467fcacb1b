"""The effort of Spacer for a system, by its statistics: the depth of unfolding, and the number of lemmas."""

from __future__ import annotations

import z3
from chcfuzz.solvers.made import Effort
from chcfuzz.solvers.watchdog import Watchdog

_LEVELS, _LEMMAS = "SPACER max query lvl", "SPACER num lemmas"


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
