"""Coverage of a traced Z3 by a corpus, and of chcfuzz's own modules."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import coverage
import numpy as np
from chcfuzz.campaign.corpus_folder import units_in
from chcfuzz.execution.child_process import ChildError, ProcessExit, run_in_child
from chcfuzz.execution.console import print_error
from chcfuzz.execution.pipeline import Pipeline, event_source
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.mutators.recipe import Recipe, read
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing.solver_coverage import Coverage, coverage_of, load_address


@dataclass(frozen=True)
class Measured:
    """The coverage of Z3 and of chcfuzz's modules by `units` units. Z3 died on `died` others, which are left out."""

    solver: Coverage
    python: coverage.CoverageData
    units: int
    died: int


def measured(corpora: Sequence[Path], solving: Solving) -> Measured:
    """Execute every unit, each in a child process; a line on stderr names each unit on which Z3 dies.

    Raises `UsageError` if the build does not have edge counters, and if no file is a unit.
    """
    library = active().traced
    events = event_source(solving)
    if library is None or not len(events.edges.counters):
        raise UsageError("coverage needs a build with edge counters; name one with --z3-library DIR")
    files, _ = units_in(corpora)
    pipeline = Pipeline(solving, events=events)
    reached = np.zeros(len(events.edges.counters), dtype=bool)
    recorder = coverage.Coverage(data_file=None, source_pkgs=["chcfuzz"])
    python = coverage.CoverageData(no_disk=True)
    died = 0
    for file in files:
        unit = read(file.read_bytes())

        def execute(recipe: Recipe = unit.recipe) -> list[str]:
            events.edges.clear()
            recorder.start()
            pipeline.execute(pipeline.mutant(recipe))
            recorder.stop()
            parts = np.packbits(events.edges.counters > 0).tobytes(), recorder.get_data().dumps()
            return [base64.b64encode(part).decode() for part in parts]

        try:
            edges, lines = map(base64.b64decode, run_in_child(execute))
        except ChildError as death:
            if not ProcessExit(death.code).is_solver_death:
                raise  # chcfuzz itself failed; the child has printed the traceback
            print_error(f"chcfuzz: Z3 {death} in {str(file)!r}, which is left out")
            died += 1
            continue
        reached |= np.unpackbits(np.frombuffer(edges, np.uint8), count=len(reached)).astype(bool)
        of_unit = coverage.CoverageData(no_disk=True)
        of_unit.loads(lines)
        python.update(of_unit)
    pcs = events.edges.pcs - np.array([load_address(library), 0], np.uintp)
    return Measured(coverage_of(library, pcs, reached), python, len(files) - died, died)
