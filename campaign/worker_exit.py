"""How a worker ended, and what follows from it: the one place that reads exit codes."""

from __future__ import annotations

import signal
from dataclasses import dataclass

from chcfuzz.execution.solving import (
    EXIT_CRASH,
    EXIT_INTERRUPTED,
    EXIT_LARGE,
    EXIT_OOM,
    EXIT_STUCK,
    EXIT_USAGE,
    Z3_EXITS,
)

_DEATHS = (EXIT_STUCK, EXIT_OOM, EXIT_INTERRUPTED, EXIT_LARGE, EXIT_CRASH, *Z3_EXITS)


@dataclass(frozen=True)
class Ending:
    """`code` is the process's exit code, negative for a signal; `in_work` is what it and its jobs left unfinished.

    `stopped`: whether we ended it, because somebody asked for that or because nothing can be kept any more.
    """

    code: int
    in_work: tuple[bytes, ...] = ()
    stopped: bool = False

    @property
    def units(self) -> tuple[bytes, ...]:
        """What it died of: nothing, where somebody ended it politely, us or others."""
        return () if self.stopped or self.code == EXIT_INTERRUPTED else self.in_work

    @property
    def is_death(self) -> bool:
        """Whether the process was taken along, by its unit or from outside: what it did can go on in a new one."""
        return not self.stopped and (self.code < 0 or self.code in _DEATHS)

    @property
    def is_refusal(self) -> bool:
        """Whether it has told in one line what it cannot do: bad use, or a disk or folder that cannot be used."""
        return self.code == EXIT_USAGE

    @property
    def words(self) -> str:
        """How it ended, for people."""
        if self.code == EXIT_INTERRUPTED:
            return "was told to end by somebody else"
        if self.code == EXIT_LARGE:
            return "left because Z3 had lost memory"
        if self.code >= 0:
            return f"left with exit code {self.code}"
        return f"was killed by signal {-self.code} ({signal.strsignal(-self.code)})"

    def exit_code(self, survived: bool) -> int:
        """What the campaign leaves with: 0 where it `survived` this ending, or we brought it about.

        Otherwise the worker's own code, as a shell tells it: 128 and the signal.
        """
        if self.is_refusal:
            return EXIT_USAGE
        if self.stopped or survived:
            return 0
        return 128 - self.code if self.code < 0 else self.code
