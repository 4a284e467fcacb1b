"""A command as an interpolating solver: SMT-LIB with `get-interpolants`, in a process that stays alive.

The process reads scripts from its standard input. A command with `{}` gets a file, and a process for each problem.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from chcfuzz.domains.interpolation.solvers.interpolator import Interpolator, refusal, with_features
from chcfuzz.domains.interpolation.solvers.scripts import Style, order, script, style_of
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.solvers import process, solver_session
from chcfuzz.solvers.command import FILE, Command, start_error
from chcfuzz.solvers.command_answer import answer_in, first_answer_in, first_error, last_words, no_answer, signal_of
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.model_text import members
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.process import Ended
from chcfuzz.tracing.source import Parameters
from chcfuzz.tracing.trace import NOTHING

_STATUS = {"sat": Status.SAT, "unknown": Status.UNKNOWN, "timeout": Status.LIMIT}
_ERROR = re.compile(r"\(error|^error|exception|unsupported|syntax error", re.IGNORECASE)
_REPORTED = re.compile(r"^\s*\(error\b")
# Messages of refusals, which may be the last words of a process. OpenSMT's logics are linear.
_REFUSED = re.compile(r"\bnot (implemented|support(ed)?)\b|UnsupportedOperation|\bis non-linear\b", re.IGNORECASE)
_QUOTED = re.compile(r"\|[^|]*(\||\.\.\.$)")  # a symbol in a message, which may be shortened
_INTERNAL = re.compile(r"internal|assertion|exception|nullpointer|bounds", re.IGNORECASE)
NONE_FOUND = "it finds no interpolant"
_MOST_REASON = 300  # characters


class CommandInterpolator(Interpolator):
    """A command with the name of its solver, or of its program. Only the wall clock limits it."""

    version = ""

    def __init__(self, command: Command) -> None:
        """Run this command on each problem."""
        self._command = command
        self._style = style_of(command.words)
        self.name = self._style.name if self._style.programs else command.name

    def interpolate(self, interpolation: Interpolation, parameters: Parameters, _rlimit: int) -> Outcome:
        """Return the interpolants that the command prints; see `Interpolator.interpolate`."""
        refused = self._style.refused(interpolation)
        if refused:
            return refusal(refused)
        left_out = tuple(name for name, _ in parameters)
        with tempfile.TemporaryDirectory(prefix="chcfuzz-command-", ignore_cleanup_errors=True) as folder:
            path = Path(folder) / "problem.smt2"
            path.write_text(script(interpolation, self._style))
            try:
                ended = self._run(path)
            except OSError as error:
                raise start_error(self._command.words[0], error) from error
            out = ended.out.replace(str(path), FILE)
        status, words, interpolants = self._read(ended, out, interpolation)
        line = (*self._command.words, *self._added_flags)
        line = line if any(FILE in word for word in line) else (*line, FILE)
        outcome = Outcome(status, words, NOTHING, 0, ended.seconds, left_out=left_out, command=line)
        return with_features(outcome, interpolants)

    @property
    def _added_flags(self) -> tuple[str, ...]:
        return tuple(flag for flag in self._style.flags if flag not in self._command.words)

    def _run(self, path: Path) -> Ended:
        command, added = self._command, self._added_flags
        if any(FILE in word for word in command.words) or not command.requests:
            words = tuple(word.replace(FILE, str(path)) for word in (*command.words, *added))
            alone = words if str(path) in words else (*words, str(path))
            return process.run(alone, command.wall_seconds, command.memory_megabytes, path.parent)
        words = (*command.words, *added, *self._style.pipe)
        alive = solver_session.session(solver_session.SMT_LIB, words, command.requests, command.memory_megabytes)
        return alive.run(path, (), command.wall_seconds)

    def _read(self, ended: Ended, out: str, problem: Interpolation) -> tuple[Status, str, tuple[str, ...]]:
        """Return the status, the reason and the interpolants in the order of the cuts."""
        if ended.stopped == process.WALL_CLOCK:
            return Status.HANG, f"still running after {self._command.wall_seconds:g} s", ()
        number = signal_of(ended.code)
        if ended.stopped == process.MEMORY or number in process.FROM_OUTSIDE:
            return Status.LIMIT, "out of memory" if ended.stopped else process.other_sender(number), ()
        if number:
            words = last_words(ended.err)
            status = Status.UNSUPPORTED if _is_refusal(words) else Status.CRASH
            return status, FaultClass.SIGNAL.of(f"{number}{words}"), ()
        answer, before, after = self._answer_in(out, problem.cuts)
        skipped = first_error(before, _ERROR)  # the answer is about a part of the problem
        printed = interpolants_in(after, self._style) if answer == "unsat" else []
        if len(printed) == problem.cuts:  # their symbols may have any name, and the log does not matter
            error = skipped or first_error(after, _REPORTED)
        else:
            error = skipped or first_error(after, _ERROR) or first_error(ended.err, _ERROR)
        if answer is None and not error:
            return Status.ERROR, no_answer(ended, out), ()
        if answer is None or skipped or (error and answer == "unsat"):
            return self._failed(error)
        if answer != "unsat":
            return _STATUS[answer], "", ()  # the error after it reports the lack of interpolants
        if ended.is_cut and not ended.code:
            return Status.LIMIT, f"its output is longer than {process.cut_after()}", ()
        if self._style.gives_up and printed == [self._style.gives_up]:
            return Status.UNKNOWN, NONE_FOUND, ()
        if len(printed) != problem.cuts:
            return Status.UNSAT, "", tuple(printed)
        by_cut = dict(zip(order(problem), printed, strict=True))
        return Status.UNSAT, "", tuple(by_cut[cut] for cut in range(problem.cuts))

    def _answer_in(self, out: str, cuts: int) -> tuple[str | None, str, str]:
        """Return the answer and the text before and after it; a line `sat` may be the interpolant of that name."""
        answer, before, after = first_answer_in(out)
        is_complete = answer == "unsat" and len(interpolants_in(after, self._style)) == cuts
        return (answer, before, after) if is_complete else answer_in(out)

    def _failed(self, error: str) -> tuple[Status, str, tuple[str, ...]]:
        """Return an error; a message of a solver that it does not do something is a refusal."""
        return (Status.ERROR if _is_internal(error) else Status.UNSUPPORTED), error[:_MOST_REASON], ()


def interpolants_in(printed: str, style: Style) -> list[str]:
    """Return the interpolants that a solver prints after its answer."""
    if not style.separate:
        return members(printed)
    return [body_of(text) if text.startswith("(define-fun") else text for text in members(f"({printed})")]


def body_of(definition: str) -> str:
    """Return the body of a `define-fun`."""
    return members(definition)[-1]


def _is_refusal(message: str) -> bool:
    return _REFUSED.search(_QUOTED.sub("", message)) is not None


def _is_internal(error: str) -> bool:
    return _INTERNAL.search(error) is not None and not _is_refusal(error)
