"""The best result of a reduction so far, and its files in the finding's folder."""

from __future__ import annotations

import time
from dataclasses import dataclass

from chcfuzz.domains.protocol import Roots
from chcfuzz.execution.files import write_whole
from chcfuzz.grammar.problem import BaseProblem, Pairs
from chcfuzz.mutators.chain import with_status
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.solvers.dialects import is_dialect_option
from chcfuzz.triage.examine.conclusion import Reproduction
from chcfuzz.triage.findings import folder as finding_folder
from chcfuzz.triage.findings.contents import INPUT
from chcfuzz.triage.findings.record import RECIPE
from chcfuzz.triage.findings.reductions import STEMS, Reduction, prefix_of, record_of, system_of
from chcfuzz.triage.findings.reproducing import reproductions
from chcfuzz.triage.findings.shell import one_line
from chcfuzz.triage.reduce.condition import ReduceError, Reducible
from chcfuzz.triage.reduce.judge import CORE, EVIDENCE, MODEL, REFUTATION, REFUTATION_SCRIPT, STEP
from chcfuzz.triage.reduce.pool import Passed
from chcfuzz.triage.shrink.explain import Replaceable
from chcfuzz.triage.shrink.result import Mode
from chcfuzz.triage.shrink.size import Size

_SECONDS_BETWEEN = 1.0  # least time between two results that are written; the last one is always written
_FILES = (RECIPE, MODEL, REFUTATION, REFUTATION_SCRIPT, CORE, EVIDENCE, STEP, INPUT)


@dataclass(frozen=True)
class Reduced:
    """The smallest system so far.

    Attributes:
        passed: The judged candidate: its parameters, and the evidence that it shows the finding.
        problem: The system.
        size: Its size.
        chain: The unit with only those steps and parameters that it needs.
        tests: Number of tests until this result was found.
        minimal: Whether no single edit of any pass leads to a smaller one.
        most: The limit on tests that stopped the reduction, if one did.
        replaceable: Constants that do not matter.
    """

    passed: Passed
    problem: BaseProblem
    size: Size
    chain: Recipe
    tests: int
    minimal: bool = False
    most: int | None = None
    replaceable: tuple[Replaceable, ...] = ()


class ResultWriter:
    """Writer of results into the finding's folder.

    Each file is written whole, and no witness is ever next to a system that it does not belong to: the record is
    removed first and written last, so if it exists, everything that it belongs to exists.
    """

    def __init__(self, finding: Reducible, mode: Mode, roots: Roots) -> None:
        """Prepare to write; the time of the reduction starts now."""
        self._finding = finding
        self._mode = mode
        self._stem = STEMS[mode]
        self._roots = roots
        self._record = finding.finding.record
        self._start = self._last = time.monotonic()
        self._on_disk: Reduced | None = None
        self._runs: tuple[Reproduction, ...] = ()  # on the last result

    def write_if_due(self, reduced: Reduced, first: Reduced) -> None:
        """Write a result, unless another one was written less than a second ago."""
        if self._on_disk is None or time.monotonic() - self._last >= _SECONDS_BETWEEN:
            self.write(reduced, first)

    def write(self, reduced: Reduced, first: Reduced) -> None:
        """Write a result; raises `ReduceError` if the folder cannot be written."""
        if reduced is self._on_disk:
            return
        where = self._finding.folder
        try:
            for name in (record_of(self._stem), *map(self._named, _FILES)):
                (where / name).unlink(missing_ok=True)
            for name, content in self._files(reduced, first).items():
                write_whole(where / name, content)
            finding_folder.rewrite(where)
        except OSError as error:
            reason = f"cannot write to {str(where)!r}: {error.strerror}"
            raise ReduceError(f"{reason}; free some space there and reduce it again") from error
        self._on_disk, self._last = reduced, time.monotonic()

    def finish(self, reduced: Reduced, first: Reduced) -> None:
        """Write the last result, with the runs of released solvers on its text; raises `ReduceError`."""
        texts = {system_of(self._stem): self._text(reduced)}
        others = finding_folder.inputs_of(self._record, reduced.problem, _shown(reduced))
        texts |= {self._named(name): text for name, text in others.items()}
        name, text = list(texts.items())[-1]  # what the solver reads in place of the system, if there is that
        self._runs = reproductions(self._record, name, text, tuple(reduced.passed.judgement.command))
        self._on_disk = None
        self.write(reduced, first)

    def _text(self, reduced: Reduced) -> str:
        """Return the text of a system with its options, as people run it."""
        judgement = reduced.passed.judgement
        text = self._roots.print(reduced.problem.with_header((), self._roots.shown_options(_shown(reduced))))
        return with_status(text, judgement.right_answer, one_line(judgement.message))

    def _named(self, name: str) -> str:
        return prefix_of(self._stem) + name

    def _files(self, reduced: Reduced, first: Reduced) -> dict[str, bytes]:
        """Return the contents of all files by name, in the order of writing."""
        judgement = reduced.passed.judgement
        parameters = reduced.passed.recipe.parameters
        others = {**judgement.files, **finding_folder.inputs_of(self._record, reduced.problem, _shown(reduced))}
        texts = {system_of(self._stem): self._text(reduced)} | {
            self._named(name): text for name, text in others.items()
        }
        record = Reduction(
            mode=self._mode,
            minimal=reduced.minimal,
            before=first.size.stored(),
            after=reduced.size.stored(),
            tests=reduced.tests,
            most=reduced.most,
            seconds=round(time.monotonic() - self._start, 3),
            parameters=dict(parameters),
            chain=tuple(step.mutation for step in reduced.chain.steps),
            words=judgement.message,
            command=tuple(judgement.command),
            replaceable=reduced.replaceable,
            reproductions=self._runs,
        )
        contents = {name: text.encode() for name, text in texts.items()}
        contents[self._named(RECIPE)] = encode(reduced.chain)
        return contents | {record_of(self._stem): record.to_json()}


def _shown(reduced: Reduced) -> Pairs:
    """Return the parameters that are not words of a command line."""
    return tuple(pair for pair in reduced.passed.recipe.parameters if not is_dialect_option(pair[0]))
