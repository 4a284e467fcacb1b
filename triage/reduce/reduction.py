"""Reduce a finding: parameters towards their defaults, then the chain, then the system itself.

Every candidate shows the finding again, by a witness of its own and for the same cause (`judge`). A candidate runs in a
process that it may crash (`worker`). The best result so far is written to the finding's folder as it gets smaller, so
it exists however the reduction ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from chcfuzz.domains.protocol import Domain
from chcfuzz.execution.domain import load
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printable import counted
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.triage.findings.record import Finding
from chcfuzz.triage.reduce.condition import ReduceError, Reducible, read_finding
from chcfuzz.triage.reduce.pool import JudgePool, Passed
from chcfuzz.triage.reduce.result_writer import Reduced, ResultWriter
from chcfuzz.triage.shrink.explain import replaceable
from chcfuzz.triage.shrink.recipe import Parameters, reduce_chain, reduce_parameters
from chcfuzz.triage.shrink.result import Mode
from chcfuzz.triage.shrink.search import CandidateCounts
from chcfuzz.triage.shrink.size import Size

IsEnough = Callable[[BaseProblem], bool]  # whether a reduction may stop at a system


class GoneError(ReduceError):
    """The finding cannot be reproduced."""


class _EnoughError(Exception):
    """The system is small enough."""


class _TestLimitError(Exception):
    """The limit on the number of tests is reached."""


@dataclass(frozen=True)
class ReduceOptions:
    """Mode of a reduction, number of candidates judged in parallel, and limit on tests (None: no limit).

    `is_enough` ends the reduction at the first system for which it is true, after parameters and chain are reduced.
    """

    mode: Mode = Mode.FINDING
    jobs: int = 1
    max_tests: int | None = None
    is_enough: IsEnough | None = None


@dataclass(frozen=True)
class ReductionResult:
    """Sizes before and after a reduction, and how it ended."""

    before: Size
    best: Reduced

    @property
    def summary(self) -> str:
        """Sizes and number of tests on one line."""
        sizes = f"{size_summary(self.before)} -> {size_summary(self.best.size)}"
        text = f"reduced: {sizes} in {counted(self.best.tests, 'test')}"
        return text if self.best.most is None else f"{text}; stopped after {self.best.most}"


Progress = Callable[[Reduced, int, int], None]  # the best result, number of tests, number of tests that passed


class Reducer:
    """One reduction of a finding.

    `best` is the best result so far, and `first` the result that it started with; before `run`, both equal None.
    """

    def __init__(
        self,
        finding: Reducible,
        pool: JudgePool,
        domain: Domain,
        options: ReduceOptions,
        on_progress: Progress,
    ) -> None:
        """Prepare to reduce a finding; `on_progress` is called after each test."""
        self._finding = finding
        self._pool = pool
        self._options = options
        self._on_progress = on_progress
        self._domain = domain
        self._writer = ResultWriter(finding, options.mode, domain.roots)
        self._tests = self._passed = 0
        self.first: Reduced | None = None
        self.best: Reduced | None = None

    def run(self) -> ReductionResult:
        """Reduce until nothing gets smaller, or until the limit on tests; intermediate results are written.

        Raises `GoneError` if the finding cannot be reproduced, and `ReduceError` if the folder cannot be written.
        """
        passed, reason = self._pool.judge(self._finding.recipe)
        if passed is None:
            raise GoneError(f"{str(self._finding.folder)!r} cannot be reproduced: {reason}")
        first = self.first = self._accept(passed, passed.recipe)
        try:
            self._reduce_parameters(first.chain)
            self._reduce_chain((self.best or first).chain)
            self._reduce_system(self.best or first)
            self._explain(self.best or first)
        except _TestLimitError:
            self.best = replace(self.best or first, most=self._options.max_tests)
        except _EnoughError:
            pass  # `best` is the system
        best = self.best = self.best or first
        self._writer.finish(best, first)
        return ReductionResult(first.size, best)

    def write(self) -> None:
        """Write the best result, unless it is written already. Raises `ReduceError` if that fails."""
        if self.best is not None and self.first is not None:
            self._writer.write(self.best, self.first)

    def _reduce_parameters(self, recipe: Recipe) -> None:
        def passes(kept: Parameters) -> bool:
            return self._passes(replace(recipe, parameters=tuple(sorted((*recipe.selection, *kept)))))

        reduce_parameters(recipe.options, passes, self._pool.defaults)

    def _reduce_chain(self, recipe: Recipe) -> None:
        reduce_chain(recipe.steps, lambda kept: self._passes(replace(recipe, steps=kept)))

    def _passes(self, recipe: Recipe) -> bool:
        """Judge a smaller recipe; one that passes becomes the best."""
        self._check_limit()
        passed, _ = self._pool.judge(recipe)
        self._tests += 1
        if passed is not None:
            self._passed += 1
            self._accept(passed, recipe)
        return passed is not None

    def _accept(self, passed: Passed, chain: Recipe) -> Reduced:
        problem = self._domain.roots.parse(passed.system, "mutant")
        return self._improve(Reduced(passed, problem, self._domain.size(problem), chain, self._tests))

    def _reduce_system(self, best: Reduced) -> None:
        printed = self._domain.roots.print
        self._check_enough(best.problem)
        passed = {printed(best.problem): best.passed}
        test = self._pool.test(best.passed.recipe.parameters, passed)
        tests_before, passed_before = self._tests, self._passed

        def count(counts: CandidateCounts) -> None:
            self._tests, self._passed = tests_before + counts.tested, passed_before + counts.passed
            self._check_limit()
            if self.best is not None:
                self._on_progress(self.best, self._tests, self._passed)

        for found in self._domain.shrink(best.problem, test, self._options.mode, count):
            text = printed(found.system)
            shown = passed[text]
            passed.clear()  # candidates that are no longer the best
            passed[text] = shown
            tests = tests_before + found.counts.tested
            self._improve(Reduced(shown, found.system, found.size, best.chain, tests, found.minimal))
            if not found.minimal:
                self._check_enough(found.system)

    def _explain(self, best: Reduced) -> None:
        """Find the constants of the minimal system that do not matter; the limit on tests ends this, too."""
        if not best.minimal or self._options.mode is not Mode.FINDING:
            return
        tried = 0

        def passes(problem: BaseProblem) -> bool:
            nonlocal tried
            tried += 1
            most = self._options.max_tests
            if most is not None and self._tests + tried > most:
                return False
            seed = self._domain.roots.print(problem)
            return self._pool.judge(replace(best.passed.recipe, seed=seed, steps=()))[0] is not None

        self.best = replace(best, replaceable=tuple(replaceable(best.problem, passes)))

    def _check_enough(self, problem: BaseProblem) -> None:
        if self._options.is_enough is not None and self._options.is_enough(problem):
            raise _EnoughError

    def _check_limit(self) -> None:
        if self._options.max_tests is not None and self._tests >= self._options.max_tests:
            raise _TestLimitError

    def _improve(self, reduced: Reduced) -> Reduced:
        self.best = reduced
        self._on_progress(reduced, self._tests, self._passed)
        if self.first is not None:
            self._writer.write_if_due(reduced, self.first)
        return reduced


@contextmanager
def open_reducer(
    finding: Reducible, solving: Solving, options: ReduceOptions, on_progress: Progress = lambda *_: None
) -> Iterator[Reducer]:
    """Yield the reducer of a finding with its pool of processes.

    Leaving the `with` block in any way writes the best result and ends the processes. Raises `ReduceError` for a mode
    that the domain does not support.
    """
    domain = load(solving.domain)
    if options.mode not in domain.modes:
        raise ReduceError(f"{domain.roots.noun}s have no --mode {options.mode.value}; leave it out")
    with JudgePool(finding.condition, solving, options.jobs) as pool:
        reducer = Reducer(finding, pool, domain, options, on_progress)
        try:
            yield reducer
        finally:
            reducer.write()


def is_reduced(folder: Path, max_tests: int) -> bool:
    """Return whether an earlier reduction got as far as one with `max_tests` tests; raises `ChcfuzzError`."""
    before = Finding.read(folder).reduction
    return before is not None and (before.minimal or (before.most or 0) >= max_tests)


def reduce_at_most(
    folder: Path, solving: Solving, max_tests: int, is_enough: IsEnough | None = None
) -> ReductionResult | None:
    """Reduce the finding in a folder with at most `max_tests` tests; None if an earlier reduction got as far.

    `is_enough` ends the reduction early (`ReduceOptions`).
    Raises `ReduceError` if it cannot be reproduced or reduced, and `ChcfuzzError` if it cannot be read. The best result
    is written in any case.
    """
    if is_reduced(folder, max_tests):
        return None
    options = ReduceOptions(max_tests=max_tests, is_enough=is_enough)
    with open_reducer(read_finding(folder), solving, options) as reducer:
        return reducer.run()


def try_to_reduce(
    folder: Path, solving: Callable[[], Solving], max_tests: int, is_enough: IsEnough | None = None
) -> str | None:
    """Do as `reduce_at_most`, and return one line on the result or on the error; None if there was nothing to do.

    `solving` raises `ChcfuzzError` if the finding needs code that the user did not allow.
    """
    try:
        result = None if is_reduced(folder, max_tests) else reduce_at_most(folder, solving(), max_tests, is_enough)
    except ChcfuzzError as error:
        return f"not reduced: {error}"
    return None if result is None else result.summary


def size_summary(size: Size) -> str:
    """Return the numbers of formulas (clauses or assertions) and nodes as text."""
    return f"{counted(size.clauses, 'formula')}, {counted(size.nodes, 'node')}"
