"""Domains of interpolation problems in which Spacer has a planted fault."""

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, replace

from chcfuzz.domains.interpolation.domain import InterpolationDomain
from chcfuzz.domains.interpolation.solvers.interpolating_engines import InterpolatingSolvers, interpolating_solvers
from chcfuzz.domains.interpolation.solvers.interpolator import stated
from chcfuzz.domains.smt.solvers.engine import Engine
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.grammar.terms import TRUE, conjunction, is_operator, negation
from chcfuzz.solvers.outcome import Outcome, Texts, texts_of
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.source import Parameters, TraceSource

Fault = Callable[[Interpolation, tuple[str, ...]], tuple[str, ...]]


def dropped_conjunct(problem: Interpolation, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out the last member of each conjunction; any other formula becomes true."""

    def weaker(text: str) -> str:
        term = parse_term(text, (), problem.problem)
        return print_term(conjunction(*term.children[:-1]) if is_operator(term, "and") else TRUE)

    return tuple(map(weaker, texts))


def foreign_symbol(problem: Interpolation, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Add a constant of one side to each interpolant, where there is one."""
    found = []
    for cut, text in enumerate(texts):
        local = [
            each.name for each in problem.functions if each.name not in problem.shared(cut) and not each.parameters
        ]
        found.append(f"(and {text} (= {local[0]} {local[0]}))" if local else text)
    return tuple(found)


def side_a(problem: Interpolation, texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(print_term(conjunction(*problem.sides(cut)[0])) for cut in range(len(texts)))


def not_side_b(problem: Interpolation, texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(print_term(negation(conjunction(*problem.sides(cut)[1]))) for cut in range(len(texts)))


def shifted(_problem: Interpolation, texts: tuple[str, ...]) -> tuple[str, ...]:
    return (*texts[1:], "false")


def cut_text(_problem: Interpolation, texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{text} )" for text in texts)


def death(_problem: Interpolation, _texts: tuple[str, ...]) -> tuple[str, ...]:
    os.kill(os.getpid(), signal.SIGABRT)
    raise AssertionError("the signal ends the process")


@dataclass
class Faulty:
    """An engine with a fault in its interpolants."""

    engine: Engine
    fault: Fault

    @property
    def name(self) -> str:
        return self.engine.name

    @property
    def version(self) -> str:
        return self.engine.version

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        outcome = self.engine.solve(text, parameters, rlimit)
        if not texts_of(outcome):
            return outcome
        return replace(outcome, extra=Texts(self.fault(stated(text), texts_of(outcome))))


class PlantedDomain(InterpolationDomain):
    """Interpolation problems with a fault of Spacer."""

    def __init__(self, name: str, fault: Fault) -> None:
        self.name = f"tests.domains.interpolation.planted:{name}"
        self._fault = fault

    def solver(self, solving: Solving, source: TraceSource | None, watchdog: Watchdog) -> InterpolatingSolvers:
        """Return all solvers, Spacer with the fault."""
        whole = interpolating_solvers(solving, watchdog)
        wrapped = [Faulty(each, self._fault) if each.name == "spacer" else each for each in whole.engines]
        return InterpolatingSolvers(wrapped, whole.events, watchdog)


DROPPED_CONJUNCT = PlantedDomain("DROPPED_CONJUNCT", dropped_conjunct)
FOREIGN_SYMBOL = PlantedDomain("FOREIGN_SYMBOL", foreign_symbol)
SIDE_A = PlantedDomain("SIDE_A", side_a)
NOT_SIDE_B = PlantedDomain("NOT_SIDE_B", not_side_b)
SHIFTED = PlantedDomain("SHIFTED", shifted)
CUT_TEXT = PlantedDomain("CUT_TEXT", cut_text)
DEATH = PlantedDomain("DEATH", death)
