"""Internal errors of chcfuzz: kept like findings, printed and counted, while the campaign continues.

<findings>/ours/<digest>/   the digest of the unit that caused the error
    recipe      the unit, for `chcfuzz show` and `chcfuzz replay`
    traceback   the operation, and Python's traceback
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import traceback
from collections.abc import Callable
from typing import NoReturn, TypeVar

from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.worker.context import WorkerContext
from chcfuzz.execution.console import print_error
from chcfuzz.execution.exit_codes import EXIT_USAGE
from chcfuzz.execution.files import DISK_ERRORS, write_folder
from chcfuzz.execution.solving import UsageError
from chcfuzz.mutators.recipe import digest
from chcfuzz.solvers.command import CommandError
from chcfuzz.solvers.z3_release import ReleaseError
from chcfuzz.triage.findings.store import FindingsError

T = TypeVar("T")

INTERNAL_ERROR = "internal error"  # the kind of finding that it is with --stop-on-finding
FOLDER = "ours"
_OUTSIDE = (UsageError, CommandError, ReleaseError, FindingsError)  # a parse error in here is an internal error
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
        except _OUTSIDE as error:
            self._exit(str(error))
        except Exception as error:  # noqa: BLE001  every other exception is an internal error that must not be lost
            if isinstance(error, OSError) and error.errno in DISK_ERRORS:
                where = str(error.filename or os.environ.get("TMPDIR") or tempfile.gettempdir())
                self._exit(f"cannot write {where!r}: {error.strerror}; make room, or name another folder in TMPDIR")
            self._context.counters.add(Counter.OWN_ERRORS)
            self._keep(unit, error, doing)
        self._discard()
        return otherwise

    def _keep(self, unit: bytes, error: Exception, doing: str) -> None:
        """Write an error down and print it, if it is one of the first from its place in the code."""
        if not self._context.session.internal_errors.is_new(_place(error), digest(unit), MOST_ALIKE):
            return
        folder = self._context.options.findings / FOLDER / digest(unit)
        content = f"while {doing}\n\n{''.join(traceback.format_exception(error))}"
        try:
            write_folder(folder, {"recipe": unit, "traceback": content.encode("utf-8", "replace")})
        except OSError as failed:
            self._exit(str(FindingsError(folder, failed)))
        message = " ".join(str(error).split())[:200]
        print_error(f"chcfuzz: internal error while {doing}: {type(error).__name__}: {message}; see {folder}")

    def _exit(self, reason: str) -> NoReturn:
        """End this worker for a reason from outside, and blame no unit."""
        self._context.in_flight.clear()
        self._context.session.exit_reason.write(reason)
        print_error(f"chcfuzz: {reason}")
        os._exit(EXIT_USAGE)


def _place(error: Exception) -> str:
    """Return a hash of an error's type and of the line of code that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
    return hashlib.sha256(f"{type(error).__name__} {where}".encode()).hexdigest()[:8]
