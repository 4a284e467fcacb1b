"""CHC systems whose traces are those of the stock package: `--domain=bench.faults.stock:STOCK`.

A build with faults is a traced build. Here its events come from Spacer's progress log, as with the stock package, and
it counts no edges. `-entropic=1` turns on the schedule of libFuzzer that campaigns have with the stock package.
"""

from __future__ import annotations

from chcfuzz.domains.chc.domain import ChcDomain
from chcfuzz.domains.chc.solvers.verbose_output import verbose_output
from chcfuzz.execution.solving import Solving
from chcfuzz.tracing.progress_log import ProgressLog
from chcfuzz.tracing.source import TraceSource


class StockDomain(ChcDomain):
    """CHC systems without the events of a traced build."""

    name = f"{__name__}:STOCK"

    def trace_source(self, solving: Solving) -> TraceSource:
        """Return the progress log, also for a traced build."""
        del solving
        return ProgressLog(verbose_output())


STOCK = StockDomain()
