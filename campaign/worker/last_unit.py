"""The unit that was executed last: once libFuzzer has had its turn, its file in the corpus is checked.

libFuzzer ignores failed writes, so a full disk leaves cut files behind. A unit that libFuzzer keeps for another reason
than its trace is stored in the table of outcomes only when its file is there.

libFuzzer may keep a mutant in place of the unit that it was mutating, its base, and then deletes the base's file
(`InputCorpus::Replace` in FuzzerCorpus.h). A base that opened a trace is therefore kept until that file was checked.
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
        self._base: Unit | None = None  # if it opened a trace, and libFuzzer may keep the unit in its place
        self._executed = Executed(None)
        self._opened: set[str] = set()  # digests of units that opened a trace, made or handed over here

    def begin(self, unit: Unit, made: Origin) -> None:
        """Note that a unit is executed next, which was made here."""
        self._unit, self._base = unit, None
        self._executed = Executed(None)
        if made.base is not None and len(made.base) > len(unit.data) and digest(made.base) in self._opened:
            self._base = Unit(made.base)
            self._context.session.unmerged.keep(made.base)

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
        """Ensure that libFuzzer has written the unit completely, and its base; store its outcome if it was kept."""
        assert isinstance(self._grown, Path)
        executed, findings, unmerged = self._executed, self._context.options.findings, self._context.session.unmerged
        if self._base is not None:
            corpus_folder.ensure_kept(self._grown, self._base, findings)
            unmerged.merged(self._base.data, self._grown)
        is_kept = corpus_folder.ensure_kept(self._grown, unit, findings, executed.opened)
        if is_kept:
            unmerged.merged(unit.data, self._grown)
        if is_kept and not executed.opened and executed.outcome is not None and executed.edges is not None:
            self._context.edges.restore(executed.edges)
            self._context.store(unit, executed.outcome)
            self._context.edges.clear()
