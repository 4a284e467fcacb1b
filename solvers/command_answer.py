"""The answer in the output of a command, and the reason of a run that gives none.

A line `sat`, `unsat` or `unknown` is the answer; after `sat` comes the model as `define-fun`s, and after `unsat` an
optional derivation. An answer after an `(error` does not count, because the solver skipped a part of the system. An
answer with a complaint, as its dialect defines it, is judged like any other.
"""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass

from chcfuzz.solvers import process
from chcfuzz.solvers.dialect import Dialect
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.model_text import TextModel, model_in
from chcfuzz.solvers.outcome import Extra, Status

_ANSWERS = {"sat": Status.SAT, "unsat": Status.UNSAT, "unknown": Status.UNKNOWN, "timeout": Status.LIMIT}
_SHELL_SIGNAL = 128  # a shell that waited for a process that died of signal n leaves with 128 + n
_FATAL = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGTRAP)

_REFUSAL = re.compile(r"^\s*\(error\b|^error\b")  # before an answer
_ERROR_LINE = re.compile(  # without an answer
    r"^\s*\(error\b|^error\b|^fatal\b|exception\b|error\b|assertion|panicked|terminate called|unrecognized option",
    re.IGNORECASE,
)
_OUT_OF_MEMORY = re.compile(r"\bjava\.lang\.OutOfMemoryError\b")  # the largest heap depends on the machine
# Failed self-checks of answers, and reports of sanitizers, before or after an answer.
_FAILED_CHECK = re.compile(
    r"Internal witness validation failed|Verification of clause failed|ERROR: (Address|UndefinedBehavior)Sanitizer"
)
# A process's number, Eldarica's progress; nothing that names an exception.
_BEFORE_ERROR = re.compile(r"^(==\d+==|[\d\s.>-]*(clauses)?[\d\s.>-]*)(?=ERROR: )")
_LAST_WORDS = re.compile(r"Assertion .* failed|what\(\): |AddressSanitizer")  # of a process that dies of a signal
_MOST_REASON = 400  # characters


@dataclass(frozen=True)
class CommandAnswer:
    """The status of a run, its reason and its witness; `before` and `after` are the text around the answer."""

    status: Status
    reason: str
    model: TextModel | None = None
    extra: Extra | None = None
    before: str = ""
    after: str = ""
    is_cut: bool = False


def read_answer(ended: process.Ended, out: str, err: str, dialect: Dialect) -> CommandAnswer:
    """Return the answer of a run that no limit ended; its output is given without the name of its file."""
    number = signal_of(ended.code)
    if number in process.FROM_OUTSIDE:
        return CommandAnswer(Status.LIMIT, process.other_sender(number))
    answer, before, after = answer_in(out)
    refusal = dialect.refusals.search(f"{before}\n{err}") if dialect.refusals else None
    if refusal and (answer is None or number):
        return CommandAnswer(Status.UNSUPPORTED, _shortened(_line_of(refusal)))
    if number:
        return CommandAnswer(
            Status.CRASH, FaultClass.SIGNAL.of(f"{number} ({signal.strsignal(number)}){last_words(err)}")
        )
    if answer is None:
        message = first_error(out) or first_error(err) or no_answer(ended, out)
        is_limit = _OUT_OF_MEMORY.search(message) is not None
        return CommandAnswer(Status.LIMIT if is_limit else Status.ERROR, _shortened(message))
    refused = first_error(before, _REFUSAL)
    if refused:
        return CommandAnswer(Status.ERROR, _shortened(refused))
    failed = first_error(f"{after}\n{err}", _FAILED_CHECK)
    if failed:
        return CommandAnswer(Status.ERROR, _shortened(failed))
    status = _ANSWERS[answer]
    reason = "the command says timeout" if status is Status.LIMIT else _complaint(f"{before}\n{after}\n{err}", dialect)
    reads_proof = None if ended.is_cut or status is not Status.UNSAT else dialect.proof_in
    proof = None if reads_proof is None else reads_proof(after)
    has_failed = proof is not None and proof.fault and ended.code  # while it printed the derivation
    if ended.is_cut or has_failed:  # the witness is incomplete
        return CommandAnswer(status, reason, None, None, before, after, is_cut=True)
    model = model_in(after) if status is Status.SAT else None
    return CommandAnswer(status, reason, model, proof, before, after)


def _complaint(text: str, dialect: Dialect) -> str:
    """Return the complaint beside an answer; of several, the first in alphabetical order.

    A process of its own has two streams, one that stays alive may have one.
    """
    found = dialect.complaints.finditer(text) if dialect.complaints else ()
    return _shortened(min((complaint[0] for complaint in found), default=""))


def signal_of(code: int) -> int:
    """Return the signal that killed a process, or its child below a shell, by the exit code; else 0."""
    if code < 0:
        return -code
    number = code - _SHELL_SIGNAL
    return number if number in _FATAL or number == signal.SIGKILL else 0


def answer_in(out: str) -> tuple[str | None, str, str]:
    """Return the answer and the text before and after it; the answer is None if the output is ambiguous."""
    lines = out.splitlines()
    at = [number for number, line in enumerate(lines) if line.strip() in _ANSWERS]
    if not at or len({lines[number].strip() for number in at}) > 1:
        return None, out, ""
    return lines[at[0]].strip(), "\n".join(lines[: at[0]]), "\n".join(lines[at[0] + 1 :])


def last_answer_in(out: str, checks: int) -> str:
    """Return the output of a script with several checks, without its earlier answers and what follows them.

    Errors stay, because they may concern a formula of the last check, too. If a check lacks its answer, no answer is
    left.
    """
    if checks == 1:
        return out
    lines = out.splitlines()
    at = [number for number, line in enumerate(lines) if line.strip() in _ANSWERS]
    errors = [line for line in lines[: at[-1] if at else None] if _REFUSAL.search(line)]
    return "\n".join([*errors, *(lines[at[-1] :] if len(at) == checks else ())])


def first_answer_in(out: str) -> tuple[str | None, str, str]:
    """Return the first answer and the text before and after it, which may have more answers."""
    for number, line in enumerate(lines := out.splitlines()):
        if line.strip() in _ANSWERS:
            return line.strip(), "\n".join(lines[:number]), "\n".join(lines[number + 1 :])
    return None, out, ""


def first_error(text: str, pattern: re.Pattern[str] = _ERROR_LINE) -> str:
    """Return the first line with an error, without its prefix; else nothing."""
    line = next((line.strip() for line in text.splitlines() if pattern.search(line)), "")
    return _BEFORE_ERROR.sub("", line)


def _line_of(found: re.Match[str]) -> str:
    """Return the line of a match."""
    text = found.string
    end = text.find("\n", found.end())
    return text[text.rfind("\n", 0, found.start()) + 1 : end if end >= 0 else len(text)].strip()


def last_words(err: str) -> str:
    """Return the last message of a process that a signal kills, after a colon."""
    message = first_error(err, _LAST_WORDS)
    return f": {_shortened(message)}" if message else ""


def no_answer(ended: process.Ended, out: str) -> str:
    """Describe a run without an error and without an answer."""
    answers = sorted({line.strip() for line in out.splitlines()} & set(_ANSWERS))
    if len(answers) > 1:
        return f"answers {' and '.join(answers)}"
    where = (
        f" in the first {process.cut_after()} of its output, which are all that is read" if ended.is_too_long else ""
    )
    return f"leaves with code {ended.code} and no answer{where}" if ended.code else f"gives no answer{where}"


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST_REASON else f"{text[:_MOST_REASON]}..."
