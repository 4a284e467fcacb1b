"""Numbers that the workers of a campaign count, each worker in a mapped file of its own.

A number is in the file as soon as it is counted, so it survives the death of its worker. The supervisor adds the files
of all workers up.
"""

from __future__ import annotations

import enum
import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from chcfuzz.campaign.session.shared import mapped
from numpy.typing import NDArray

_TABLE = "counters"


class Counter(enum.IntEnum):
    """Index of a number in a worker's table; times are in nanoseconds."""

    EXECUTIONS = 0
    SAT = enum.auto()
    UNSAT = enum.auto()
    UNKNOWN = enum.auto()
    LIMIT = enum.auto()
    HANG = enum.auto()
    ERROR = enum.auto()
    UNSUPPORTED = enum.auto()  # systems outside the solver's dialect
    REPEATED = enum.auto()  # cached outcomes: equal to an earlier execution, or stored by an import
    IDLE = enum.auto()  # mutation steps that changed nothing
    STEPS = enum.auto()  # mutation steps that were applied; a chain that is mutated after a restart is applied again
    READ = enum.auto()  # chains whose end was read instead
    REFUSED = enum.auto()  # rejected units: text that does not state a CHC system, damaged recipes
    FAILED = enum.auto()  # executions that an internal error ended
    RECHECKED = enum.auto()  # executions run a second time to measure stability
    STABLE = enum.auto()  # rechecked executions with the same trace
    CUT_TRACES = enum.auto()
    MODELS = enum.auto()  # models checked
    MODELS_UNDECIDED = enum.auto()
    MODELS_IN_PART = enum.auto()  # the check of all clauses would cost more than solving
    PROOFS = enum.auto()  # derivations checked
    PROOFS_UNDECIDED = enum.auto()
    SECOND_OPINIONS = enum.auto()
    SECOND_UNDECIDED = enum.auto()
    CONTRADICTING = enum.auto()  # answers that contradict the promise of the chain
    CONTRADICTING_SUSPECTED = enum.auto()  # contradicting answers that became a suspicion
    SUSPICIONS = enum.auto()  # verdicts that may be findings
    OWN_ERRORS = enum.auto()  # internal errors of chcfuzz
    MUTANTS = enum.auto()  # units that were made here and solved
    OBSERVED = enum.auto()  # mutants that were made here and solved, whose traces `session.sightings` counts
    OTHER_ROOTS = enum.auto()  # mutants with another root than the unit that they were made of, if there is a model
    MODEL_ROOTS = enum.auto()  # those of OTHER_ROOTS whose root the model drew
    SOLVER_WORK = enum.auto()  # the solver's resource count, which does not depend on the load of the machine
    SOLVER_TIME = enum.auto()
    DEFAULT_TIME = enum.auto()  # the part of SOLVER_TIME under default parameters
    SWITCH_TIME = enum.auto()  # the part of SOLVER_TIME under one switch that is supported
    MUTATE_TIME = enum.auto()  # the custom mutator
    DECODE_TIME = enum.auto()  # bytes to a recipe, with its seed parsed
    APPLY_TIME = enum.auto()  # applying the chain
    PRINT_TIME = enum.auto()
    CHECK_TIME = enum.auto()
    TRACE_TIME = enum.auto()
    CONFIRM_TIME = enum.auto()
    CACHE_TIME = enum.auto()  # the table of outcomes
    LEARN_TIME = enum.auto()  # crediting rows with executions
    RECHECK_TIME = enum.auto()  # making a mutant again to recheck it
    FREE_TIME = enum.auto()  # freeing the solver's context and model
    LIBFUZZER_TIME = enum.auto()  # between two calls of libFuzzer
    OTHER_TIME = enum.auto()
    WALL_TIME = enum.auto()  # from the worker's first execution to its latest: the sum of the times above
    RESULT = enum.auto()  # answers that are terms
    STEPS_JUDGED = enum.auto()  # executions whose solver steps were judged in a repeated run
    STEPS_UNDECIDED = enum.auto()  # those without a step that is right or wrong, and those that are unstable
    STEPS_UNSTABLE = enum.auto()  # those whose repeated run had another trace
    RESERVE_ANSWERS = enum.auto()  # answers that nothing else decides
    RESERVE_QUERIED = enum.auto()  # those for which solvers in reserve were queried
    RESERVE_DECIDED = enum.auto()
    RESERVE_TIME = enum.auto()  # the part of CHECK_TIME that these solvers took
    READ_AGAIN = enum.auto()  # executions of the empty unit, and of units of the corpus that a worker had executed


class WorkerCounters:
    """Numbers of this process."""

    def __init__(self, folder: Path) -> None:
        """Map the table of this process in a session's folder."""
        self._table = mapped(worker_file(folder, os.getpid(), _TABLE), np.int64, len(Counter))

    def add(self, counter: Counter, amount: int | bool = 1) -> None:
        """Add to a number; the supervisor sees it at once."""
        self._table[counter] += amount

    def set(self, counter: Counter, value: int) -> None:
        """Replace a number."""
        self._table[counter] = value


class CounterTables:
    """Tables of numbers of all workers of a session, dead or alive."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def totals(self) -> NDArray[np.int64]:
        """Return the sums over all workers; index them with `Counter`."""
        return self.sum_of(_TABLE, len(Counter))

    def sum_of(self, table: str, size: int) -> NDArray[np.int64]:
        """Return the sum of the files `worker-<pid>.<table>`, each of which holds `size` int64 numbers."""
        return _sum(self._folder.glob(f"worker-*.{table}"), size)

    def of_workers(self, workers: Iterable[int], counter: Counter) -> int:
        """Return the sum of one number over these processes."""
        files = (worker_file(self._folder, worker, _TABLE) for worker in workers)
        return int(_sum((file for file in files if file.exists()), len(Counter))[counter])


def _sum(files: Iterable[Path], size: int) -> NDArray[np.int64]:
    """Return the sum of these files; a shorter one is still being created, or a full disk had no room for it."""
    total = np.zeros(size, dtype=np.int64)
    for file in files:
        row = np.fromfile(file, dtype=np.int64)
        if len(row) == size:
            total += row
    return total


def worker_file(folder: Path, pid: int, table: str) -> Path:
    """Return the path of a worker's own file in a session's folder."""
    return folder / f"worker-{pid}.{table}"
