"""The executions of one examination. Each is announced before it begins, so that a death belongs to a run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from chcfuzz.domains.protocol import Domain
from chcfuzz.execution.pipeline import Execution, Pipeline, report
from chcfuzz.execution.reports import RunReport
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.mutators.mutation import Scope
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Status
from chcfuzz.triage.examine.messages import Began, Message, RunFinished, RunReported
from chcfuzz.triage.examine.signature import GIVEN_PLAIN, PLAIN

Send = Callable[[Message], None]
T = TypeVar("T")

GIVEN, SEED = "given", "the seed"
DEFAULT = "default parameters"
MORE = 10  # factor of the resource limit in the last configuration of a portfolio


@dataclass(frozen=True)
class Run:
    """Summary of an execution, with the verdicts about the solver under test.

    `model` holds the `define-fun`s of a model that holds in every clause, else nothing.
    """

    name: str
    recipe: Recipe
    problem: BaseProblem
    status: Status
    verdicts: tuple[Verdict, ...]
    model: str = ""
    cost: int = 0
    command: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """The configuration of the run, as in "under its own parameters" and "with no parameter"."""
        if self.name.startswith("with "):
            return self.name
        return "under its own parameters" if self.name == GIVEN else f"under {self.name}"

    def shows(self, kind: str) -> bool:
        """Return whether the run has a verdict of a kind."""
        return any(verdict.kind.value == kind for verdict in self.verdicts)

    def verdict(self, kind: str) -> Verdict:
        """Return the first verdict of a kind on the run."""
        return next(verdict for verdict in self.verdicts if verdict.kind.value == kind)


@dataclass(frozen=True)
class RunConfiguration:
    """A configuration: its name, the parameters of the solver, and a factor of the resource limit."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    factor: int = 1


class Runs:
    """Executes recipes for an examination, each once.

    `without` names the runs that killed an earlier process of the same examination; they are skipped. `send` receives
    the messages.
    """

    def __init__(self, pipeline: Pipeline, rlimit: int, without: Collection[str], send: Send) -> None:
        self.pipeline = pipeline
        self.rlimit = rlimit
        self._without = without
        self._send = send
        self.seed_cost: int | None = None  # if set, the cost oracle compares the cost of a mutant with it
        self._done: dict[tuple[bytes, int, bool], tuple[Run, RunReport]] = {}

    def execute(self, name: str, recipe: Recipe, second: bool = False, factor: int = 1) -> Run | None:
        """Execute a recipe, with second opinions if `second`; None for a run that killed an earlier process.

        The unit under examination is reported again when it was executed under another name: with fewer parameters.
        """
        mutant = self.pipeline.mutant(recipe)
        key = (mutant.key, factor, second)
        if key not in self._done:

            def run() -> Execution:
                return self.pipeline.execute(mutant, factor * self.rlimit, self.seed_cost, second)

            execution = self.guarded(name, run, recipe)
            if execution is None:
                return None
            self._done[key] = _kept(name, recipe, execution, self.pipeline.domain), report(execution)
            self.send_report(name, execution)
        elif name == GIVEN:
            self._send(RunReported(replace(self._done[key][1], run=name)))
        return self._done[key][0]

    def send_report(self, name: str, execution: Execution) -> None:
        """Report an execution under a name."""
        self._send(RunReported(replace(report(execution), run=name)))

    def under(self, setting: RunConfiguration, recipe: Recipe) -> Run | None:
        """Execute a recipe in another configuration."""
        return self.execute(setting.name, replace(recipe, parameters=setting.parameters), factor=setting.factor)

    def guarded(self, name: str, run: Callable[[], T], recipe: Recipe | None = None) -> T | None:
        """Call `run`, which may kill the process; None if it killed an earlier one. A death is one of `recipe`."""
        if name in self._without:
            return None
        self._send(Began(name, None if recipe is None else encode(recipe)))
        done = run()
        self._send(RunFinished(name))
        return done


def _kept(name: str, recipe: Recipe, execution: Execution, domain: Domain) -> Run:
    """Summarize an execution, without the Z3 context of its model: an examination has a hundred executions."""
    problem, outcome = execution.mutant.problem, execution.outcome
    text = ""
    if execution.model_verdict is VerdictKind.PASS and outcome.model is not None:
        text = domain.model_text(problem, outcome.model)
    verdicts = tuple(verdict for verdict in execution.verdicts if not verdict.accuses)
    return Run(name, recipe, problem, outcome.status, verdicts, text, outcome.cost, outcome.command)


def doubt_of_fault(verdict: Verdict, cvc5: Sequence[str], judge: str) -> str:
    """Return the reason why a wrong model is not confirmed; empty if it is.

    `cvc5` are its answers to the evidence, and `judge` is the engine that the solver under test belongs to.
    """
    if "unsat" in cvc5:
        return "cvc5 finds the clause true"
    return "only Z3, which made the model, finds it wrong" if "sat" not in cvc5 and verdict.judges == (judge,) else ""


def portfolio(pipeline: Pipeline, recipe: Recipe) -> Iterator[RunConfiguration]:
    """Yield other configurations for a recipe, the most informative first.

    Those of Spacer are its defaults, the transforms off that are known to break models, and each supported parameter
    changed alone; those of a command are its options, and those of SMT solvers their options for the theories of the
    problem. The last is that of the recipe with a larger resource limit.
    """
    given, selection = recipe.parameters, recipe.selection
    if recipe.options:
        yield RunConfiguration(DEFAULT, selection)
    for name, parameters in ((PLAIN, selection), (GIVEN_PLAIN, given)):
        plain = pipeline.solver.transforms_off(parameters)
        if plain is not None and (name == PLAIN or given):
            yield RunConfiguration(name, plain)
    problem = pipeline.mutant(recipe).problem
    for row in pipeline.chains.registry.parameters:
        if row.scope is not Scope.EXPERIMENTAL and row.name not in dict(given):
            for value in pipeline.domain.tried(selection, row, problem):
                yield RunConfiguration(f"{row.name}={value}", tuple(sorted({**dict(given), row.name: value}.items())))
    yield RunConfiguration(f"{MORE} times the resource limit", given, MORE)
