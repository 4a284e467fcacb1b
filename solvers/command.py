"""Any CHC solver as a command on SMT-LIB: Eldarica, Golem, another Z3.

What it prints decides: a line `sat`, `unsat` or `unknown`, and after `sat` the model as `define-fun`s, if there is one.
An answer that comes after an error is none: the solver did not answer for the whole system. Its clock is a protection
alone, and what it ends is undecided; a wall clock is no measure for a verdict.
"""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
import signal
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote, unquote

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.theory import OPERATORS
from chcfuzz.solvers import process
from chcfuzz.solvers.dialects import DIALECTS, Dialect, dialect_of
from chcfuzz.solvers.model_text import TextModel, model_in, symbols_of
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.output import OutputEvents, trace_of_words

FILE = "{}"  # stands for the system's file among the words of a command
DEFAULT_MEMORY_MEGABYTES = 4096

_ANSWERS = {"sat": Status.SAT, "unsat": Status.UNSAT, "unknown": Status.UNKNOWN, "timeout": Status.LIMIT}
# Signals that come from outside, or from a limit, and say nothing about the solver.
_NOT_ITS_FAULT = frozenset((signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU))
_SHELL_SIGNAL = 128  # a shell that waited for a process that died of signal n leaves with 128 + n
_FATAL = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGTRAP)

_REFUSAL = re.compile(r"^\s*\(error\b|^error\b")  # before an answer
_ERROR_LINE = re.compile(  # where there is no answer
    r"^\s*\(error\b|^error\b|^fatal\b|exception\b|error\b|assertion|panicked|terminate called|unrecognized option",
    re.IGNORECASE,
)
_FRAME = re.compile(r"^\s*at ([\w.$<>]+)\(")  # of a Java stack
_MOST_FRAMES = 3
_MOST_REASON = 400  # characters


_PACKED = "words:"


def packed(command: str) -> str:
    """A command in one word that no shell changes, for the processes that libFuzzer starts; `unpacked` undoes it."""
    return _PACKED + ",".join(quote(word) for word in _split(command))


def unpacked(text: str) -> str:
    """A command as for a shell, from what a user wrote or `packed` made."""
    if not text.startswith(_PACKED):
        return text
    return shlex.join(unquote(word) for word in text.removeprefix(_PACKED).split(","))


class CommandError(ChcfuzzError):
    """A command that cannot be started."""


@dataclass(frozen=True)
class Command:
    """A solver's command line and its limits. `{}` among the words stands for the system's file, else it comes last.

    `dialect` is what is known of this solver beyond that: its options, how it is asked for a model.
    """

    words: tuple[str, ...]
    wall_seconds: float
    memory_megabytes: int = DEFAULT_MEMORY_MEGABYTES
    dialect: Dialect = DIALECTS["plain"]

    @classmethod
    def of(
        cls,
        text: str | Sequence[str],
        wall_seconds: float,
        memory_megabytes: int = DEFAULT_MEMORY_MEGABYTES,
        dialect: str | None = None,
    ) -> Command:
        """The command that a user wrote, its program found; raises `CommandError` for what cannot be started.

        The program and every file among the words get their full paths, so that the command means the same in another
        folder. Without a name for it, the dialect is told by the program's.
        """
        words = _split(text) if isinstance(text, str) else tuple(text)
        program = shutil.which(words[0]) if words else None
        if program is None:
            wanted = words[0] if words else text
            raise CommandError(f"cannot start {wanted!r}: no such program; install it, or name it with its path")
        full = (str(Path(program).absolute()), *(_full(word) for word in words[1:]))
        chosen = dialect_of(full) if dialect is None else DIALECTS[dialect]
        return cls(full, wall_seconds, memory_megabytes, chosen)

    @property
    def text(self) -> str:
        """The command for a shell."""
        return shlex.join(self.words).replace(shlex.quote(FILE), FILE)

    @cached_property
    def events(self) -> OutputEvents:
        """Whose traces these are, which is what remembered outcomes hold for.

        The name changes with the command's words, with what its files hold by their size and date, and with its memory.
        """
        stamps = [_stamp(word) for word in self.words]
        told = f"{self.words} {stamps} {self.dialect.name} {self.memory_megabytes}"
        return OutputEvents(f"command-{hashlib.blake2b(told.encode(), digest_size=6).hexdigest()}")

    def line(self, file: str, parameters: Sequence[tuple[str, str]] = (), rlimit: int = 0) -> tuple[str, ...]:
        """The words that solve a file under parameters of the dialect; others are left out."""
        options = (*self.dialect.limit(rlimit), *self.dialect.switches(parameters))
        words = self.words if any(FILE in word for word in self.words[1:]) else (*self.words, FILE)
        at = next(number for number, word in enumerate(words) if number and FILE in word)
        # Before the file, not before the first word: `java -jar eldarica.jar {}` takes its own options there.
        return (*words[:at], *options, *(word.replace(FILE, file) for word in words[at:]))

    def script(self, text: str) -> str:
        """What the command reads of a system: its text, and the question for a model where that has to be asked."""
        return f"{text}(get-model)\n" if self.dialect.get_model else text

    def solve(self, text: str, parameters: Sequence[tuple[str, str]] = (), rlimit: int = 0) -> Outcome:
        """Decide a script of declarations and assertions that ends with `check-sat`.

        Never raises for what the command does; raises `CommandError` where it cannot be started.
        """
        known = [pair for pair in parameters if self.dialect.takes(*pair)]
        left_out = tuple(pair[0] for pair in parameters if not self.dialect.takes(*pair))
        with tempfile.TemporaryDirectory(prefix="chcfuzz-command-") as folder:
            path = Path(folder) / "system.smt2"
            path.write_text(self.script(text))
            line = self.line(str(path), known, rlimit)
            try:
                ended = process.run(line, self.wall_seconds, self.memory_megabytes)
            except OSError as error:
                reason = error.strerror or str(error)
                raise CommandError(f"cannot start {line[0]!r}: {reason}; name a program that runs here") from error
        out, err = (said.replace(str(path), FILE) for said in (ended.out, ended.err))
        status, reason, model = self._read(ended, out, err)
        trace = trace_of_words(output_classes(status, _nameless(reason, text), model, out, err))
        told = self.line(FILE, known, rlimit)
        return Outcome(status, reason, trace, 0, ended.seconds, model, left_out, told)

    def _read(self, ended: process.Ended, out: str, err: str) -> tuple[Status, str, TextModel | None]:
        if ended.stopped == process.WALL_CLOCK:
            return Status.HANG, f"still running after {self.wall_seconds:g} s", None
        if ended.stopped == process.MEMORY:
            return Status.LIMIT, f"takes more than {self.memory_megabytes} MB", None
        number = signal_of(ended.code)
        if number in _NOT_ITS_FAULT:
            return Status.LIMIT, f"ended from outside by signal {number}", None
        if number:
            return Status.CRASH, f"dies of signal {number} ({signal.strsignal(number)})", None
        answer, before, after = answer_in(out)
        if answer is None:
            told = first_error(out) or first_error(err) or _no_answer(ended.code, out)
            return Status.ERROR, _shortened(told), None
        refused = first_error(before, _REFUSAL)
        if refused:
            return Status.ERROR, _shortened(refused), None
        status = _ANSWERS[answer]
        reason = "the command says timeout" if status is Status.LIMIT else ""
        return status, reason, model_in(after) if status is Status.SAT else None


def signal_of(code: int) -> int:
    """The signal that a process died of, itself or below a shell, by its exit code; 0 if of none."""
    if code < 0:
        return -code
    number = code - _SHELL_SIGNAL
    return number if number in _FATAL or number == signal.SIGKILL else 0


def answer_in(out: str) -> tuple[str | None, str, str]:
    """The answer, and what was printed before and after it; None if there is none, or there are two that differ."""
    lines = out.splitlines()
    at = [number for number, line in enumerate(lines) if line.strip() in _ANSWERS]
    if not at or len({lines[number].strip() for number in at}) > 1:
        return None, out, ""
    return lines[at[0]].strip(), "\n".join(lines[: at[0]]), "\n".join(lines[at[0] + 1 :])


def first_error(text: str, told_by: re.Pattern[str] = _ERROR_LINE) -> str:
    """The first line that tells of an error; empty if none does."""
    return next((line.strip() for line in text.splitlines() if told_by.search(line)), "")


def error_class(text: str) -> str:
    """What is the same in all errors of a kind: names, numbers and places are taken out."""
    text = re.sub(r"\|[^|]*\||'[^']*'|`[^`']*[`']", "<name>", text)
    text = re.sub(r"\S*/\S+", "<path>", text)
    text = re.sub(r"0x[0-9a-fA-F]+|#x[0-9a-fA-F]+|#b[01]+|@[0-9a-f]{4,}|\d+(\.\d+)?", "<number>", text)
    return " ".join(text.split())


def output_classes(status: Status, reason: str, model: TextModel | None, out: str, err: str) -> list[str]:
    """The words of an execution's trace.

    Its status; of an error the class and the first frames of a stack; of a model how long it is, by powers of two, and
    which operators it is made of; of everything else that is printed how many lines, by powers of two.
    """
    words = [status.value]
    if status in (Status.HANG, Status.LIMIT):
        return words
    if reason:
        frames = [match[1] for line in err.splitlines() if (match := _FRAME.match(line))]
        words += [error_class(reason), *(f"at {error_class(frame)}" for frame in frames[:_MOST_FRAMES])]
    if model is not None:
        used = set(symbols_of(model.definitions))
        words.append(f"model of length {len(model.definitions).bit_length()}")
        words += sorted(used & _WORDS_OF_MODELS)
    words.append(f"lines {len(out.splitlines()).bit_length()}" if model is None else "lines of a model")
    return words


_WORDS_OF_MODELS = frozenset((*OPERATORS, "forall", "exists", "let", "as", "is", "true", "false"))


def _nameless(reason: str, text: str) -> str:
    """An error without the names of the system that it is about."""
    names = set(symbols_of(text)) - _WORDS_OF_MODELS
    return re.sub(r"\|[^|]*\||[^\s()|\"',;]+", lambda found: "<name>" if found[0] in names else found[0], reason)


def _split(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise CommandError(f"cannot read the command {text!r}: {error}; quote it as for a shell") from error


def _full(word: str) -> str:
    return str(Path(word).resolve()) if FILE not in word and Path(word).is_file() else word


def _stamp(word: str) -> tuple[int, int]:
    """Size and date of a file among the words; a program that is built anew, or updated, is another one."""
    try:
        found = Path(word).stat()
    except (OSError, ValueError):
        return 0, 0
    return found.st_size, found.st_mtime_ns


def _no_answer(code: int, out: str) -> str:
    """What is wrong with a run that says no error and no answer."""
    answers = sorted({line.strip() for line in out.splitlines()} & set(_ANSWERS))
    if len(answers) > 1:
        return f"answers {' and '.join(answers)}"
    return f"leaves with code {code} and no answer" if code else "gives no answer"


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST_REASON else f"{text[:_MOST_REASON]}..."
