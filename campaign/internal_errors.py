"""An exception of ours is a finding against ourselves: kept, told, counted; and the campaign goes on.

<findings>/ours/<digest>/   the digest of the unit that brought it about
    recipe      the unit, for `chcfuzz show` and `chcfuzz replay`
    traceback   what was done, and what Python says
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, TypeVar

from chcfuzz.campaign.session import Counter, Session, Worker
from chcfuzz.execution.files import DISK_ERRORS, write_folder
from chcfuzz.execution.solving import EXIT_USAGE, UsageError
from chcfuzz.mutators.recipe import digest
from chcfuzz.solvers.command import CommandError
from chcfuzz.solvers.z3_release import ReleaseError
from chcfuzz.triage.findings.store import FindingsError

T = TypeVar("T")

OURS = "error of ours"  # the kind of finding that it is
FOLDER = "ours"
_OUTSIDE = (UsageError, CommandError, ReleaseError, FindingsError)  # a parse error inside is a bug of ours
MOST_ALIKE = 5  # kept of one place in our code, in one campaign


class Boundary:
    """Around all that a worker does with a unit: no exception leaves it. libFuzzer would call it a crash of the solver.

    `forget` is called after an error of ours, to undo what the work has half done.
    """

    def __init__(self, findings: Path, session: Session, worker: Worker, forget: Callable[[], None]) -> None:
        self._findings = findings
        self._session = session
        self._worker = worker
        self._forget = forget

    def run(self, unit: bytes, doing: str, work: Callable[[], T], otherwise: T) -> T:
        """What `work` on a unit gives; `otherwise` after an error of ours.

        An error from outside, such as a full disk, ends the process with one line and the code for bad use.
        """
        try:
            return work()
        except _OUTSIDE as error:
            self._leave(str(error))
        except Exception as error:  # noqa: BLE001  whatever it is, it is ours, and not to be lost
            if isinstance(error, OSError) and error.errno in DISK_ERRORS:
                where = str(error.filename or os.environ.get("TMPDIR") or tempfile.gettempdir())
                self._leave(f"cannot write {where!r}: {error.strerror}; make room, or name another folder in TMPDIR")
            self._worker.count(Counter.OWN_ERRORS)
            self._keep(unit, error, doing)
        self._forget()
        return otherwise

    def _keep(self, unit: bytes, error: Exception, doing: str) -> None:
        """Write it down and tell it, if it is one of the first from that place in our code."""
        if not self._session.is_new_own_error(_place(error), digest(unit), MOST_ALIKE):
            return
        folder = self._findings / FOLDER / digest(unit)
        told = f"while {doing}\n\n{''.join(traceback.format_exception(error))}"
        try:
            write_folder(folder, {"recipe": unit, "traceback": told.encode("utf-8", "replace")})
        except OSError as failed:
            self._leave(str(FindingsError(folder, failed)))
        said = " ".join(str(error).split())[:200]
        name = type(error).__name__
        print(f"chcfuzz: an error of ours ({name}: {said}) while {doing}: {folder}", file=sys.stderr, flush=True)

    def _leave(self, message: str) -> NoReturn:
        """End this worker for a reason from outside, which is told; the unit is not to blame."""
        self._worker.unit.done()
        self._session.say_why_left(message)
        print(f"chcfuzz: {message}", file=sys.stderr, flush=True)
        os._exit(EXIT_USAGE)


def _place(error: Exception) -> str:
    """A name for the kind of an error and the line of code that it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
    return hashlib.sha256(f"{type(error).__name__} {where}".encode()).hexdigest()[:8]
