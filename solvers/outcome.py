"""The outcome of an execution. Every way to end is a value, not an exception."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from chcfuzz.solvers.solver_model import AnyModel
from chcfuzz.tracing.trace import Trace


class Status(enum.Enum):
    """How an execution ended."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"  # the solver gave up by itself
    LIMIT = "limit"  # the resource limit was reached
    HANG = "hang"  # the wall clock behind it was reached
    ERROR = "error"  # the solver raised an error; `Outcome.reason` is its text
    RESULT = "result"  # the answer is a term or another text, in `Outcome.extra`
    UNSUPPORTED = "unsupported"  # the solver does not read the system; it was not run, or rejects it
    CRASH = "crash"  # the solver's process died of a signal; a solver in this process would take it along

    @property
    def is_decided(self) -> bool:
        """Whether this is an answer that another one can contradict."""
        return self in (Status.SAT, Status.UNSAT)

    @property
    def is_answered(self) -> bool:
        """Whether the solver has solved the problem: with an answer, or with a term."""
        return self.is_decided or self is Status.RESULT


class Extra:
    """The part of an outcome that only one domain has, such as a proof; the domain derives a class.

    `fault` is the reason if it is damaged, such as a proof with a missing step.
    """

    fault: str = ""


@dataclass(frozen=True)
class Texts(Extra):
    """Formulas or terms as the solver prints them, such as interpolants; they can cross processes."""

    texts: tuple[str, ...]


OPPOSITE = {Status.SAT: Status.UNSAT, Status.UNSAT: Status.SAT}


@dataclass(frozen=True, eq=False)
class Outcome:
    """The end of one execution of a solver on a problem, with all that the solver returned.

    `cost` is the solver's resource count, `seconds` its time (for statistics; no verdict may depend on it). `reason`
    explains a status without an answer; an answer may have one too, a complaint of the solver beside it.
    `model` is there for SAT, where the solver gives one. `left_out` names parameters that this solver does not have.
    `command` is the command line, with `{}` for the file; empty for a solver in this process. `extra` is
    the part that only one domain has.
    `others` are the outcomes of other solvers, by name, on the same problem.
    If the output of a command `is_cut`, its end is missing, and no witness is read.
    """

    status: Status
    reason: str
    trace: Trace
    cost: int
    seconds: float
    model: AnyModel | None = None
    left_out: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    extra: Extra | None = None
    others: tuple[tuple[str, Outcome], ...] = ()
    is_cut: bool = False


def texts_of(outcome: Outcome) -> tuple[str, ...]:
    """Return the texts that came with an outcome; empty without any."""
    return outcome.extra.texts if isinstance(outcome.extra, Texts) else ()
