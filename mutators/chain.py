"""Application of recipes: the mutant, the promise that remains, and a description of every step."""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from chcfuzz.domains.protocol import Roots
from chcfuzz.grammar.errors import GrammarError, LimitError
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.mutators.mutation import Kind, Move, Promise
from chcfuzz.mutators.recipe import Recipe, Step, is_parameter
from chcfuzz.mutators.registry import Registry
from chcfuzz.mutators.roots import active
from chcfuzz.mutators.seeds import read_seed
from chcfuzz.solvers.dialects import is_dialect_option

MAX_NODES = 30_000  # of a mutant, as trees: a step that exceeds this is left out
MAX_GROWTH = 10_000  # nodes beyond the seed's own that are always allowed
_STATED = re.compile(r"^; The ground of the status: .*\n\(set-info :status \w+\)\n", re.MULTILINE)
_LOGIC = re.compile(r"^\(set-logic .*\)\n", re.MULTILINE)
LEAST_AGREEING = 2  # projects other than the accused one whose answer to a seed is a ground for its status
_CACHED = 4096  # prefixes of chains
_CACHED_CLAUSES = 1 << 18  # of all cached prefixes together; unchanged clauses are shared
# Milliseconds for reading a system of `corpus/lia`, and for a step: rewrites convert to Z3, interrogations run Spacer.
_READING = 3
_COSTS = {Kind.OWN: 1, Kind.REWRITE: 6, Kind.INTERROGATION: 40, Kind.PARAMETER: 0}


@dataclass(frozen=True)
class AppliedStep:
    """A step of a chain, whether it changed anything, and a description of its effect."""

    step: Step
    changed: bool
    description: str


def with_status(text: str, status: str | None, ground: str) -> str:
    """Return a text with this status and its ground in place of those that it has; None for no status."""
    rest = _STATED.sub("", text, count=1)
    if status is None:
        return rest
    logic = _LOGIC.search(rest)
    place = 0 if logic is None else logic.end()
    return f"{rest[:place]}; The ground of the status: {ground}.\n(set-info :status {status})\n{rest[place:]}"


@dataclass(frozen=True)
class _Applied:
    problem: BaseProblem
    promise: Promise
    steps: tuple[AppliedStep, ...]


@dataclass(frozen=True)
class Mutant:
    """The problem at the end of a chain and the solver parameters it is to be solved under.

    `expected` is the answer that the chain still promises, from the seed's status; None if it promises none.
    `backing` names the witness or the projects that back it, and is empty without them; `is_declared` means that only
    the text of the seed declares it. `promised_by` are the projects whose answers to the seed are the only ground for
    it, if there are several solvers. `roots` print the problem.
    """

    problem: BaseProblem
    parameters: tuple[tuple[str, str], ...]
    steps: tuple[AppliedStep, ...]
    promise: Promise
    expected: str | None
    roots: Roots
    backing: str = ""
    is_declared: bool = False
    promised_by: tuple[str, ...] = ()

    def promised_to(self, project: str) -> str | None:
        """Return the expected answer of a project's solver.

        If only answers are the ground for it, that is an answer of this project, or the one of two others.
        """
        others = set(self.promised_by) - {project}
        is_ground = not self.promised_by or project in self.promised_by or len(others) >= LEAST_AGREEING
        return self.expected if is_ground else None

    @cached_property
    def text(self) -> str:
        """Text that the solver gets, without status and options."""
        return self.roots.print(self.problem.with_header((), ()))

    @cached_property
    def key(self) -> bytes:
        """Key of the text and parameters: equal for mutants that are the same to a solver."""
        return hashlib.blake2b(f"{self.parameters}\n{self.text}".encode(), digest_size=16).digest()

    @property
    def ground(self) -> str:
        """The ground for `expected` in words; empty if only the solver under test answers it."""
        found = self.backing or ("the declaration" if self.is_declared else "")
        return f"{found} for the seed, whose status the mutations keep" if found and self.expected else ""

    def script(self, with_declared: bool = False) -> str:
        """Return a plain SMT-LIB file that shows the mutant with nothing but a solver.

        It omits options of a command, which belong on the command line. The text has a status if a witness or two
        projects back it, and `with_declared` also if its seed declares it.
        """
        shown = self.expected if self.backing or (self.is_declared and with_declared) else None
        options = tuple(pair for pair in self.parameters if not is_dialect_option(pair[0]))
        text = self.roots.print(self.problem.with_header((), self.roots.shown_options(options)))
        return with_status(text, shown, self.ground)


class Chains:
    """Applies recipes, with a cache of the most recently used prefixes of chains.

    `steps` counts the steps that were applied, `idle` those of them that changed nothing. `end_of`, if it is set,
    returns the `end_text` of a recipe that an earlier process has stored; `read` counts the chains that were read so.
    """

    def __init__(self, registry: Registry, cached: int = _CACHED, roots: Roots | None = None) -> None:
        """Prepare to apply recipes of a domain, by its roots; without these, of the domain of this process."""
        self.registry = registry
        self.roots = roots or active()
        self.end_of: Callable[[Recipe], str | None] | None = None
        self.steps = self.idle = self.read = 0
        self._most = cached
        self._known: OrderedDict[tuple[str, tuple[Step, ...]], _Applied] = OrderedDict()
        self._known_clauses = 0

    def apply(self, recipe: Recipe) -> Mutant:
        """Return the mutant of a recipe whose seed states a problem. Equal recipes have equal mutants."""
        seed = self._seed_of(recipe)
        applied = self._applied(recipe, seed)
        allowed = {name: value for name, value in recipe.parameters if is_parameter(name, value, self.roots)}
        parameters = tuple(sorted({**dict(seed.options), **allowed}.items()))
        promise = applied.promise.weakest(Promise.EQUISATISFIABLE) if recipe.parameters else applied.promise
        expected = promise.expected(seed.status)
        is_declared = expected is not None
        return Mutant(applied.problem, parameters, applied.steps, promise, expected, self.roots, "", is_declared)

    def moves(self, recipe: Recipe) -> tuple[Move, ...]:
        """Return the problems before and after every step, along which witnesses are converted."""
        prefixes = (replace(recipe, steps=recipe.steps[:length]) for length in range(len(recipe.steps) + 1))
        systems = [self.apply(prefix).problem for prefix in prefixes]
        moves = zip(systems, systems[1:], recipe.steps, strict=False)
        return tuple(Move(a, b, self.registry.get(step.mutation), step.choices, step.key) for a, b, step in moves)

    def without_idle_steps(self, recipe: Recipe) -> Recipe:
        """Return the recipe without the steps that change nothing; its mutant is the same."""
        applied = self._applied(recipe, self._seed_of(recipe))
        changed = tuple(step for step in applied.steps if step.changed)
        if len(changed) == len(recipe.steps):
            return recipe
        kept = tuple(one.step for one in changed)
        if kept and (recipe.seed, kept) not in self._known:
            self._cache((recipe.seed, kept), replace(applied, steps=changed))
        return replace(recipe, steps=kept)

    def end_text(self, recipe: Recipe) -> str | None:
        """Return the text of the problem at the end of a recipe's chain, from which that problem can be read again.

        Return None if applying the chain again costs less, or if the text reads back as another problem.
        """
        if not self._is_costly(recipe.steps):
            return None
        seed = self._seed_of(recipe)
        applied = self._applied(recipe, seed)
        if not all(step.changed for step in applied.steps):
            return None
        text = self.roots.print(applied.problem.with_header((), ()))
        return text if self._read_end(text, seed) == applied.problem else None

    def _seed_of(self, recipe: Recipe) -> BaseProblem:
        seed = read_seed(recipe.seed, self.roots)
        if seed is None:
            raise ValueError("the seed of a recipe states no problem")
        return seed

    def _read_end(self, text: str, seed: BaseProblem) -> BaseProblem | None:
        """Return the problem of an `end_text`, with the header of the seed."""
        try:
            return self.roots.parse(text, "end").with_header(seed.info, seed.options)
        except GrammarError:
            return None

    def _is_costly(self, steps: Sequence[Step]) -> bool:
        rows = (self.registry.get(step.mutation) for step in steps)
        return sum(_COSTS[row.kind] for row in rows if row is not None) > _READING

    def _stored_end(self, recipe: Recipe, seed: BaseProblem) -> _Applied | None:
        """Return the applied chain of a recipe from its stored end."""
        rows = [self.registry.get(step.mutation) for step in recipe.steps]
        text = self.end_of(recipe) if self.end_of is not None else None
        problem = None if text is None else self._read_end(text, seed)
        if problem is None:
            return None
        promise, steps = Promise.EQUIVALENT, []
        for step, row in zip(recipe.steps, rows, strict=True):
            if row is None:
                return None
            promise = promise.weakest(row.promise)
            steps.append(AppliedStep(step, True, row.summary))
        self.read += 1
        return _Applied(problem, promise, tuple(steps))

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
        is_new = done and done == len(steps) - 1  # a mutant that is made now, so its end was not stored
        if not is_new and self._is_costly(steps[done:]):
            stored = self._stored_end(recipe, seed)
            if stored is not None:
                self._cache((recipe.seed, steps), stored)
                return stored
        most = max(MAX_NODES, seed.nodes + MAX_GROWTH) if done < len(steps) else 0
        for number in range(done, len(steps)):
            applied = self._one_more(applied, steps[number], most)
            self._cache((recipe.seed, steps[: number + 1]), applied)
        return applied

    def _one_more(self, applied: _Applied, step: Step, most: int) -> _Applied:
        """Return the chain after one more step; a step that makes more than `most` nodes or exceeds a limit is idle."""
        self.steps += 1
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

    def _cache(self, key: tuple[str, tuple[Step, ...]], applied: _Applied) -> None:
        self._known[key] = applied
        self._known_clauses += len(applied.problem.formulas)
        while len(self._known) > self._most or self._known_clauses > _CACHED_CLAUSES:
            _, gone = self._known.popitem(last=False)
            self._known_clauses -= len(gone.problem.formulas)
