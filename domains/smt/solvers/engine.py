"""An SMT solver among several that solve the same problem."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from chcfuzz.solvers.model_text import model_in
from chcfuzz.solvers.outcome import Outcome, Status, Texts
from chcfuzz.tracing.solver_statistics import Value, classes, trace_of_features
from chcfuzz.tracing.source import Parameters

_NO_SYMBOLS = "()"  # the model of a problem without symbols; solvers print nothing
WALL_CLOCK, OUT_OF_MEMORY = "wall clock", "out of memory"  # reasons of a hang and of a limit
Pairs = tuple[tuple[str, str], ...]


class Engine(Protocol):
    """A solver with settings of its own; see `solve`."""

    @property
    def name(self) -> str:
        """The name as `--solvers` spells it: `cvc5`, or `z3:sat.euf=true`."""

    @property
    def version(self) -> str:
        """The version of the solver."""

    def solve(self, text: str, parameters: Parameters, rlimit: int) -> Outcome:
        """Decide a script in a context that has solved nothing before, within `rlimit` units of the solver.

        Never raises for what the solver does. A script that the solver does not read is UNSUPPORTED, and an internal
        error is ERROR, both with the solver's message. `parameters` have the solver's own names; the outcome names
        those that it does not have in `left_out`.
        """


@runtime_checkable
class Concurrent(Engine, Protocol):
    """A solver in another process, which can solve while this process does something else."""

    def begin(self, text: str, parameters: Parameters, rlimit: int) -> None:
        """Begin to decide a script; `finish` must follow before the next one, or `close`."""

    def finish(self) -> Outcome:
        """Wait for the outcome; see `Engine.solve`."""

    def close(self) -> None:
        """Stop, whether or not a script is being decided."""


@dataclass
class Answer:
    """The answer of a solver while it is collected; `outcome` completes it. Statistics are those of the solver."""

    status: Status = Status.ERROR
    reason: str = ""
    model: str | None = None
    statistics: Mapping[str, Value] = field(default_factory=dict)
    cost: int = 0
    left_out: tuple[str, ...] = ()
    results: Sequence[str] = ()  # of the queries
    start: float = field(default_factory=time.perf_counter)

    def ends(self, status: Status, reason: str = "") -> None:
        """Set the status with its reason."""
        self.status, self.reason = status, " ".join(reason.split())

    @property
    def outcome(self) -> Outcome:
        """The outcome, with the features of the statistics as its trace; that of a hang would not repeat."""
        is_cut = self.status is Status.HANG
        trace = trace_of_features(() if is_cut else (self.status.value, *classes(self.statistics)))
        is_given = self.status is Status.SAT and self.model is not None
        model = model_in((self.model or "").strip() or _NO_SYMBOLS) if is_given else None
        seconds = time.perf_counter() - self.start
        extra = Texts(tuple(self.results)) if any(self.results) else None
        return Outcome(self.status, self.reason, trace, self.cost, seconds, model, self.left_out, extra=extra)


def one_line(error: BaseException) -> str:
    """Return the message of an exception of a solver on one line; Z3's are bytes."""
    value = error.args[0] if error.args else ""
    return " ".join((value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)).split())


def with_own(own: Sequence[tuple[str, str]], parameters: Parameters) -> Pairs:
    """Return an engine's own settings, changed by the parameters of an execution."""
    return tuple({**dict(own), **dict(parameters)}.items())
