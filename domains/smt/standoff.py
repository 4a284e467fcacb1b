"""Two answers that no witness decides, with as many projects for one as for the other.

The assertions that the answer unsat needs, its core, are often in fewer theories than the whole problem, so that a
third solver decides them. Without one, neither answer is accused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from chcfuzz.domains.protocol import Standoff
from chcfuzz.domains.smt.oracles import model as smt_model
from chcfuzz.domains.smt.solvers.together import project_of
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Assertion, Pairs, Problem
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles import left_open
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.solver_names import SOLVER
from chcfuzz.triage.shrink.recipe import reduce_chain

Outcomes = Mapping[str, Outcome]  # by the name of the solver
OfAll = Callable[[Problem], Outcomes]
OfOne = Callable[[str, Problem], Outcome]


@dataclass(frozen=True)
class Sides:
    """The names of the solvers that answer sat, and of those that answer unsat."""

    sat: tuple[str, ...]
    unsat: tuple[str, ...]

    @classmethod
    def of(cls, outcomes: Outcomes) -> Sides:
        """Return the sides of these outcomes."""
        return cls(_answering(outcomes, Status.SAT), _answering(outcomes, Status.UNSAT))

    @property
    def is_even(self) -> bool:
        """Whether as many projects answer sat as unsat, at least one each."""
        return len(projects(self.sat)) == len(projects(self.unsat)) > 0


def _answering(outcomes: Outcomes, status: Status) -> tuple[str, ...]:
    return tuple(name for name, outcome in outcomes.items() if outcome.status is status)


def projects(names: Sequence[str]) -> set[str]:
    """Return the solvers of these names without their releases and settings."""
    return {project_of(name) for name in names}


def standoff(problem: Problem, recipe: Recipe, tested: str, of_all: OfAll, of_one: OfOne) -> Standoff | None:
    """Return the standoff about a problem; None if the sides are not even.

    The problem gets fixed values for all that SMT-LIB leaves open, since solvers may differ there. `of_all` and
    `of_one` solve a problem under the options of the recipe; `tested` is the solver under examination.
    """
    problem = left_open.closed_problem(problem)
    sides = Sides.of(of_all(problem))
    if not sides.is_even:
        return None
    core = core_of(problem, lambda smaller: of_one(sides.unsat[0], smaller).status is Status.UNSAT)
    part = f"{len(core.assertions)} of {len(problem.assertions)} assertions"
    outcomes = of_all(core)
    holding = next((name for name, outcome in outcomes.items() if _holds(core, outcome)), None)
    if holding is not None:
        words = f"{sides.unsat[0]} answers unsat on {part}, which are true under a model of {holding}"
        return Standoff(words=words, suspect=_suspect(recipe, core, sides.unsat[0], Status.UNSAT))
    agreeing = [name for name in Sides.of(outcomes).unsat if project_of(name) not in projects(sides.unsat)]
    undecided = [name for name in Sides.of(outcomes).sat if project_of(name) not in projects(sides.sat)]
    if agreeing and not undecided:
        words = f"{' and '.join(agreeing)} answers unsat, too, on {part}"
        wrong = _suspect(recipe, problem, sides.sat[0], Status.SAT)
        return Standoff(words=words, suspect=None if tested in sides.sat else wrong)
    return Standoff((*sides.sat, *sides.unsat), "neither solver is accused")


def core_of(problem: Problem, is_unsat: Callable[[Problem], bool]) -> Problem:
    """Return the problem without the assertions that an answer unsat does not need, one by one."""

    def passes(kept: tuple[Assertion, ...]) -> bool:
        return is_unsat(problem.with_assertions(kept))

    return problem.with_assertions(reduce_chain(problem.assertions, passes))


def _holds(problem: Problem, outcome: Outcome) -> bool:
    return smt_model.check(problem, outcome).kind is VerdictKind.PASS


def _suspect(recipe: Recipe, problem: Problem, name: str, seen: Status) -> tuple[Recipe, str]:
    """Return a recipe that lets a solver solve a problem under the same options, and its answer."""
    selection: Pairs = ((SOLVER, name),)
    parameters = tuple(sorted({**dict(recipe.parameters), **dict(selection)}.items()))
    return replace(recipe, seed=print_problem(problem), steps=(), parameters=parameters), seen.value
