"""What a libFuzzer process does with a unit: the pipeline, its counters, its findings. Knows nothing of Atheris."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from chcfuzz.campaign.execution import Execution, Pipeline, refusal
from chcfuzz.campaign.findings import EXIT_FINDINGS, FindingsError, FindingStore
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session import Counter, Session, UnitInWork, Worker, digest
from chcfuzz.mutators import custom
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.recipe import Recipe, decode
from chcfuzz.solvers.outcome import Status
from chcfuzz.tracing.counters import Counters
from chcfuzz.tracing.stability import Stability
from chcfuzz.tracing.trace import Trace

EXIT_STUCK = 70  # libFuzzer's own code for a timeout: `-fork` then goes on
_REMEMBERED = 20_000
_RECHECK_EVERY = 64
_STATUS_COUNTER = {
    Status.SAT: Counter.SAT,
    Status.UNSAT: Counter.UNSAT,
    Status.UNKNOWN: Counter.UNKNOWN,
    Status.LIMIT: Counter.LIMIT,
    Status.HANG: Counter.HANG,
    Status.ERROR: Counter.ERROR,
    Status.CRASH: Counter.ERROR,
}


class SolverFinding(Exception):  # noqa: N818  (libFuzzer prints the name: it is the solver's fault, not an error of ours)
    """Raised out of a fuzz target with --stop-on-finding, so that libFuzzer keeps the unit as a crash."""


@dataclass(frozen=True)
class _Remembered:
    """What an execution showed libFuzzer, to show it again without solving."""

    status: Status
    trace: Trace
