"""Solvers of `bench/power/planted.py`: Spacer with one planted fault, by default or under one switch.

`bench.power.planted_solver:NAME` is a solver for each of `SOLVERS`. A fault occurs with `CONDITIONS["default"]` (a
conjunction has the same member twice, under any parameters) or with `CONDITIONS["switch"]` (`SWITCH` is set).
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import z3
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import is_operator, subterms
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.solver_model import Model
from chcfuzz.tracing.source import Parameters

SWITCH = ("fp.spacer.ctp", "false")
_NAME = "planted"  # of the text, in messages of the parser
# Lines that look like the protocol of a helper process, like a record, and like the summary of a campaign.
_CHATTER = (
    b'{}\n{"type": "concluded", "conclusion": {"end": "vanished"}}\n}{\n[[{"kind": "crash"}]]\n'
    b'chcfuzz-summary: {"findings": {}}\n'
)


@dataclass(frozen=True)
class Query:
    """One call of a planted solver.

    `solve` runs Spacer on a text under the same parameters. `guard` watches a context with the wall clock. `number` is
    the number of earlier calls in the same process.
    """

    text: str
    solve: Callable[[str], Outcome]
    guard: Callable[[Any], AbstractContextManager[None]]
    number: int


Fault = Callable[[Query], Outcome]


def repeats_a_member(text: str) -> bool:
    """Determine whether a conjunction has the same member twice."""
    formulas = (clause.formula for clause in parse(text, _NAME).clauses)
    conjunctions = (term for term in subterms(*formulas) if is_operator(term, "and"))
    return any(len(set(term.children)) < len(term.children) for term in conjunctions)


def _all_false(text: str) -> str:
    """Return a model in which every predicate is false."""
    lines = []
    for predicate in parse(text, _NAME).predicates:
        arguments = " ".join(f"(x!{number} {sort})" for number, sort in enumerate(predicate.parameters))
        lines.append(f"(define-fun {quoted(predicate.name)} ({arguments}) Bool false)")
    return "\n".join(lines)


def wrong_sat(query: Query) -> Outcome:
    """Answer sat instead of unsat, with a model in which every predicate is false."""
    outcome = query.solve(query.text)
    if outcome.status is not Status.UNSAT:
        return outcome
    return replace(outcome, status=Status.SAT, model=TextModel(_all_false(query.text)))


def wrong_unsat(query: Query) -> Outcome:
    """Answer unsat instead of sat."""
    outcome = query.solve(query.text)
    return replace(outcome, status=Status.UNSAT, model=None) if outcome.status is Status.SAT else outcome


def wrong_model(query: Query) -> Outcome:
    """Answer sat with a model in which every predicate is false."""
    outcome = query.solve(query.text)
    return outcome if outcome.model is None else replace(outcome, model=TextModel(_all_false(query.text)))


def dropped_clause(query: Query) -> Outcome:
    """Solve the system without its last clause."""
    system = parse(query.text, _NAME)
    outcome = query.solve(print_system(replace(system, clauses=system.clauses[:-1])))
    if not isinstance(outcome.model, Model):
        return outcome
    context = outcome.model.context
    whole = z3.parse_smt2_string(query.text, ctx=context)
    return replace(outcome, model=Model(context, whole, outcome.model.model))


def death(_query: Query) -> Outcome:
    """Die of a segmentation fault."""
    os.kill(os.getpid(), signal.SIGSEGV)
    raise AssertionError("the signal ends the process")


class _Interruptible:
    """A computation without end that stops when the wall clock interrupts it, as a Z3 context does."""

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def interrupt(self) -> None:
        """Stop the computation."""
        self._stopped.set()

    def run(self) -> None:
        """Compute until it is interrupted."""
        self._stopped.wait()


def hang(query: Query) -> Outcome:
    """Compute until the wall clock interrupts it."""
    computation = _Interruptible()
    with query.guard(computation):
        computation.run()
    return replace(query.solve(query.text), status=Status.HANG, reason="wall clock", model=None)


def stuck(query: Query) -> Outcome:
    """Compute for ever, and ignore the interrupt of the wall clock."""
    with query.guard(_Interruptible()):
        while True:
            signal.pause()


def chatter(query: Query) -> Outcome:
    """Print lines of braces and of JSON to both streams, and answer unsat instead of sat."""
    for descriptor in (1, 2):
        os.write(descriptor, _CHATTER)
    return wrong_unsat(query)


def memory(query: Query) -> Outcome:
    """Use all of the memory that the solver may use."""
    return replace(query.solve(query.text), status=Status.LIMIT, reason="out of memory", model=None)


def second_time(query: Query) -> Outcome:
    """Answer as Spacer in the first call of a process, and unsat instead of sat in later calls."""
    return wrong_unsat(query) if query.number else query.solve(query.text)


def none(query: Query) -> Outcome:
    """Answer as Spacer."""
    return query.solve(query.text)


@dataclass(frozen=True)
class Planted:
    """A fault, and the condition on the text and the parameters that causes it."""

    fault: Fault
    condition: Callable[[str, Parameters], bool]


FAULTS: Mapping[str, Fault] = {
    "none": none,
    "wrong_sat": wrong_sat,
    "wrong_unsat": wrong_unsat,
    "wrong_model": wrong_model,
    "dropped_clause": dropped_clause,
    "death": death,
    "hang": hang,
    "stuck": stuck,
    "chatter": chatter,
    "memory": memory,
    "second_time": second_time,
}
CONDITIONS: Mapping[str, Callable[[str, Parameters], bool]] = {
    "default": lambda text, _: repeats_a_member(text),
    "switch": lambda _, parameters: SWITCH in parameters,
}
SOLVERS: Mapping[str, Planted] = {
    f"{fault}_{condition}": Planted(FAULTS[fault], CONDITIONS[condition])
    for fault in FAULTS
    for condition in CONDITIONS
}


class PlantedSpacer(Spacer):
    """Spacer with the fault of `planted`."""

    planted: ClassVar[Planted]
    _calls = 0

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, with the fault if its condition holds."""
        number, self._calls = self._calls, self._calls + 1

        def solve(text: str) -> Outcome:
            return super(PlantedSpacer, self).solve(text, parameters, rlimit)

        if not self.planted.condition(text, parameters):
            return solve(text)
        return self.planted.fault(Query(text, solve, self._watchdog.guard, number))


def __getattr__(name: str) -> type[PlantedSpacer]:
    """Return the solver of a name in `SOLVERS`."""
    if name not in SOLVERS:
        raise AttributeError(f"no planted solver {name!r}: choose one of {', '.join(SOLVERS)}")
    return type(name, (PlantedSpacer,), {"planted": SOLVERS[name]})
