"""The exit of a worker and its consequences; the only module that interprets exit codes of workers."""

from __future__ import annotations

from dataclasses import dataclass

from chcfuzz.execution.child_process import ProcessExit
from chcfuzz.execution.exit_codes import (
    EXIT_CRASH,
    EXIT_FULL,
    EXIT_INTERRUPTED,
    EXIT_LARGE,
    EXIT_OOM,
    EXIT_STUCK,
    EXIT_USAGE,
    Z3_EXITS,
)

_DEATHS = (EXIT_STUCK, EXIT_OOM, EXIT_INTERRUPTED, EXIT_LARGE, EXIT_FULL, EXIT_CRASH, *Z3_EXITS)


@dataclass(frozen=True)
class WorkerExit:
    """The end of a worker, from which its consequences follow.

    `code` is the exit code, negative for a signal; `in_flight` are the units that the worker and its jobs were
    executing. `stopped`: the supervisor has ended the worker, because the user stopped the campaign or because nothing
    can be written any more.
    """

    code: int
    in_flight: tuple[bytes, ...] = ()
    stopped: bool = False

    @property
    def fatal_units(self) -> tuple[bytes, ...]:
        """The units that killed the worker: none if the supervisor ended it, or something from outside."""
        return () if self.stopped or self.is_refusal or self.code == EXIT_INTERRUPTED else self.in_flight

    @property
    def is_death(self) -> bool:
        """Whether a unit or something outside killed the worker, so that a new worker can continue its work."""
        return not self.stopped and (self.code < 0 or self.code in _DEATHS)

    @property
    def is_refusal(self) -> bool:
        """Whether the worker printed why it cannot run: bad use, or a disk or folder that cannot be used."""
        return self.code == EXIT_USAGE

    @property
    def description(self) -> str:
        """End of a sentence about the worker, such as "exited with code 7"."""
        if self.code == EXIT_INTERRUPTED:
            return "was interrupted from outside"
        if self.code == EXIT_LARGE:
            return "exited because Z3 had leaked memory"
        if self.code == EXIT_FULL:
            return "exited because a mutant took all memory that Z3 may have, and Z3 did not free it"
        return ProcessExit(self.code).description

    def exit_code(self, survived: bool) -> int:
        """Return the exit code of the campaign: 0 if it `survived` this exit, or has caused it.

        Otherwise return the worker's own code as a shell shows it, 128 plus the signal.
        """
        if self.is_refusal:
            return EXIT_USAGE
        if self.stopped or survived:
            return 0
        return 128 - self.code if self.code < 0 else self.code
