"""The parts as one solver: a question in the text of a problem selects the part."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.domains.parts.question_text import read
from chcfuzz.domains.parts.solvers.calls import PartQuery, PartReply, PartsReady, PartStart
from chcfuzz.domains.parts.solvers.shared_edges import ReceivedEdges
from chcfuzz.domains.smt.solvers.engine import WALL_CLOCK
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import HelperProcess
from chcfuzz.grammar.evaluation.samples import default_value
from chcfuzz.grammar.evaluation.values import as_term
from chcfuzz.grammar.printing.printer import print_problem, print_term
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import Function
from chcfuzz.solvers.outcome import Outcome, Status, Texts
from chcfuzz.solvers.solver import Solver
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing.solver_statistics import StatisticsSource, classes, trace_of_features
from chcfuzz.tracing.source import Parameters

MODULE = "chcfuzz.domains.parts.solvers.child"
_OPERATOR = re.compile(r"\((?:\(_ )?([^\s()]+)")
_GRACE = 1.2  # times the wall clock of a question, after which its process is killed


@dataclass(frozen=True)
class PartTexts(Texts):
    """The result of a part, by the part's label."""

    part: str = ""


class PartSolver(Solver):
    """All parts; see the module's docstring."""

    counts_resources = True
    name = "parts"

    def __init__(self, solving: Solving, source: StatisticsSource, chosen: Sequence[str] = ()) -> None:
        """Run the `chosen` parts only, or all of them."""
        command = active().executable
        self._edges = ReceivedEdges(source.edges)
        start = PartStart(
            solving.memory_megabytes << 20, "" if command is None else str(command), edges=self._edges.path
        )
        self._child = HelperProcess(MODULE, solving, start)
        self._watchdog = Watchdog(_GRACE * solving.wall_seconds)
        self._source = source
        self._chosen = frozenset(chosen)

    @property
    def events(self) -> StatisticsSource:
        """The source of the traces: features of results."""
        return self._source

    @property
    def version(self) -> str:
        """The release of Z3; starts the child."""
        self._child.start()
        return self._child.ready(PartsReady).version

    @property
    def pid(self) -> int:
        """The id of the child."""
        return self._child.pid

    def close(self) -> None:
        """End the child; the next question starts another."""
        self._child.end()

    def refused(self, problem: BaseProblem) -> str:
        """Return why a problem is refused: its part is not among the chosen ones, or lacks subjects or a model."""
        assert isinstance(problem, PartProblem)
        if self._chosen and problem.question.part not in self._chosen:
            return "a part that --part leaves out"
        return "" if problem.is_askable else f"{problem.question.part} lacks subjects or a model"

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Run the part of a problem; see `solvers.solver.Solver.solve`."""
        problem = read(text, "problem")
        assert isinstance(problem, PartProblem)
        start = time.perf_counter()
        self._edges.clear()
        reply = self.reply(query_of(problem, rlimit))
        self._edges.show()
        status, question = Status(reply.status), problem.question
        trace = trace_of_features(() if status is Status.HANG else features(question.part, reply))
        seconds = time.perf_counter() - start
        left_out = tuple(name for name, _ in parameters)
        return Outcome(
            status,
            reply.reason,
            trace,
            reply.cost,
            seconds,
            None,
            left_out,
            extra=PartTexts(reply.texts, question.label),
        )

    def reply(self, query: PartQuery) -> PartReply:
        """Run the part of a question in the child, whose death is a crash."""
        self._child.start()
        self._child.send(query)
        with self._watchdog.guard(_ChildKiller(self._child)):
            reply = self._child.receive(query, PartReply)
        if self._watchdog.interrupted:
            self._child.end()
            return PartReply(Status.HANG.value, WALL_CLOCK)
        return PartReply(Status.CRASH.value, reply.death) if reply.death else reply


class _ChildKiller:
    """Kills the child in the place of an interrupt."""

    def __init__(self, child: HelperProcess) -> None:
        self._child = child

    def interrupt(self) -> None:
        self._child.kill()


def query_of(problem: PartProblem, rlimit: int = 0) -> PartQuery:
    """Return the question of a problem for the child, with its model if the part needs one."""
    question = problem.question
    model = question.model if question.kind.needs_model else ()
    functions = {function.name: function for function in problem.functions}
    return PartQuery(
        question.part,
        print_problem(problem.plain()).removesuffix("(check-sat)\n"),
        tuple(map(print_term, problem.formulas)),
        question.subjects,
        tuple(quoted(function.name) for function in problem.eliminated),
        tuple(str(function.result) for function in problem.eliminated),
        tuple((_applied(functions[name]), print_term(value)) for name, value in model),
        question.options,
        rlimit,
    )


def _applied(function: Function) -> str:
    """Return the text of a constant, or of a function that is applied to some values."""
    if not function.parameters:
        return quoted(function.name)
    values = (print_term(as_term(default_value(sort, lambda _: ()), sort)) for sort in function.parameters)
    return f"({quoted(function.name)} {' '.join(values)})"


def features(part: str, reply: PartReply) -> list[str]:
    """Return the features of a reply: its part and status, and the operators of the result by number."""
    operators = Counter(word for text in reply.texts for word in _OPERATOR.findall(text))
    shape = {**operators, "size": sum(operators.values())}
    named = (f"{part} {each}" for each in (*classes(shape), *reply.features))
    reason = reply.reason[:60] if reply.status in ("error", "crash") else ""
    return [f"{part} {reply.status} {reason}", *named]
