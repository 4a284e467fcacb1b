"""The solver of `bench/soak.py`: Spacer, but for some systems, told by their text, of which it makes trouble.

Each time, a line in the file that $SOAK_EVENTS names says so first: what, and of which system.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import signal
from collections.abc import Sequence
from dataclasses import replace

import z3
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.spacer import Spacer

ONE_IN = 60  # systems makes trouble
KINDS = ("crash", "hang", "rubbish", "flood")
_FLOOD = 8 << 20  # bytes


class Troubled(Spacer):
    """Dies, does not come back, answers the opposite, or floods its output."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        digest = hashlib.sha256(text.encode()).digest()
        trouble = KINDS[digest[2] % len(KINDS)] if int.from_bytes(digest[:2], "big") % ONE_IN == 0 else ""
        if trouble:
            self._tell(trouble, digest.hex()[:16])
        if trouble == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        if trouble == "hang":
            with self._watchdog.guard(z3.Context()):
                while True:
                    ctypes.CDLL(None).pause()
        if trouble == "flood":
            for descriptor in (1, 2):
                os.write(descriptor, b"noise\n" * (_FLOOD // 6))
        outcome = super().solve(text, parameters, rlimit)
        opposite = {Status.SAT: Status.UNSAT, Status.UNSAT: Status.SAT}
        if trouble == "rubbish" and outcome.status in opposite:
            return replace(outcome, status=opposite[outcome.status], model=None)
        return outcome

    @staticmethod
    def _tell(trouble: str, system: str) -> None:
        with open(os.environ["SOAK_EVENTS"], "ab", buffering=0) as file:
            file.write(f"{trouble} {system}\n".encode())
