"""The executions of one examination: each is announced before it begins, so that a death is its own."""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from chcfuzz.execution.pipeline import Execution, Pipeline, report
from chcfuzz.grammar.system import System, as_system
from chcfuzz.mutators.mutation import Scope
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.oracles.evidence import definitions
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.z3_parameters import with_transforms_off

Tell = Callable[[dict[str, Any]], None]
T = TypeVar("T")

GIVEN, SEED = "given", "the seed"
DEFAULT, PLAIN, GIVEN_PLAIN = "default parameters", "transforms off", "given, transforms off"
MORE = 10  # times the resource limit, for the last setting of a portfolio


@dataclass(frozen=True)
class Run:
    """What is kept of an execution. `model`: the `define-fun`s of a model that holds in every clause, else empty."""

    name: str
    recipe: Recipe
    system: System
    status: Status
    verdicts: tuple[Verdict, ...]
    model: str = ""
    cost: int = 0
    command: tuple[str, ...] = ()

    def shows(self, kind: str) -> bool:
        """Whether it showed a verdict of a kind."""
        return any(verdict.kind.value == kind for verdict in self.verdicts)

    def verdict(self, kind: str) -> Verdict:
        """The first verdict of a kind that it shows."""
        return next(verdict for verdict in self.verdicts if verdict.kind.value == kind)


@dataclass(frozen=True)
class Setting:
    """Parameters to solve a mutant under, `name` in words; `factor` times the resource limit."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    factor: int = 1


class Runs:
    """Executes recipes for an examination, each once.

    What is in `without` killed an earlier process of the same examination and is not run again.
    """

    def __init__(self, pipeline: Pipeline, rlimit: int, without: Collection[str], tell: Tell) -> None:
        self.pipeline = pipeline
        self.rlimit = rlimit
        self._without = without
        self._tell = tell
        self.seed_cost: int | None = None  # set, a mutant's cost is judged beside it
        self._done: dict[tuple[bytes, int, bool], Run] = {}

    def execute(self, name: str, recipe: Recipe, second: bool = False, factor: int = 1) -> Run | None:
        """Execute a recipe, with second opinions where they are wanted; None for what killed a process before."""
        mutant = self.pipeline.mutant(recipe)
        key = (mutant.key, factor, second)
        if key not in self._done:

            def run() -> Execution:
                return self.pipeline.execute(mutant, factor * self.rlimit, self.seed_cost, second)

            execution = self.guarded(name, run, recipe)
            if execution is None:
                return None
            self.tell_of(name, execution)
            self._done[key] = _kept(name, recipe, execution)
        return self._done[key]

    def tell_of(self, name: str, execution: Execution) -> None:
        """Report an execution under a name."""
        self._tell({"run": name, **report(execution)})

    def under(self, setting: Setting, recipe: Recipe) -> Run | None:
        """Execute a recipe under other parameters."""
        return self.execute(setting.name, replace(recipe, parameters=setting.parameters), factor=setting.factor)

    def guarded(self, name: str, run: Callable[[], T], recipe: Recipe | None = None) -> T | None:
        """Do something that may kill the process; None for what did. `recipe`: what it is a death of."""
        if name in self._without:
            return None
        unit = {} if recipe is None else {"unit": base64.b64encode(encode(recipe)).decode()}
        self._tell({"begin": name, **unit})
        done = run()
        self._tell({"end": name})
        return done


def _kept(name: str, recipe: Recipe, execution: Execution) -> Run:
    """Without the Z3 context that a model holds: an examination has a hundred executions."""
    system, outcome = as_system(execution.mutant.problem), execution.outcome
    text = ""
    if execution.model_verdict is VerdictKind.PASS and outcome.model is not None:
        text = "\n".join(definitions(system, outcome.model))
    return Run(name, recipe, system, outcome.status, execution.verdicts, text, outcome.cost, outcome.command)


def portfolio(pipeline: Pipeline, recipe: Recipe) -> Iterator[Setting]:
    """Other settings for a recipe, the most telling first.

    Spacer's: the defaults, the transforms off that are known to spoil models, each supported parameter alone changed.
    For a command, its options. Last, the recipe's own with a larger limit.
    """
    given = recipe.parameters
    if given:
        yield Setting(DEFAULT, ())
    if pipeline.command is None:
        yield Setting(PLAIN, with_transforms_off())
        if given:
            yield Setting(GIVEN_PLAIN, with_transforms_off(given))
    for row in pipeline.chains.registry.parameters:
        if row.scope is not Scope.EXPERIMENTAL and row.name not in dict(given):
            for value in row.values:
                yield Setting(f"{row.name}={value}", tuple(sorted({**dict(given), row.name: value}.items())))
    yield Setting(f"{MORE} times the resource limit", given, MORE)
