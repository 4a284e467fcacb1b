"""The unit that was executed last: once libFuzzer has had its turn, its file in the corpus is checked.

libFuzzer ignores failed writes, so a full disk leaves cut files behind. A unit that libFuzzer keeps for another reason
than its trace is stored in the table of outcomes only when its file is there. When libFuzzer keeps a mutant in the
place of the larger unit that it mutated (`InputCorpus::Replace` in FuzzerCorpus.h), it deletes the file of that unit;
if that unit opened a trace, its file is written again.
"""

from __future__ import annotations

from pathlib import Path

from chcfuzz.campaign import corpus_folder
from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.campaign.worker.executor import Executed
from chcfuzz.campaign.worker.made_units import Origin
from chcfuzz.mutators.recipe import Unit, digest


class LastUnit:
    """The last unit that was made here, if libFuzzer may write it to `grown`, the first corpus folder."""

    def __init__(self, context: WorkerContext) -> None:
        self._context = context
        self._grown = context.options.grown
        self._unit: Unit | None = None
        self._base: bytes | None = None  # the unit of the corpus that it mutates
        self._executed = Executed(None)
        self._opened: set[str] = set()  # digests of units that opened a trace, made or handed over here

    def begin(self, unit: Unit, made: Origin) -> None:
        """Note that a unit is executed next, which was made here."""
        self._unit, self._base = unit, made.base
        self._executed = Executed(None)

    def executed(self, executed: Executed) -> None:
        """Note the execution of this unit; keep the unit until it is in the corpus if it opened a trace."""
        if self._unit is None:
            return
        self._executed = executed
        if executed.opened:
            self.opened(self._unit.data)
            self._context.session.unmerged.keep(self._unit.data)

    def opened(self, data: bytes) -> None:
        """Note a unit that opened a trace: it stays in the corpus."""
        self._opened.add(digest(data))

    def take(self) -> Unit | None:
        """Return the unit once, after libFuzzer has had its turn."""
        unit, self._unit = self._unit, None
        return unit if self._grown is not None else None

    def check_written(self, unit: Unit) -> None:
        """Ensure that libFuzzer has written the unit completely; store its outcome if it was kept."""
        assert isinstance(self._grown, Path)
        executed, findings = self._executed, self._context.options.findings
        is_kept = corpus_folder.ensure_kept(self._grown, unit, findings, executed.opened)
        if is_kept:
            self._context.session.unmerged.merged(unit.data, self._grown)
            if self._base is not None and digest(self._base) in self._opened:
                corpus_folder.ensure_kept(self._grown, Unit(self._base), findings)
        if is_kept and not executed.opened and executed.outcome is not None and executed.edges is not None:
            self._context.edges.restore(executed.edges)
            self._context.store(unit, executed.outcome)
            self._context.edges.clear()
