"""SMT problems as CHC systems, and CHC systems as SMT problems, so that a cause can be searched on both sides.

The system of a problem has one clause, whose body are the assertions and whose head is `false`. Constants become
variables of the clause, and functions become arrays. So the problem is unsat exactly if the system is sat.

The problem of a system has the clauses as assertions, the predicates as uninterpreted functions, and the same status.
With a depth, it states that false has a derivation of at most this depth, without quantifiers: a query as Spacer and
bounded model checkers make them.
"""

from __future__ import annotations

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.interpolation.cuts_as_horn import to_system
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.interpolation.unrolling import from_system
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.problem import Pairs, Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.system import System

_OPPOSITE = {"sat": "unsat", "unsat": "sat"}


class BridgeError(ChcfuzzError):
    """A problem without a form on the other side; the message names the reason."""


def system_of(problem: Problem) -> System:
    """Return the system of a problem; raises `BridgeError`."""
    if not problem.assertions:
        raise BridgeError("a problem without assertions has no clause; add an assertion")
    status = _OPPOSITE.get(problem.status or "")
    try:
        system = to_system(Interpolation.of(problem, [0] * len(problem.assertions)))
        return parse.parse(print_system(system.with_header(_info(status), ())), "the system")
    except ChcfuzzError as error:
        raise BridgeError(f"the problem has no CHC system: {error}; edit the problem until this is gone") from error


def problem_of(system: System, depth: int | None = None) -> Problem:
    """Return the problem of a system; raises `ChcfuzzError` if an unrolling is too large.

    With a `depth`, a problem of a system that is sat is unsat, and any other status is unknown.
    """
    if depth is not None:
        status = "unsat" if system.status == "sat" else None
        return from_system(system, depth).problem.with_header(_info(status), ())
    return parse.problem(print_system(system.with_header(_info(system.status), ())), "the problem")


def _info(status: str | None) -> Pairs:
    return (("status", status),) if status else ()
