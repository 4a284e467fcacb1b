"""Any CHC solver as a command on SMT-LIB: Eldarica, Golem, another Z3.

The clock only protects: a run that it ends is undecided, because verdicts must not depend on wall time.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from urllib.parse import quote, unquote

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.system import as_system
from chcfuzz.solvers import process, solver_session
from chcfuzz.solvers.command_answer import CommandAnswer, last_answer_in, read_answer
from chcfuzz.solvers.command_trace import trace_of_output
from chcfuzz.solvers.dialect import Dialect
from chcfuzz.solvers.dialects import DIALECTS, dialect_of
from chcfuzz.solvers.machine_limits import limit_behind
from chcfuzz.solvers.model_text import results_in
from chcfuzz.solvers.outcome import Outcome, Status, Texts
from chcfuzz.solvers.solver import Sessions
from chcfuzz.solvers.solver_files import digest_of_command
from chcfuzz.solvers.solver_session import Request, SolverSession
from chcfuzz.tracing.command_edges import NONE, CommandEdges, edges_of
from chcfuzz.tracing.output import OutputEvents
from chcfuzz.tracing.source import Parameters

FILE = "{}"  # the place of the system's file in a command
DEFAULT_MEMORY_MEGABYTES = 4096

Run = Callable[[Path, Sequence[str]], process.Ended]  # runs the command on a file with options

_PACKED = "words:"
_CLASS_PATHS = ("-cp", "-classpath", "--class-path")  # options of Java


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


def start_error(program: str, error: OSError) -> CommandError:
    """Return the error for a program that the system does not start."""
    what = f"cannot start {program!r}: {error.strerror or error}; name a program that runs here"
    return CommandError(limit_behind(error) or what)


@dataclass(frozen=True)
class Command:
    """A solver's command line and its limits. `{}` is replaced by the system's file, which else comes last.

    `dialect` holds the options of this solver, and how it prints witnesses. With `requests`, a process stays alive for
    this number of systems, if the solver supports that. With `is_counted`, its events have its edges. A script has
    this number of `checks`; the answer to the last one is read, and the `results` of this number of queries behind it.
    """

    words: tuple[str, ...]
    wall_seconds: float
    memory_megabytes: int = DEFAULT_MEMORY_MEGABYTES
    dialect: Dialect = DIALECTS["plain"]
    requests: int = 0
    is_counted: bool = False
    checks: int = 1
    results: int = 0

    @property
    def project(self) -> str:
        """The name of the solver, or of the program if the solver is unknown."""
        return Path(self.words[0]).name if self.dialect is DIALECTS["plain"] else self.dialect.name

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

        The program, and each file and folder among the words, get their full paths, because the command runs in a
        folder of its own. Without `dialect`, the name of the program determines it.
        """
        words = _split(text) if isinstance(text, str) else tuple(text)
        program = shutil.which(words[0]) if words else None
        if program is None:
            raise CommandError(_not_startable(words[0] if words else str(text)))
        full = (str(Path(program).absolute()), *map(_full, words, words[1:]))
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
        """Whether the command counts resources: no, the clock is its only limit."""
        return False

    judge = ""
    takes_levels = True  # and several checks

    @property
    def defaults(self) -> dict[str, str]:
        """Empty: an option that is left out has its default."""
        return {}

    def transforms_off(self, _parameters: Parameters) -> None:
        """Return None: no transform of another solver is known to break its witnesses."""

    def other_front_ends(self, _parameters: Parameters) -> tuple[()]:
        """Return nothing: a command is its only front end."""
        return ()

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
        return tuple(self.session_for(self._logged(parameters, rlimit), solver_session.session).history)

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
        return self._with(solver_session.STANDARD_INPUT, options)

    def session_for(self, options: Sequence[str], made: Callable[..., SolverSession]) -> SolverSession:
        """Return the session for systems under these options."""
        return made(self.dialect.protocol, self._start(options), self.requests, self.memory_megabytes)

    def _run_after(self, before: Sequence[Request], path: Path, options: Sequence[str]) -> process.Ended:
        """Solve a file in a process that has answered these requests, and no other; raises `OSError`."""
        alive = replace(self, requests=len(before) + 1).session_for(options, solver_session.make_session)
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
        return self.session_for(options, solver_session.session).run(
            path, self._with_requests(options), self.wall_seconds
        )

    def _run_alone(self, path: Path, options: Sequence[str]) -> process.Ended:
        words = self._with(str(path), options)
        return process.run(words, self.wall_seconds, self.memory_megabytes, path.parent, self._edges.environment)

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
        _, ended = self.solve_printing(text, parameters)
        return f"{ended.out}\n{ended.err}"

    def solve_printing(self, text: str, parameters: Parameters = ()) -> tuple[Outcome, process.Ended]:
        """Decide a script in a process of its own; return all that it prints, too; raises `CommandError`."""
        ended: list[process.Ended] = []

        def run(path: Path, options: Sequence[str]) -> process.Ended:
            ended.append(self._run_alone(path, options))
            return ended[-1]

        return self._solved(text, parameters, 0, run), ended[-1]

    def solve_after(
        self, before: Sequence[Request], text: str, parameters: Parameters = (), rlimit: int = 0
    ) -> Outcome:
        """Decide a script in a process that stays alive and has answered these requests and no other."""
        return self._solved(text, parameters, rlimit, partial(self._run_after, before))

    def _solved(self, text: str, parameters: Parameters, rlimit: int, run: Run) -> Outcome:
        known = [pair for pair in parameters if self.dialect.takes(*pair)]
        left_out = tuple(pair[0] for pair in parameters if not self.dialect.takes(*pair))
        options = self._options(known, rlimit)
        # Also the current folder of the command, so that the files vanish that it writes there.
        with tempfile.TemporaryDirectory(prefix="chcfuzz-command-", ignore_cleanup_errors=True) as folder:
            path = Path(folder) / "system.smt2"
            path.write_text(self.script(text))
            try:
                ended = run(path, (*self.dialect.log, *options))
            except OSError as error:
                raise start_error(self.words[0], error) from error
        out, err = (printed.replace(str(path), FILE) for printed in (ended.out, ended.err))
        answer = self._read(ended, out, err)
        trace = trace_of_output(answer, err, text, self.dialect)
        line = self._with(FILE, options)
        return Outcome(
            *(answer.status, answer.reason, trace, 0, ended.seconds, answer.model, left_out, line, answer.extra),
            is_cut=answer.is_cut,
        )

    def _read(self, ended: process.Ended, out: str, err: str) -> CommandAnswer:
        if ended.stopped == process.WALL_CLOCK:
            return CommandAnswer(Status.HANG, f"still running after {self.wall_seconds:g} s")
        if ended.stopped == process.MEMORY:
            return CommandAnswer(Status.LIMIT, f"takes more than {self.memory_megabytes} MB")
        answer = read_answer(ended, last_answer_in(self.dialect.in_plain_words(out), self.checks), err, self.dialect)
        if not self.results or answer.is_cut:
            return answer
        found = results_in(answer.after, self.results, has_model=self.dialect.get_model)
        return replace(answer, extra=Texts(found)) if found else answer


def _split(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise CommandError(f"cannot read the command {text!r}: {error}; quote it as for a shell") from error


def _joined(words: Iterable[str]) -> str:
    return shlex.join(words).replace(shlex.quote(FILE), FILE)


def _not_startable(program: str) -> str:
    """Return the reason why a program cannot be started, and what helps."""
    if os.sep in program and Path(program).is_file():
        return f"cannot start {program!r}: it is not executable; chmod +x {shlex.quote(program)}"
    return f"cannot start {program!r}: no such program; install it, or name it with its path"


def _full(before: str, word: str) -> str:
    """Return a word with the full paths of the files and folders that it names, after the word `before`.

    An option, such as `--lib=./x`, and a class path name them in parts. A part without a dot or a slash may only look
    like a name, as in `-log:3`, except in a class path.
    """
    if FILE in word:
        return word
    if os.path.isfile(word):  # a word may be too long for a path
        return str(Path(word).resolve())
    return "".join(_full_part(part, before in _CLASS_PATHS) for part in re.split(r"([=:])", word))


def _full_part(part: str, is_path: bool) -> str:
    is_name = bool(part) and (is_path or "/" in part or "." in part)
    return str(Path(part).resolve()) if is_name and os.path.exists(part) else part
