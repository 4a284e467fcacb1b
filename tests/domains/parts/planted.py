"""Domains of questions in which the parts have a planted fault, each in the texts of their results."""

import signal
from collections.abc import Callable, Mapping
from dataclasses import replace

from chcfuzz.domains.parts.domain import PartDomain
from chcfuzz.domains.parts.part_solver import PartSolver, PartTexts
from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.domains.parts.question_text import read
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading.parse import parse_term
from chcfuzz.grammar.terms import TRUE, conjunction, is_operator
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.solver import Solver
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.solver_statistics import StatisticsSource
from chcfuzz.tracing.source import Parameters, TraceSource

Fault = Callable[[PartProblem, tuple[str, ...]], tuple[str, ...]]


def honest(_problem: PartProblem, texts: tuple[str, ...]) -> tuple[str, ...]:
    return texts


def dropped_literal(problem: PartProblem, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out the last member of a conjunction; any other formula becomes true."""
    term = parse_term(texts[0], (), problem.problem)
    left = conjunction(*term.children[:-1]) if is_operator(term, "and") else TRUE
    return (print_term(left), *texts[1:])


def left_variable(problem: PartProblem, texts: tuple[str, ...]) -> tuple[str, ...]:
    name = problem.eliminated[0].name
    return (f"(and {texts[0]} (= {name} {name}))", *texts[1:])


def false(_problem: PartProblem, texts: tuple[str, ...]) -> tuple[str, ...]:
    return ("false", *texts[1:])


def other_answer(_problem: PartProblem, texts: tuple[str, ...]) -> tuple[str, ...]:
    return ("unsat", "", *texts[2:])


def shifted_model(_problem: PartProblem, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Exchange the truth values, and add one to the numbers of a model."""
    exchanged = texts[1].replace("true", "TRUE").replace("false", "true").replace("TRUE", "false")
    return (texts[0], exchanged.replace(" 1)", " 3)").replace(" 0)", " 1)"), *texts[2:])


def false_cover(_problem: PartProblem, texts: tuple[str, ...]) -> tuple[str, ...]:
    return (texts[0], "false", *texts[2:])


def only_first(_problem: PartProblem, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out all that follows an answer and a model: consequences, or a core."""
    return texts[:1] if texts[0] == "sat" else texts[:2]


def dropped_core(_problem: PartProblem, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out a member of a core."""
    return texts[:-1]


def wrong_literal(_problem: PartProblem, texts: tuple[str, ...]) -> tuple[str, ...]:
    return (*texts[:-1], f"(not {texts[-1]})")


def higher_cost(_problem: PartProblem, texts: tuple[str, ...]) -> tuple[str, ...]:
    return (*texts[:2], f"(+ 9 {texts[2]})")


def wrong_step(_problem: PartProblem, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Let a first step of a proof conclude false."""
    return (*texts[:3], "false", *texts[4:])


def no_points(_problem: PartProblem, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out all points of a Pareto front but the last one, and let it be whole."""
    return ("unsat", texts[-1])


def wrong_fact(_problem: PartProblem, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Exchange the first ground fact."""
    return (*texts[:2], "false", *texts[3:])


def as_documented(_problem: PartProblem, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Let the sequence of ground facts be that of the refutation, as it is documented; Z3 5.4.1 returns `false`."""
    return tuple("refutation" if text == "answer" else texts[2] if text == "false" else text for text in texts)


FAULTS: Mapping[str, Fault] = {
    "HONEST": honest,
    "DROPPED_LITERAL": dropped_literal,
    "LEFT_VARIABLE": left_variable,
    "FALSE": false,
    "OTHER_ANSWER": other_answer,
    "SHIFTED_MODEL": shifted_model,
    "FALSE_COVER": false_cover,
    "ONLY_FIRST": only_first,
    "DROPPED_CORE": dropped_core,
    "WRONG_LITERAL": wrong_literal,
    "HIGHER_COST": higher_cost,
    "WRONG_STEP": wrong_step,
    "NO_POINTS": no_points,
    "WRONG_FACT": wrong_fact,
    "AS_DOCUMENTED": as_documented,
}


class FaultyParts(PartSolver):
    """The parts with a fault in their results; without one, each result is a death."""

    def __init__(self, solving: Solving, source: StatisticsSource, fault: Fault | None) -> None:
        super().__init__(solving, source, solving.part)
        self._fault = fault

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        problem = read(text, "problem")
        assert isinstance(problem, PartProblem)
        outcome = super().solve(text, parameters, rlimit)
        if self._fault is None:
            reason = f"dies of signal {signal.Signals(signal.SIGSEGV).name}"
            return replace(outcome, status=Status.CRASH, reason=reason, extra=PartTexts((), problem.question.label))
        return self.faulty(problem, outcome, self._fault)

    @staticmethod
    def faulty(problem: PartProblem, outcome: Outcome, fault: Fault) -> Outcome:
        """Return an outcome with a fault in its result."""
        if outcome.status is not Status.RESULT or not isinstance(outcome.extra, PartTexts):
            return outcome
        texts = fault(problem, outcome.extra.texts)
        return replace(outcome, extra=PartTexts(texts, problem.question.label))


class PlantedDomain(PartDomain):
    """Questions to parts with a fault."""

    def __init__(self, name: str, fault: Fault | None) -> None:
        self.name = f"tests.domains.parts.planted:{name}"
        self._fault = fault

    def solver(self, solving: Solving, source: TraceSource | None, watchdog: Watchdog) -> Solver:
        """Return the parts with the fault."""
        return FaultyParts(solving, StatisticsSource("statistics:parts"), self._fault)


HONEST, DROPPED_LITERAL, LEFT_VARIABLE, FALSE, OTHER_ANSWER, SHIFTED_MODEL, *_ = (
    PlantedDomain(name, fault) for name, fault in FAULTS.items()
)
DEATH = PlantedDomain("DEATH", None)
