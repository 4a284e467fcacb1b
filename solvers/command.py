"""Any CHC solver as a command on SMT-LIB: Eldarica, Golem, another Z3.

The output is read: a line `sat`, `unsat` or `unknown`, after `sat` the model as `define-fun`s, and after `unsat` an
optional derivation. An answer after an `(error` does not count, because the solver skipped a part of the system. An
answer with a complaint, as its dialect defines it, is judged like any other. The clock only protects: a run that it
ends is undecided, because verdicts must not depend on wall time.
"""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
import signal
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path
from urllib.parse import quote, unquote

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.system import as_system
from chcfuzz.grammar.terms import MAX_DIGITS
from chcfuzz.grammar.theory import OPERATORS
from chcfuzz.solvers import process, session
from chcfuzz.solvers.derivation import Derivation, derivation_in
from chcfuzz.solvers.dialects import DIALECTS, Dialect, dialect_of
from chcfuzz.solvers.model_text import TextModel, model_in, symbols_of
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.program import digest_of_command
from chcfuzz.solvers.session import Request, Session
from chcfuzz.solvers.solver import Sessions
from chcfuzz.tracing.command_edges import NONE, CommandEdges, edges_of
from chcfuzz.tracing.output import OutputEvents, trace_of_classes
from chcfuzz.tracing.source import Parameters

FILE = "{}"  # the place of the system's file in a command
DEFAULT_MEMORY_MEGABYTES = 4096

_ANSWERS = {"sat": Status.SAT, "unsat": Status.UNSAT, "unknown": Status.UNKNOWN, "timeout": Status.LIMIT}
_SHELL_SIGNAL = 128  # a shell that waited for a process that died of signal n leaves with 128 + n
_FATAL = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGTRAP)

_REFUSAL = re.compile(r"^\s*\(error\b|^error\b")  # before an answer
_ERROR_LINE = re.compile(  # without an answer
    r"^\s*\(error\b|^error\b|^fatal\b|exception\b|error\b|assertion|panicked|terminate called|unrecognized option",
    re.IGNORECASE,
)
# Failed self-checks of answers, and reports of sanitizers, before or after an answer.
_FAILED_CHECK = re.compile(
    r"Internal witness validation failed|Verification of clause failed|ERROR: (Address|UndefinedBehavior)Sanitizer"
)
# A process's number, Eldarica's progress; nothing that names an exception.
_BEFORE_ERROR = re.compile(r"^(==\d+==|[\d\s.>-]*(clauses)?[\d\s.>-]*)(?=ERROR: )")
_LAST_WORDS = re.compile(r"Assertion .* failed|what\(\): |AddressSanitizer")  # of a process that dies of a signal
_FRAME = re.compile(r"^\s*at ([\w.$<>]+)\(")  # of a Java stack
_MOST_FRAMES = 3
_MOST_REASON = 400  # characters


_WITHOUT_STEPS = (Status.HANG, Status.LIMIT, Status.UNSUPPORTED)  # the steps of a run that a clock ends are incomplete

Run = Callable[[Path, Sequence[str]], process.Ended]  # runs the command on a file with options

_PACKED = "words:"


def packed(command: str) -> str:
    """Return a command as one word that no shell changes, for libFuzzer's processes; `unpacked` undoes it."""
    return _PACKED + ",".join(quote(word) for word in _split(command))


def unpacked(text: str) -> str:
    """Return a command as for a shell, from the text of a user or of `packed`."""
    if not text.startswith(_PACKED):
        return text
    return _joined(unquote(word) for word in text.removeprefix(_PACKED).split(","))


class CommandError(ChcfuzzError):
    """A command that cannot be started."""


@dataclass(frozen=True)
class Command:
    """A solver's command line and its limits. `{}` is replaced by the system's file, which else comes last.

    `dialect` holds the options of this solver, and how it prints witnesses. With `requests`, a process stays alive for
    this number of systems, if the solver supports that. With `is_counted`, its events have its edges.
    """

    words: tuple[str, ...]
    wall_seconds: float
    memory_megabytes: int = DEFAULT_MEMORY_MEGABYTES
    dialect: Dialect = DIALECTS["plain"]
    requests: int = 0
    is_counted: bool = False

    @classmethod
    def of(
        cls,
        text: str | Sequence[str],
        wall_seconds: float,
        memory_megabytes: int = DEFAULT_MEMORY_MEGABYTES,
        dialect: str | None = None,
        requests: int = 0,
    ) -> Command:
        """Find the program of a command that a user wrote; raises `CommandError` if it cannot be started.

        The program and every file among the words get their full paths, so that the command means the same in another
        folder. Without `dialect`, the name of the program determines it.
        """
        words = _split(text) if isinstance(text, str) else tuple(text)
        program = shutil.which(words[0]) if words else None
        if program is None:
            wanted = words[0] if words else text
            raise CommandError(f"cannot start {wanted!r}: no such program; install it, or name it with its path")
        full = (str(Path(program).absolute()), *(_full(word) for word in words[1:]))
        chosen = dialect_of(full) if dialect is None else DIALECTS[dialect]
        return cls(full, wall_seconds, memory_megabytes, chosen, requests)

    def with_edges(self) -> Command:
        """Return this command with the edge counters of its program among its events, if the program has any."""
        return replace(self, is_counted=True)

    @property
    def text(self) -> str:
        """The command for a shell."""
        return _joined(self.words)

    @cached_property
    def events(self) -> OutputEvents:
        """Source of the traces, whose name depends on the words, on the contents of their files, and on the memory."""
        key = f"{self.words} {digest_of_command(self.words)} {self.dialect.name} {self.memory_megabytes}"
        return OutputEvents(f"command-{hashlib.blake2b(key.encode(), digest_size=6).hexdigest()}", self._edges.edges)

    @property
    def _edges(self) -> CommandEdges:
        return edges_of(self.words[0]) if self.is_counted else NONE

    def line(self, file: str, parameters: Sequence[tuple[str, str]] = (), rlimit: int = 0) -> tuple[str, ...]:
        """Return the words that solve a file under parameters of the dialect; others are left out."""
        return self._with(file, self._options(parameters, rlimit))

    def _options(self, parameters: Sequence[tuple[str, str]], rlimit: int) -> tuple[str, ...]:
        witness = (word for word in self.dialect.witness if word not in self.words)
        return (*self.dialect.limit(rlimit), *witness, *self.dialect.switches(parameters))

    def _with(self, file: str, options: Sequence[str]) -> tuple[str, ...]:
        """Return the words with options before the file: `java -jar eldarica.jar {}` takes its own options there."""
        words = self.words if any(FILE in word for word in self.words[1:]) else (*self.words, FILE)
        at = next(number for number, word in enumerate(words) if number and FILE in word)
        return (*words[:at], *options, *(word.replace(FILE, file) for word in words[at:]))

    @cached_property
    def can_stay_alive(self) -> bool:
        """Whether there is a session for it: its protocol needs no more than is there."""
        if self.dialect.server:
            return Path(self.words[0]).with_name(self.dialect.server).is_file()
        return bool(self.dialect.protocol)

    @property
    def stays_alive(self) -> bool:
        """Whether one process solves many systems."""
        return bool(self.requests) and self.can_stay_alive

    @property
    def name(self) -> str:
        """The name of the program."""
        return Path(self.words[0]).name

    @property
    def counts_resources(self) -> bool:
        """False: the clock is the only limit of a command."""
        return False

    judge = ""

    @property
    def defaults(self) -> dict[str, str]:
        """No defaults: an option that is left out has its default."""
        return {}

    def transforms_off(self, _parameters: Parameters) -> None:
        """Return None: no transform of another solver is known to break its witnesses."""

    @property
    def sessions(self) -> Sessions | None:
        """This command, if one process of it solves many systems."""
        return self if self.stays_alive else None

    @property
    def has_server(self) -> bool:
        """Whether a server of the solver's own answers the requests."""
        return bool(self.dialect.server)

    def history(self, parameters: Parameters = (), rlimit: int = 0) -> tuple[Request, ...]:
        """Return the requests so far of the process that would solve a system under these parameters."""
        return tuple(self.session_for(self._logged(parameters, rlimit), session.session).history)

    def request(self, text: str, parameters: Parameters = (), rlimit: int = 0) -> Request:
        """Return the request for a system, for a process that stays alive."""
        return self.script(text), self._with_requests(self._logged(parameters, rlimit))

    def start(self, parameters: Parameters = (), rlimit: int = 0) -> tuple[str, ...]:
        """Return the words that start a process that stays alive."""
        return self._start(self._logged(parameters, rlimit))

    def _logged(self, parameters: Sequence[tuple[str, str]], rlimit: int) -> tuple[str, ...]:
        return (*self.dialect.log, *self._options(parameters, rlimit))

    def _start(self, options: Sequence[str]) -> tuple[str, ...]:
        if self.dialect.server:
            return (str(Path(self.words[0]).with_name(self.dialect.server)),)
        return self._with(session.STANDARD_INPUT, options)

    def session_for(self, options: Sequence[str], made: Callable[..., Session]) -> Session:
        """Return the session for systems under these options."""
        return made(self.dialect.protocol, self._start(options), self.requests, self.memory_megabytes)

    def _run_after(self, before: Sequence[Request], path: Path, options: Sequence[str]) -> process.Ended:
        """Solve a file in a process that has answered these requests, and no other; raises `OSError`."""
        alive = replace(self, requests=len(before) + 1).session_for(options, session.make_session)
        try:
            for number, (text, arguments) in enumerate(before):
                earlier = path.with_name(f"before-{number}.smt2")
                earlier.write_text(text)
                alive.run(earlier, arguments, self.wall_seconds)
            return alive.run(path, self._with_requests(options), self.wall_seconds)
        finally:
            alive.close()

    def _with_requests(self, options: Sequence[str]) -> tuple[str, ...]:
        """Return the words of a request; only servers take options with a request."""
        return self._with(FILE, options)[1:-1] if self.dialect.server else ()

    def _run(self, path: Path, options: Sequence[str]) -> process.Ended:
        """Solve a file in the process that stays alive, or in one of its own; raises `OSError`."""
        if not self.stays_alive:
            return self._run_alone(path, options)
        return self.session_for(options, session.session).run(path, self._with_requests(options), self.wall_seconds)

    def _run_alone(self, path: Path, options: Sequence[str]) -> process.Ended:
        words = self._with(str(path), options)
        return process.run(words, self.wall_seconds, self.memory_megabytes, self._edges.environment)

    def script(self, text: str) -> str:
        """Return the script for a system: its text, and `get-model` if the dialect needs it."""
        return f"{text}(get-model)\n" if self.dialect.get_model else text

    def refused(self, problem: BaseProblem) -> str:
        """Return the part of a system that the solver is known not to read, in words; else nothing."""
        return self.dialect.refused(as_system(problem))

    def solve(self, text: str, parameters: Parameters = (), rlimit: int = 0) -> Outcome:
        """Decide a script of declarations and assertions that ends with `check-sat`.

        Never raises for what the command does; raises `CommandError` if it cannot be started.
        """
        return self._solved(text, parameters, rlimit, self._run)

    def solve_afresh(self, text: str, parameters: Parameters = (), rlimit: int = 0) -> Outcome:
        """Decide a script in a process of its own."""
        return self._solved(text, parameters, rlimit, self._run_alone)

    def printed(self, text: str, parameters: Parameters = ()) -> str:
        """Return the output and the errors of a process of its own that decides a script; raises `CommandError`."""
        ended: list[process.Ended] = []

        def run(path: Path, options: Sequence[str]) -> process.Ended:
            ended.append(self._run_alone(path, options))
            return ended[-1]

        self._solved(text, parameters, 0, run)
        return f"{ended[-1].out}\n{ended[-1].err}"

    def solve_after(
        self, before: Sequence[Request], text: str, parameters: Parameters = (), rlimit: int = 0
    ) -> Outcome:
        """Decide a script in a process that stays alive and has answered these requests and no other."""
        return self._solved(text, parameters, rlimit, partial(self._run_after, before))

    def _solved(self, text: str, parameters: Parameters, rlimit: int, run: Run) -> Outcome:
        known = [pair for pair in parameters if self.dialect.takes(*pair)]
        left_out = tuple(pair[0] for pair in parameters if not self.dialect.takes(*pair))
        options = self._options(known, rlimit)
        with tempfile.TemporaryDirectory(prefix="chcfuzz-command-") as folder:
            path = Path(folder) / "system.smt2"
            path.write_text(self.script(text))
            try:
                ended = run(path, (*self.dialect.log, *options))
            except OSError as error:
                reason = error.strerror or str(error)
                raise CommandError(
                    f"cannot start {self.words[0]!r}: {reason}; name a program that runs here"
                ) from error
        out, err = (printed.replace(str(path), FILE) for printed in (ended.out, ended.err))
        answer = self._read(ended, out, err)
        words = output_classes(answer, _nameless(answer.reason, text), err)
        if self.dialect.log and answer.status not in _WITHOUT_STEPS:
            words += steps_told(f"{answer.before}\n{err}", set(symbols_of(text)), self.dialect.unordered)
        log = f"{answer.before}\n{err}"
        trace = trace_of_classes(words, not (self.dialect.clock and self.dialect.clock.search(log)))
        line = self._with(FILE, options)
        return Outcome(
            *(answer.status, answer.reason, trace, 0, ended.seconds, answer.model, left_out, line, answer.proof),
            is_cut=answer.is_cut,
        )

    def _read(self, ended: process.Ended, out: str, err: str) -> _Said:
        if ended.stopped == process.WALL_CLOCK:
            return _Said(Status.HANG, f"still running after {self.wall_seconds:g} s")
        if ended.stopped == process.MEMORY:
            return _Said(Status.LIMIT, f"takes more than {self.memory_megabytes} MB")
        number = signal_of(ended.code)
        if number in process.FROM_OUTSIDE:
            return _Said(Status.LIMIT, process.other_sender(number))
        answer, before, after = answer_in(out)
        refusal = self.dialect.refusals.search(f"{before}\n{err}") if self.dialect.refusals else None
        if refusal and (answer is None or number):
            return _Said(Status.UNSUPPORTED, _shortened(_line_of(refusal)))
        if number:
            return _Said(Status.CRASH, f"dies of signal {number} ({signal.strsignal(number)})" + _last_words(err))
        if answer is None:
            told = first_error(out) or first_error(err) or no_answer(ended, out)
            return _Said(Status.ERROR, _shortened(told))
        refused = first_error(before, _REFUSAL)
        if refused:
            return _Said(Status.ERROR, _shortened(refused))
        failed = first_error(f"{after}\n{err}", _FAILED_CHECK)
        if failed:
            return _Said(Status.ERROR, _shortened(failed))
        status = _ANSWERS[answer]
        reason = "the command says timeout" if status is Status.LIMIT else self._complaint(f"{before}\n{after}\n{err}")
        if ended.is_cut:  # the witness is incomplete
            return _Said(status, reason, None, None, before, after, is_cut=True)
        model = model_in(after) if status is Status.SAT else None
        proof = derivation_in(after) if status is Status.UNSAT and self.dialect.derives else None
        return _Said(status, reason, model, proof, before, after)

    def _complaint(self, text: str) -> str:
        """Return the complaint beside an answer; of several, the first in alphabetical order.

        A process of its own has two streams, one that stays alive may have one.
        """
        found = self.dialect.complaints.finditer(text) if self.dialect.complaints else ()
        return _shortened(min((complaint[0] for complaint in found), default=""))


@dataclass(frozen=True)
class _Said:
    """A parsed output; `before` and `after` are the text around the answer."""

    status: Status
    reason: str
    model: TextModel | None = None
    proof: Derivation | None = None
    before: str = ""
    after: str = ""
    is_cut: bool = False


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


def first_error(text: str, told_by: re.Pattern[str] = _ERROR_LINE) -> str:
    """Return the first line with an error, without its prefix; else nothing."""
    line = next((line.strip() for line in text.splitlines() if told_by.search(line)), "")
    return _BEFORE_ERROR.sub("", line)


def error_class(text: str) -> str:
    """Return the part that all errors of a kind share: names, numbers and places are replaced."""
    text = re.sub(r"\|[^|]*\||'[^']*'|`[^`']*[`']", "<name>", text)
    text = re.sub(r"\S*/\S+", "<path>", text)
    text = re.sub(r"0x[0-9a-fA-F]+|#x[0-9a-fA-F]+|#b[01]+|@[0-9a-f]{4,}|\d+(\.\d+)?", "<number>", text)
    return " ".join(text.split())


def output_classes(said: _Said, reason: str, err: str) -> list[str]:
    """Return the classes of an execution's trace that its end determines.

    These are the status; the class of an error and the first frames of its stack; the length of a model, by powers of
    two, and its operators; and the number of other lines after an answer, by powers of two.
    """
    words = [said.status.value]
    if said.status in _WITHOUT_STEPS:
        return words
    if reason:
        frames = [match[1] for line in err.splitlines() if (match := _FRAME.match(line))]
        words += [error_class(reason), *(f"at {error_class(frame)}" for frame in frames[:_MOST_FRAMES])]
    if said.model is not None:
        used = set(symbols_of(said.model.definitions))
        words.append(f"model of length {len(said.model.definitions).bit_length()}")
        words += sorted(used & _WORDS_OF_MODELS)
    lines = len(said.after.splitlines()).bit_length()
    words.append(f"lines {lines}" if said.model is None else "lines of a model")
    return words


def steps_told(text: str, names: Collection[str], unordered: re.Pattern[str] | None = None) -> list[str]:
    """Return the classes of a log, one for each line: without times and names, numbers by powers of two.

    The log ends with the time that it all took: what comes after it goes with the answer. Lines next to each other that
    may stand in any order are sorted.
    """
    words: list[str] = []
    for may_move, lines in groupby(_steps(text), lambda line: bool(unordered and unordered.match(line))):
        told = [_word(line, names) for line in lines]
        words += sorted(told) if may_move else told
    return words


def _steps(text: str) -> Iterator[str]:
    """Yield the lines of a log up to its end, without lines about time."""
    for line in text.splitlines()[:_MOST_STEPS]:
        if line.startswith(_END_OF_LOG):
            return
        told = _TIME.sub("", line)
        if not _TIMED.search(line) and told.strip():
            yield told


def _word(line: str, names: Collection[str]) -> str:
    return " ".join(_SYMBOL.sub(lambda found: _class_of(found[0], names), line).split())[:_LONGEST_STEP]


def _class_of(symbol: str, names: Collection[str]) -> str:
    """Return the class of a symbol: a number by its power of two, a name of the system as a name."""
    if symbol.isdecimal():
        return f"~{int(symbol).bit_length()}" if len(symbol) <= MAX_DIGITS else f"~{MAX_DIGITS} digits"
    if symbol[0] == "|" or symbol in names or any(character.isdecimal() for character in symbol):
        return "<name>"
    return symbol


_MOST_STEPS = 2_000
_LONGEST_STEP = 100
_END_OF_LOG = "Total elapsed time"
_TIMED = re.compile(r"\(ms\)|, ms\)|^Time ")  # a line about time
_TIME = re.compile(r"\(\d+ ?ms\)")
_SYMBOL = re.compile(r"\|[^|]*\||\w[\w!#'$]*")

_WORDS_OF_MODELS = frozenset((*OPERATORS, "forall", "exists", "let", "as", "is", "true", "false"))


def _nameless(reason: str, text: str) -> str:
    """Return an error without the names of its system."""
    names = set(symbols_of(text)) - _WORDS_OF_MODELS
    return re.sub(r"\|[^|]*\||[^\s()|\"',;]+", lambda found: "<name>" if found[0] in names else found[0], reason)


def _split(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise CommandError(f"cannot read the command {text!r}: {error}; quote it as for a shell") from error


def _joined(words: Iterable[str]) -> str:
    return shlex.join(words).replace(shlex.quote(FILE), FILE)


def _full(word: str) -> str:
    return str(Path(word).resolve()) if FILE not in word and Path(word).is_file() else word


def _line_of(found: re.Match[str]) -> str:
    """Return the line of a match."""
    text = found.string
    end = text.find("\n", found.end())
    return text[text.rfind("\n", 0, found.start()) + 1 : end if end >= 0 else len(text)].strip()


def _last_words(err: str) -> str:
    """Return the last message of a process that a signal kills."""
    said = first_error(err, _LAST_WORDS)
    return f": {_shortened(said)}" if said else ""


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
