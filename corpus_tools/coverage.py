"""Coverage of a traced Z3 by a corpus, and of chcfuzz's own modules if that is wanted."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import coverage
import numpy as np
from chcfuzz.campaign.corpus_folder import units_in
from chcfuzz.execution.child_process import ChildError, ProcessExit, run_in_child
from chcfuzz.execution.console import print_error
from chcfuzz.execution.pipeline import Pipeline, event_source
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.mutators.recipe import read
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing.solver_coverage import Coverage, SourcePlace, coverage_of, load_address
from chcfuzz.tracing.solver_functions import edge_table, never_reached
from chcfuzz.tracing.source import TraceSource
from numpy.typing import NDArray

_BATCH = 20  # units of a child process, so that memory that Z3 leaks is returned, and an interrupt loses few

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class MeasuredCoverage:
    """The coverage of Z3 by `units` units, and that of chcfuzz's modules, which is empty unless it was measured.

    Z3 died on `died` other units, which are left out, and an interrupt left `left` units. `unreached` are the functions
    that systems can reach, and that no unit did.
    """

    solver: Coverage
    python: coverage.CoverageData
    unreached: Sequence[SourcePlace]
    units: int
    died: int
    left: int = 0


class Recorder:
    """Executes units in child processes, and adds up what they reach."""

    def __init__(self, pipeline: Pipeline, events: TraceSource, with_python: bool = False) -> None:
        """Start with nothing reached; `with_python` measures chcfuzz's own modules, too."""
        self._pipeline, self._events = pipeline, events
        self._python = coverage.Coverage(data_file=None, source_pkgs=["chcfuzz"]) if with_python else None
        self.lines = coverage.CoverageData(no_disk=True)
        self.reached = np.zeros(len(events.edges.counters), dtype=bool)
        self.died = 0

    def add_all(self, files: Sequence[Path]) -> Iterator[int]:
        """Execute files, many in one process; yield the number of those that are executed."""
        for done in range(0, len(files), _BATCH):
            self._add(files[done : done + _BATCH])
            yield min(done + _BATCH, len(files))

    def _add(self, files: Sequence[Path]) -> None:
        """Execute files in one child process; if Z3 kills it, in two halves, until only the deadly unit is left out."""
        try:
            edges, lines = map(base64.b64decode, run_in_child(lambda: self._execute(files)))
        except ChildError as death:
            if not ProcessExit(death.code).is_solver_death:
                raise  # chcfuzz itself failed; the child has printed the traceback
            if len(files) == 1:
                print_error(f"chcfuzz: Z3 {death} in {str(files[0])!r}, which is left out")
                self.died += 1
                return
            middle = len(files) // 2
            self._add(files[:middle])
            self._add(files[middle:])
            return
        self.reached |= np.unpackbits(np.frombuffer(edges, np.uint8), count=len(self.reached)).astype(bool)
        if lines:
            of_batch = coverage.CoverageData(no_disk=True)
            of_batch.loads(lines)
            self.lines.update(of_batch)

    def _execute(self, files: Sequence[Path]) -> list[str]:
        """Return what these files reach, as texts: the packed edges, and the data of coverage.py."""
        reached = np.zeros(len(self.reached), dtype=bool)
        if self._python is not None:
            self._python.start()
        for file in files:
            reached |= self._edges_of(file)
        lines = b""
        if self._python is not None:
            self._python.stop()
            lines = self._python.get_data().dumps()
        return [base64.b64encode(part).decode() for part in (np.packbits(reached).tobytes(), lines)]

    def _edges_of(self, file: Path) -> NDArray[np.bool_]:
        """Return the edges that the execution of a unit counts."""
        recipe = read(file.read_bytes()).recipe
        self._events.edges.clear()
        self._pipeline.execute(self._pipeline.mutant(recipe))
        return self._events.edges.counters > 0


def measured(
    corpora: Sequence[Path],
    solving: Solving,
    with_python: bool = False,
    on_progress: Progress = lambda _done, _total: None,
) -> MeasuredCoverage:
    """Execute every unit in a child process; a line on stderr names each unit on which Z3 dies.

    An interrupt ends the execution, and the coverage of the units before is returned, if there are any. Raises
    `UsageError` if the build does not have edge counters, and if no file is a unit.
    """
    library = active().traced
    events = event_source(solving)
    if library is None or not len(events.edges.counters):
        raise UsageError("coverage needs a build with edge counters; name one with --z3-library DIR")
    files, _ = units_in(corpora)
    recorder = Recorder(Pipeline(solving, events=events), events, with_python)
    on_progress(0, len(files))
    done = executed_until_interrupt(recorder, files, on_progress)
    pcs = events.edges.pcs - np.array([load_address(library), 0], np.uintp)
    unreached = never_reached(library, edge_table(events.edges, library), recorder.reached)
    found = coverage_of(library, pcs, recorder.reached)
    return MeasuredCoverage(found, recorder.lines, unreached, done - recorder.died, recorder.died, len(files) - done)


def executed_until_interrupt(recorder: Recorder, files: Sequence[Path], on_progress: Progress) -> int:
    """Execute files, and return their number; after an interrupt, the number of those that were executed until then.

    Raises `KeyboardInterrupt` if that is 0.
    """
    done = 0
    try:
        for done in recorder.add_all(files):
            on_progress(done, len(files))
    except KeyboardInterrupt:
        if not done:
            raise
    return done
