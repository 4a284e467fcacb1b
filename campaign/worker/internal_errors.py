"""Internal errors of chcfuzz: kept like findings, printed and counted, while the campaign continues.

<findings>/ours/<digest>/   the digest of the unit that caused the error
    recipe      the unit, for `chcfuzz show` and `chcfuzz replay`
    traceback   the operation, and Python's traceback
"""

from __future__ import annotations

import hashlib
import os
import traceback
from collections.abc import Callable
from typing import TypeVar

from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.execution.console import print_error
from chcfuzz.execution.files import write_folder
from chcfuzz.execution.solving import UsageError
from chcfuzz.execution.worker_pool import KilledError
from chcfuzz.mutators.recipe import digest
from chcfuzz.solvers.command import CommandError
from chcfuzz.solvers.machine_limits import MachineLimitError, limit_behind
from chcfuzz.solvers.z3_release import ReleaseError
from chcfuzz.triage.findings.store import FindingsError

T = TypeVar("T")

INTERNAL_ERROR = "internal error"  # the kind of finding that it is with --stop-on-finding
FOLDER = "ours"
# Parse errors in here are internal errors.
_OUTSIDE = (UsageError, CommandError, ReleaseError, FindingsError, KilledError, MachineLimitError)
MOST_ALIKE = 5  # internal errors that are kept from one place in the code, in one campaign


class ErrorBoundary:
    """Keeps exceptions inside: libFuzzer would report each of them as a crash of the solver.

    `discard` is called after an internal error, to undo a half-done operation.
    """

    def __init__(self, context: WorkerContext, discard: Callable[[], None]) -> None:
        self._context = context
        self._discard = discard

    def run(self, unit: bytes, doing: str, work: Callable[[], T], otherwise: T) -> T:
        """Return the result of `work` on a unit, or `otherwise` after an internal error.

        An error from outside, such as a full disk, ends the process with one line and exit code 2.
        """
        try:
            return work()
        except Exception as error:  # noqa: BLE001  every exception that is not from outside is an internal error
            self._exit_if_from_outside(error)
            self._context.counters.add(Counter.OWN_ERRORS)
            try:
                self._keep(unit, error, doing)
            except OSError as failed:
                self._exit_if_from_outside(failed)
                self._context.leave(str(FindingsError(self._context.options.findings, failed)))
        self._discard()
        return otherwise

    def _keep(self, unit: bytes, error: Exception, doing: str) -> None:
        """Write an error down and print it, if it is one of the first from its place in the code."""
        if not self._context.session.internal_errors.is_new(_place(error), digest(unit), MOST_ALIKE):
            return
        folder = self._context.options.findings / FOLDER / digest(unit)
        content = f"while {doing}\n\n{''.join(traceback.format_exception(error))}"
        write_folder(folder, {"recipe": unit, "traceback": content.encode("utf-8", "replace")})
        message = " ".join(str(error).split())[:200]
        print_error(f"chcfuzz: internal error while {doing}: {type(error).__name__}: {message}; see {folder}")

    def _exit_if_from_outside(self, error: Exception) -> None:
        reason = str(error) if isinstance(error, _OUTSIDE) else limit_behind(error)
        if reason:
            self._context.leave(reason)


def _place(error: Exception) -> str:
    """Return a hash of an error's type and of the line of code that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
    return hashlib.sha256(f"{type(error).__name__} {where}".encode()).hexdigest()[:8]
