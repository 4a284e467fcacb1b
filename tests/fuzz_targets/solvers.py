"""Solvers that do what no solver should: die, and not come back."""

from __future__ import annotations

import ctypes
import hashlib
import os
import signal
from collections.abc import Sequence
from pathlib import Path

import z3
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.solvers.outcome import Outcome
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_parameters import with_transforms_off
from chcfuzz.tracing.source import EventSource

from tests.quality.planted import ForgetfulSpacer

MARK = "unlucky"  # a seed whose predicates have this name brings it about


class DyingSpacer(Spacer):
    """Takes the process along."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        if MARK in text:
            os.kill(os.getpid(), signal.SIGSEGV)
        return super().solve(text, parameters, rlimit)


class LeavingSpacer(Spacer):
    """Ends the process as a failed assertion of an old debug build does."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        if MARK in text:
            os._exit(110)
        return super().solve(text, parameters, rlimit)


class ViolatingSpacer(Spacer):
    """Prints a failed assertion and ends the process, as a debug build does."""

    def solve(self, _text: str, _parameters: Sequence[tuple[str, str]], _rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        os.write(2, b"ASSERTION VIOLATION\nFile: ../src/muz/spacer/spacer_util.cpp\nLine: 2170\nm_level <= lvl\n")
        os._exit(110)


class DeafSpacer(Spacer):
    """Sits in native code and hears no interrupt."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        if MARK in text:
            with self._watchdog.guard(z3.Context()):
                while True:
                    ctypes.CDLL(None).pause()
        return super().solve(text, parameters, rlimit)


class OnceDyingSpacer(Spacer):
    """Takes the process along, but never again once the file named by $DIED is there."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        died = Path(os.environ["DIED"])
        if MARK in text and not died.exists():
            died.touch()
            os.kill(os.getpid(), signal.SIGSEGV)
        return super().solve(text, parameters, rlimit)


class OnceDyingMutantSpacer(Spacer):
    """As `OnceDyingSpacer`, but no seed brings it about: a mutant with parameters does."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        died = Path(os.environ["DIED"])
        if parameters and not died.exists():
            died.touch()
            os.kill(os.getpid(), signal.SIGSEGV)
        return super().solve(text, parameters, rlimit)


class ThenDeafSpacer(OnceDyingSpacer, DeafSpacer):
    """Takes the process along once, and from then on does not come back."""


class OnceForgetfulSpacer(ForgetfulSpacer):
    """Gives one empty model and creates the file $FORGOT; while that exists, its models are correct."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        forgot = Path(os.environ["FORGOT"])
        if forgot.exists():
            return Spacer.solve(self, text, parameters, rlimit)
        outcome = super().solve(text, parameters, rlimit)
        if outcome.model is not None:
            forgot.touch()
        return outcome


class PlainDyingSpacer(ForgetfulSpacer):
    """Gives empty models, and ends the process if the transforms are off."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        if set(with_transforms_off()) <= set(parameters):
            os.kill(os.getpid(), signal.SIGSEGV)
        return super().solve(text, parameters, rlimit)


class OverflowingSpacer(Spacer):
    """Writes behind a piece of memory, which only a sanitizer notices."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        if MARK in text:
            libc = ctypes.CDLL(None)
            libc.malloc.restype = ctypes.c_void_p
            libc.memset(ctypes.c_void_p(libc.malloc(24)), 0, 25)
        return super().solve(text, parameters, rlimit)


class NoisySpacer(Spacer):
    """Prints the value of $NOISE, by default a brace without the end of its line."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        os.write(1, os.environ.get("NOISE", "{").encode())
        return super().solve(text, parameters, rlimit)


class TellingSpacer(Spacer):
    """Adds a line for each text that it solves to the file named by $SOLVED: its process, and the text's digest."""

    def solve(self, text: str, parameters: Sequence[tuple[str, str]], rlimit: int) -> Outcome:
        """As `Spacer.solve`."""
        with open(os.environ["SOLVED"], "a") as file:
            file.write(f"{os.getpid()} {hashlib.sha256(text.encode()).hexdigest()} {parameters!r}\n")
        return super().solve(text, parameters, rlimit)


class OneWorksSpacer(Spacer):
    """Works in the process that is first to make the file named by $WORKS, and takes every other one along at once."""

    def __init__(self, events: EventSource, watchdog: Watchdog) -> None:
        """As `Spacer`."""
        try:
            with open(os.environ["WORKS"], "x") as file:
                file.write(str(os.getpid()))
        except FileExistsError:
            if Path(os.environ["WORKS"]).read_text() != str(os.getpid()):
                os.kill(os.getpid(), signal.SIGSEGV)
        super().__init__(events, watchdog)
