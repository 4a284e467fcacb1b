"""The unit that was executed last: once libFuzzer has had its turn, its file in the corpus is checked.

libFuzzer ignores failed writes, so a full disk leaves cut files behind. A unit that libFuzzer keeps for another reason
than its trace is stored in the table of outcomes only when its file is there.
"""

from __future__ import annotations

from pathlib import Path

from chcfuzz.campaign import corpus_folder
from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.campaign.worker.executor import Executed
from chcfuzz.mutators.recipe import Unit


class LastUnit:
    """The last unit that was made here, if libFuzzer may write it to `grown`, the first corpus folder."""

    def __init__(self, context: WorkerContext) -> None:
        self._context = context
        self._grown = context.options.grown
        self._unit: Unit | None = None
        self._executed = Executed(None)

    def begin(self, unit: Unit) -> None:
        """Note that a unit is executed next, which was made here."""
        self._unit = unit
        self._executed = Executed(None)

    def executed(self, executed: Executed) -> None:
        """Note the execution of this unit; keep the unit until it is in the corpus if it opened a trace."""
        if self._unit is None:
            return
        self._executed = executed
        if executed.opened:
            self._context.session.unmerged.keep(self._unit.data)

    def take(self) -> Unit | None:
        """Return the unit once, after libFuzzer has had its turn."""
        unit, self._unit = self._unit, None
        return unit if self._grown is not None else None

    def check_written(self, unit: Unit) -> None:
        """Ensure that libFuzzer has written the unit completely; store its outcome if it was kept."""
        assert isinstance(self._grown, Path)
        executed = self._executed
        is_kept = corpus_folder.ensure_kept(self._grown, unit, self._context.options.findings, executed.opened)
        if is_kept:
            self._context.session.unmerged.merged(unit.data, self._grown)
        if is_kept and not executed.opened and executed.outcome is not None and executed.edges is not None:
            self._context.edges.restore(executed.edges)
            self._context.store(unit, executed.outcome)
            self._context.edges.clear()
