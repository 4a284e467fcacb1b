"""A recipe, applied: its mutant, what it still promises, and what every step did."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from chcfuzz.grammar.errors import LimitError
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.mutators.mutation import Move, Promise
from chcfuzz.mutators.recipe import Recipe, Step, is_parameter
from chcfuzz.mutators.registry import Registry
from chcfuzz.mutators.roots import active
from chcfuzz.mutators.seeds import read_seed
from chcfuzz.solvers.dialects import is_dialect_option

MAX_NODES = 30_000  # of a mutant, as trees: a step that makes more is left out, but
MAX_GROWTH = 10_000  # so many nodes may always come to a seed's own
_REMEMBERED = 8192  # prefixes of chains,
_REMEMBERED_CLAUSES = 1 << 18  # and so many clauses of theirs together: what a step leaves alone is shared


@dataclass(frozen=True)
class AppliedStep:
    """A step of a chain and whether it changed anything; `words` says what it does."""

    step: Step
    changed: bool
    words: str


@dataclass(frozen=True)
class _Applied:
    problem: BaseProblem
    promise: Promise
    steps: tuple[AppliedStep, ...]


@dataclass(frozen=True)
class Mutant:
    """The problem at the end of a chain and the solver parameters it is to be solved under.

    `expected` is the answer that the chain still promises, from the seed's status; None if it promises none.
    """

    problem: BaseProblem
    parameters: tuple[tuple[str, str], ...]
    steps: tuple[AppliedStep, ...]
    promise: Promise
    expected: str | None

    @cached_property
    def text(self) -> str:
        """What the solver gets: no status, no options."""
        return active().print(self.problem.with_header((), ()))

    @cached_property
    def key(self) -> bytes:
        """Equal for mutants that a solver cannot tell apart: same text, same parameters."""
        return hashlib.blake2b(f"{self.parameters}\n{self.text}".encode(), digest_size=16).digest()

    def script(self) -> str:
        """A plain SMT-LIB file that shows the mutant with nothing but a solver.

        Options of a command stand on its command line, not here.
        """
        info = (("status", self.expected),) if self.expected else ()
        options = tuple(pair for pair in self.parameters if not is_dialect_option(pair[0]))
        return active().print(self.problem.with_header(info, options))


def _seed_of(recipe: Recipe) -> BaseProblem:
    seed = read_seed(recipe.seed)
    if seed is None:
        raise ValueError("the seed of a recipe states no problem")
    return seed


class Chains:
    """Applies recipes; prefixes of chains and what they lead to are remembered, `remembered` of them, those used last.

    `idle` counts the steps so far that were applied and changed nothing.
    """

    def __init__(self, registry: Registry, remembered: int = _REMEMBERED) -> None:
        self.registry = registry
        self.idle = 0
        self._remembered = remembered
        self._known: OrderedDict[tuple[str, tuple[Step, ...]], _Applied] = OrderedDict()
        self._known_clauses = 0

    def apply(self, recipe: Recipe) -> Mutant:
        """The mutant of a recipe whose seed states a system. Equal recipes have equal mutants."""
        seed = _seed_of(recipe)
        applied = self._applied(recipe, seed)
        allowed = {name: value for name, value in recipe.parameters if is_parameter(name, value)}
        parameters = tuple(sorted({**dict(seed.options), **allowed}.items()))
        promise = applied.promise.weakest(Promise.EQUISATISFIABLE) if recipe.parameters else applied.promise
        return Mutant(applied.problem, parameters, applied.steps, promise, promise.expected(seed.status))

    def moves(self, recipe: Recipe) -> tuple[Move, ...]:
        """What every step makes of the system before it: what `mutators.carry` takes a witness along."""
        prefixes = (replace(recipe, steps=recipe.steps[:length]) for length in range(len(recipe.steps) + 1))
        systems = [self.apply(prefix).problem for prefix in prefixes]
        moves = zip(systems, systems[1:], recipe.steps, strict=False)
        return tuple(Move(a, b, self.registry.get(step.mutation), step.choices, step.key) for a, b, step in moves)

    def without_idle_steps(self, recipe: Recipe) -> Recipe:
        """The recipe without the steps that change nothing; its mutant is the same."""
        applied = self._applied(recipe, _seed_of(recipe))
        changed = tuple(step for step in applied.steps if step.changed)
        if len(changed) == len(recipe.steps):
            return recipe
        kept = tuple(one.step for one in changed)
        if kept and (recipe.seed, kept) not in self._known:
            self._remember((recipe.seed, kept), replace(applied, steps=changed))
        return replace(recipe, steps=kept)

    def _applied(self, recipe: Recipe, seed: BaseProblem) -> _Applied:
        steps = recipe.steps
        done = len(steps)
        while done and (recipe.seed, steps[:done]) not in self._known:
            done -= 1
        if done:
            applied = self._known[recipe.seed, steps[:done]]
            self._known.move_to_end((recipe.seed, steps[:done]))
        else:
            applied = _Applied(seed, Promise.EQUIVALENT, ())
        most = max(MAX_NODES, seed.nodes + MAX_GROWTH) if done < len(steps) else 0
        for number in range(done, len(steps)):
            applied = self._one_more(applied, steps[number], most)
            self._remember((recipe.seed, steps[: number + 1]), applied)
        return applied

    def _one_more(self, applied: _Applied, step: Step, most: int) -> _Applied:
        """Return the chain after one more step; a step that makes more than `most` nodes or exceeds a limit is idle."""
        mutation = self.registry.get(step.mutation)
        if mutation is None:
            idle = AppliedStep(step, False, "unknown here, left out")
            return replace(applied, steps=(*applied.steps, idle))
        problem: BaseProblem | None = None
        with suppress(LimitError):
            problem = mutation.rewrite(applied.problem, step.decisions())
        if problem is None or problem.nodes > most:
            self.idle += 1
            idle = AppliedStep(step, False, f"{mutation.summary}: changes nothing")
            return replace(applied, steps=(*applied.steps, idle))
        steps = (*applied.steps, AppliedStep(step, True, mutation.summary))
        return _Applied(problem, applied.promise.weakest(mutation.promise), steps)

    def _remember(self, key: tuple[str, tuple[Step, ...]], applied: _Applied) -> None:
        self._known[key] = applied
        self._known_clauses += len(applied.problem.formulas)
        while len(self._known) > self._remembered or self._known_clauses > _REMEMBERED_CLAUSES:
            _, gone = self._known.popitem(last=False)
            self._known_clauses -= len(gone.problem.formulas)
