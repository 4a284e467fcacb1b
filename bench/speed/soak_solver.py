"""Solver of `bench/speed/soak.py`: Spacer with faults on some systems, chosen by a hash of their text.

Before each fault it appends a line with the fault and the system's hash to the file that $SOAK_EVENTS names.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import signal
from collections.abc import Sequence
from dataclasses import replace

import z3
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.solvers.outcome import Outcome, Status

ONE_IN = 60  # systems causes a fault
KINDS = ("crash", "hang", "rubbish", "flood")
_FLOOD = 8 << 20  # bytes


class FaultySpacer(Spacer):
    """Spacer that crashes, hangs, gives the opposite answer, or floods its output on some systems."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """Solve as `Spacer.solve` does, or cause a fault."""
        digest = hashlib.sha256(text.encode()).digest()
        fault = KINDS[digest[2] % len(KINDS)] if int.from_bytes(digest[:2], "big") % ONE_IN == 0 else ""
        if fault:
            self._record(fault, digest.hex()[:16])
        if fault == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        if fault == "hang":
            with self._watchdog.guard(z3.Context()):
                while True:
                    ctypes.CDLL(None).pause()
        if fault == "flood":
            for descriptor in (1, 2):
                os.write(descriptor, b"noise\n" * (_FLOOD // 6))
        outcome = super().solve(text, parameters, rlimit)
        opposite = {Status.SAT: Status.UNSAT, Status.UNSAT: Status.SAT}
        if fault == "rubbish" and outcome.status in opposite:
            return replace(outcome, status=opposite[outcome.status], model=None)
        return outcome

    @staticmethod
    def _record(fault: str, system: str) -> None:
        with open(os.environ["SOAK_EVENTS"], "ab", buffering=0) as file:
            file.write(f"{fault} {system}\n".encode())
