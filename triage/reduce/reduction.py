"""A finding made small: `chcfuzz reduce`. Parameters towards their defaults, then the chain, then the system itself.

Every candidate shows the finding again, by its own witness and for the same cause (`reduce_judge`), in a process that
it may take along (`reduce_worker`). What has been reached is written into the finding's folder as it gets smaller:
whenever the reduction is stopped, the best so far is there.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from chcfuzz.execution.files import write_whole
from chcfuzz.grammar.parse import parse
from chcfuzz.grammar.printer import print_system
from chcfuzz.grammar.system import System
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.solvers.dialects import is_command_option
from chcfuzz.triage.findings import folder
from chcfuzz.triage.reduce.condition import Finding, ReduceError
from chcfuzz.triage.reduce.judge import EVIDENCE, MODEL, REFUTATION, REFUTATION_SCRIPT, STEP
from chcfuzz.triage.reduce.pool import Panel, Passed
from chcfuzz.triage.shrink.passes import Mode, measured, shrink
from chcfuzz.triage.shrink.proof import proves_equivalent
from chcfuzz.triage.shrink.recipe import reduce_chain, reduce_parameters
from chcfuzz.triage.shrink.search import Counts
from chcfuzz.triage.shrink.size import Size

FORMAT = "chcfuzz-reduced 1"
_SECONDS_BETWEEN = 1.0  # that two results are written apart, at least; the last one always is
_BESIDE = ("reduced.json", "reduced-recipe", MODEL, REFUTATION, REFUTATION_SCRIPT, EVIDENCE, STEP)


class GoneError(ReduceError):
    """The finding does not show any more."""


class _EnoughError(Exception):
    """As many tests were asked as may be."""


@dataclass(frozen=True)
class Reduced:
    """The smallest so far: `system` under the parameters of `passed.recipe`, and how it shows the finding.

    `chain` is the unit with the steps and parameters that it needs; `tests` were asked until now. `minimal`: no single
    edit of any kind leads to a smaller one. `most`: after so many tests the reduction was stopped.
    """

    passed: Passed
    system: System
    size: Size
    chain: Recipe
    tests: int
    minimal: bool = False
    most: int | None = None


Told = Callable[[Reduced, int, int], None]  # the best, tests asked, tests passed


class Reduction:
    """One reduction. `best` holds what has been reached, `first` what it began with, None before `run`."""

    def __init__(
        self,
        finding: Finding,
        panel: Panel,
        mode: Mode,
        jobs: int,
        told: Told,
        into: Written,
        most: int | None = None,
    ) -> None:
        """It stops after `most` tests."""
        self._finding = finding
        self._panel = panel
        self._mode = mode
        self._jobs = jobs
        self._told = told
        self._into = into
        self._most = most
        self._asked = self._passed = 0
        self.first: Reduced | None = None
        self.best: Reduced | None = None

    def run(self) -> Reduced:
        """Reduce to the end, and write the result down as it gets smaller; `write` sees to the last one.

        Raises `GoneError` for a finding that does not show any more, and `ReduceError` where nothing can be written or
        no process judges.
        """
        passed, why = self._panel.judged(self._finding.recipe)
        if passed is None:
            raise GoneError(f"{str(self._finding.folder)!r} does not show any more: {why}")
        self._took(passed, passed.recipe)
        self.first = self.best
        assert self.best is not None
        try:
            self._parameters(passed.recipe)
            self._chain(self.best.chain)
            self._system(self.best)
        except _EnoughError:
            self.best = replace(self.best, most=self._most)
        return self.best

    def write(self) -> None:
        """Write the best down if it is not yet; raises `ReduceError` where that cannot be."""
        if self.best is not None and self.first is not None:
            self._into.write(self.best, self.first)

    def _parameters(self, recipe: Recipe) -> None:
        reduce_parameters(
            recipe.parameters, lambda kept: self._keeps(replace(recipe, parameters=kept)), self._panel.defaults
        )

    def _chain(self, recipe: Recipe) -> None:
        reduce_chain(recipe.steps, lambda kept: self._keeps(replace(recipe, steps=kept)))

    def _keeps(self, recipe: Recipe) -> bool:
        """Whether a smaller recipe shows the finding: then it is the best, since only smaller ones are asked about."""
        self._see_bound()
        passed, _ = self._panel.judged(recipe)
        self._asked += 1
        if passed is not None:
            self._passed += 1
            self._took(passed, recipe)
        return passed is not None

    def _took(self, passed: Passed, chain: Recipe) -> None:
        system = parse(passed.system, "mutant")
        self._improved(Reduced(passed, system, measured(system), chain, self._asked))

    def _system(self, best: Reduced) -> None:
        same = None
        if self._mode is Mode.EQUIVALENT:
            same = proves_equivalent(best.system)
        passed = {print_system(best.system): best.passed}
        first = self._panel.first(best.passed.recipe.parameters, passed)
        asked, ok = self._asked, self._passed

        def told(counts: Counts) -> None:
            self._asked, self._passed = asked + counts.asked, ok + counts.passed
            self._see_bound()
            if self.best is not None:
                self._told(self.best, self._asked, self._passed)

        for found in shrink(best.system, first, mode=self._mode, same=same, width=self._jobs, told=told):
            shown = passed[print_system(found.system)]
            passed.clear()
            passed[print_system(found.system)] = shown
            tests = asked + found.counts.asked
            self._improved(Reduced(shown, found.system, found.size, best.chain, tests, found.minimal))

    def _see_bound(self) -> None:
        if self._most is not None and self._asked >= self._most:
            raise _EnoughError

    def _improved(self, reduced: Reduced) -> None:
        self.best = reduced
        self._told(reduced, self._asked, self._passed)
        if self.first is not None:
            self._into.improved(reduced, self.first)


class Written:
    """What is written into the finding's folder: each file whole, a witness never beside another system than its own.

    `reduced.json` is written last, and taken away first: where it lies, all that it belongs to does.
    """

    def __init__(self, finding: Finding, mode: Mode) -> None:
        self._finding = finding
        self._mode = mode
        self._start = self._last = time.monotonic()
        self._on_disk: Reduced | None = None

    def improved(self, reduced: Reduced, first: Reduced) -> None:
        """Write a result, unless another one was written just now."""
        if self._on_disk is None or time.monotonic() - self._last >= _SECONDS_BETWEEN:
            self.write(reduced, first)

    def write(self, reduced: Reduced, first: Reduced) -> None:
        """Write a result; raises `ReduceError` where the folder cannot be written."""
        if reduced is self._on_disk:
            return
        where = self._finding.folder
        try:
            for name in _BESIDE:
                (where / name).unlink(missing_ok=True)
            for name, content in self._files(reduced, first).items():
                write_whole(where / name, content)
            folder.rewrite(where)
        except OSError as error:
            reason = f"cannot write to {str(where)!r}: {error.strerror}"
            raise ReduceError(f"{reason}; make room there, and reduce it again") from error
        self._on_disk, self._last = reduced, time.monotonic()

    def _files(self, reduced: Reduced, first: Reduced) -> dict[str, bytes]:
        """In the order in which they are written."""
        info = () if reduced.passed.judged.right is None else (("status", reduced.passed.judged.right),)
        parameters = reduced.passed.recipe.parameters
        options = tuple(pair for pair in parameters if not is_command_option(pair[0]))
        texts = {"reduced.smt2": print_system(replace(reduced.system, info=info, options=options))}
        texts |= reduced.passed.judged.files
        record: dict[str, Any] = {
            "format": FORMAT,
            "mode": self._mode.value,
            "minimal": reduced.minimal,
            "before": first.size._asdict(),
            "after": reduced.size._asdict(),
            "tests": reduced.tests,
            "most": reduced.most,
            "seconds": round(time.monotonic() - self._start, 3),
            "parameters": dict(parameters),
            "chain": [step.mutation for step in reduced.chain.steps],
            "words": reduced.passed.judged.words,
            "command": list(reduced.passed.judged.command),
        }
        contents = {name: text.encode() for name, text in texts.items()}
        contents["reduced-recipe"] = encode(reduced.chain)
        return contents | {"reduced.json": (json.dumps(record, indent=2) + "\n").encode()}


def reduced_record(folder: Path) -> dict[str, Any] | None:
    """What was written of a finding's reduction (`reduced.json`); None where nothing is. Raises `ReduceError`."""
    path = folder / "reduced.json"
    try:
        record: dict[str, Any] = json.loads(path.read_text())
        if record["format"] == FORMAT:
            return record
        reason = f"is not of the format {FORMAT!r}"
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = f"cannot be read ({error})"
    raise ReduceError(f"{str(path)!r} {reason}; remove it, and reduce the finding again")


def line(first: Reduced, best: Reduced) -> str:
    """For people, on one line."""
    return f"reduced: {in_words(first.size)} -> {in_words(best.size)} in {best.tests} tests"


def in_words(size: Size) -> str:
    """What people look at first."""
    return f"{size.clauses} clause{'' if size.clauses == 1 else 's'}, {size.nodes} nodes"
