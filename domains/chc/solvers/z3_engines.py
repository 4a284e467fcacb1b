"""Z3's other engines for Horn clauses, where they apply: `bmc` for linear systems, `datalog` for finite sorts."""

from __future__ import annotations

import z3
from chcfuzz.domains.chc.solvers.hyper_resolution import HyperResolutionAnswer, Question
from chcfuzz.grammar.sorts import BOOL, Sort
from chcfuzz.grammar.system import System
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_errors import message

_WIDEST = 8  # bits of a bit-vector that datalog can count through


def applicable(system: System) -> tuple[str, ...]:
    """Return the engines that apply to a system."""
    linear = ("bmc",) if all(clause.is_linear for clause in system.clauses) else ()
    sorts = (sort for predicate in system.predicates for sort in predicate.parameters)
    return (*linear, "datalog") if all(map(_is_small, sorts)) else linear


def answer(system: System, engine: str, rlimit: int, watchdog: Watchdog) -> HyperResolutionAnswer:
    """Run one of these engines on a system. Errors of Z3 are part of the answer."""
    context = z3.Context(rlimit=rlimit)
    with watchdog.guard(context):
        try:
            return Question(system, context, engine=engine).answer()
        except z3.Z3Exception as error:
            return HyperResolutionAnswer(Status.ERROR, message(error))


def _is_small(sort: Sort) -> bool:
    return sort is BOOL or (sort.is_bitvector and sort.width <= _WIDEST)
