"""Coverage of a traced Z3 by a corpus, and of chcfuzz's own modules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import coverage
import numpy as np
from chcfuzz.campaign.corpus_folder import units_in
from chcfuzz.execution.pipeline import Pipeline, event_source
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.mutators.recipe import read
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing.solver_coverage import Coverage, coverage_of, load_address


def measured(corpora: Sequence[Path], solving: Solving) -> tuple[Coverage, coverage.CoverageData, int]:
    """Execute every unit; return the coverage of Z3, that of the Python modules, and the number of units.

    Raises `UsageError` if the build does not have edge counters, and if no file is a unit.
    """
    library = active().traced
    events = event_source(solving)
    if library is None or not len(events.edges.counters):
        raise UsageError("coverage needs a build with edge counters; name one with --z3-library DIR")
    files, _ = units_in(corpora)
    units = [read(file.read_bytes()) for file in files]
    pipeline = Pipeline(solving, events=events)
    reached = np.zeros(len(events.edges.counters), dtype=bool)
    python = coverage.Coverage(data_file=None, source_pkgs=["chcfuzz"])
    python.start()
    for unit in units:
        events.edges.clear()
        pipeline.execute(pipeline.mutant(unit.recipe))
        reached |= events.edges.counters > 0
    python.stop()
    pcs = events.edges.pcs - np.array([load_address(library), 0], np.uintp)
    return coverage_of(library, pcs, reached), python.get_data(), len(units)
