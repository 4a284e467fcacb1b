"""A solver that stays alive: one process for many systems, in a session of its own and under limits for each of them.

It is restarted after a number of requests, after a fault and after a limit, so that the traces of one system affect few
others. It has to answer as a fresh process does: a campaign regularly compares both, and counts the difference
(stability).

Two protocols. An SMT-LIB solver reads scripts from a pipe, with `(reset)` between them. Eldarica's server
(ServerMain.scala) prints a port and a ticket; a client sends the ticket, one argument a line and `PROVE_AND_EXIT`,
and then a line every second, or the request ends. `-log:N` among the arguments, even for 0, sends what goes to the
standard error along.
"""

from __future__ import annotations

import atexit
import functools
import os
import re
import selectors
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import IO, NamedTuple

from chcfuzz.solvers.process import MOST_OUTPUT, TICK, WALL_CLOCK, Clock, Ended, die_with_parent, kill_session

SMT_LIB, ELDARICA = "SMT-LIB over a pipe", "Eldarica's server"  # protocols
STANDARD_INPUT = "-in"  # in the place of a file among the words

_START_SECONDS = 60.0  # until a server prints its port
_PING_SECONDS = 1.0
_GRACE_SECONDS = 3.0  # for a server to end a request by itself
_END = "chcfuzz-end-of-answer"
_CHUNK = 1 << 16
_FIRST = """(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (< x 9)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (> x 9)) false)))
(check-sat)
"""
_PORT = re.compile(rb"[1-9]\d{0,4}")
Request = tuple[str, tuple[str, ...]]  # a script, and the arguments that go with it
_FAULT = re.compile(r"^ERROR: |stack overflow|out of memory", re.MULTILINE)  # after these it may not be in a good state


def make_session(protocol: str, words: tuple[str, ...], every: int, memory_megabytes: int) -> SolverSession:
    """Return a session of a solver: `words` start it, and it is restarted after `every` requests."""
    made: SolverSession = {SMT_LIB: _Pipe, ELDARICA: _Server}[protocol](words, every, memory_megabytes)
    atexit.register(made.close)
    return made


session = functools.cache(make_session)  # the one of this process for a solver


class _Answer(NamedTuple):
    """The output, whether the process can take another request, and the limit that stopped it (`process.run`).

    If the output `is_cut`, its end may be missing, although the process is well.
    """

    said: bytes
    is_whole: bool
    stopped: str
    is_cut: bool = False


class SolverSession(ABC):
    """A solver's process, started when it is first needed."""

    def __init__(self, words: tuple[str, ...], every: int, memory_megabytes: int) -> None:
        self._words = words
        self._every = every
        self._most_memory = memory_megabytes << 20
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None  # current folder of the process
        self._served = 0
        self.starts = 0
        self.history: list[Request] = []  # the requests to the process that was started last

    def run(self, file: Path, arguments: Sequence[str], wall_seconds: float) -> Ended:
        """Solve a file; how a process of its own would have ended. `arguments` are for a server, which reads the file.

        Raises `OSError` where the solver cannot be started.
        """
        start = time.monotonic()
        if self._served >= self._every or (self._process is not None and self._process.poll() is not None):
            self.close()
        if self._process is None or self._errors is None:
            self.close()
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (it lives as long as the process)
            self._folder = tempfile.TemporaryDirectory(prefix="chcfuzz-session-", ignore_cleanup_errors=True)
            self._process = subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                cwd=self._folder.name,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
            self._served = 0
            self.history = []
            self.starts += 1
            self._greet(self._process)
        self._served += 1
        self.history.append((file.read_text(), tuple(arguments)))
        errors_before = self._errors.seek(0, os.SEEK_END)
        try:
            said, is_whole, stopped, is_cut = self._asked(self._process, file, arguments, wall_seconds)
        except BaseException:  # the next request must not get the answer to this one
            self.close()
            raise
        out = said.decode("utf-8", "replace")
        code = self._process.poll()
        if code is None and not is_whole and not stopped:
            code = _ended(self._process)
        self._errors.seek(errors_before)
        err = self._errors.read(MOST_OUTPUT).decode("utf-8", "replace")
        if code is not None or not is_whole or _FAULT.search(out):
            self.close()
        return Ended(code or 0, out, err, time.monotonic() - start, stopped, is_cut or not is_whole)

    def close(self) -> None:
        """End the process and all that it has started; the next request starts it again."""
        if self._folder is None or self._errors is None:
            return
        if self._process is not None:  # else it could not be started
            kill_session(self._process.pid)
            with self._process:
                pass  # waits for it, and closes its pipes
        self._errors.close()
        self._folder.cleanup()
        self._process = self._errors = self._folder = None

    @abstractmethod
    def _greet(self, process: subprocess.Popen[bytes]) -> None:
        """Wait until a new process accepts requests."""

    @abstractmethod
    def _asked(
        self, process: subprocess.Popen[bytes], file: Path, arguments: Sequence[str], wall_seconds: float
    ) -> _Answer:
        """Solve a file, within a limit of time."""


class _Pipe(SolverSession):
    """Scripts through its standard input; the output ends with a line that the script echoes."""

    def _greet(self, process: subprocess.Popen[bytes]) -> None:
        pass

    def _asked(
        self, process: subprocess.Popen[bytes], file: Path, _arguments: Sequence[str], wall_seconds: float
    ) -> _Answer:
        assert process.stdin is not None
        assert process.stdout is not None
        # Before a script, and not after the one before: then the process has read all of a request whose end it echoes.
        reset = b"(reset)\n" if self._served > 1 else b""
        rest = memoryview(reset + file.read_bytes() + f'\n(echo "{_END}")\n'.encode())
        said = bytearray()
        clock = Clock(wall_seconds, self._most_memory)
        os.set_blocking(process.stdin.fileno(), False)
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            selector.register(process.stdin, selectors.EVENT_WRITE)
            while True:
                for key, _ in selector.select(TICK):
                    if key.fileobj is process.stdout:
                        piece = os.read(key.fd, _CHUNK)
                        said += piece
                        end = said.find(_END.encode())
                        if end >= 0:
                            return _Answer(bytes(said[:end].removesuffix(b'"')), True, "")
                        if not piece or len(said) > MOST_OUTPUT:
                            return _Answer(bytes(said), False, "")
                    else:
                        try:
                            rest = rest[os.write(key.fd, rest[:_CHUNK]) :]
                        except BrokenPipeError:
                            rest = rest[:0]
                        if not rest:
                            selector.unregister(process.stdin)
                stopped = clock.reached(process.pid)
                if stopped:
                    return _Answer(bytes(said), False, stopped)


class _Server(SolverSession):
    """Eldarica's server, which reads the file itself."""

    _port = 0
    _ticket = b""

    def _greet(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        lines = bytearray()
        clock = Clock(_START_SECONDS, self._most_memory)
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while lines.count(b"\n") < 2:
                piece = os.read(process.stdout.fileno(), _CHUNK) if selector.select(TICK) else None
                if piece == b"" or clock.reached(process.pid):
                    self.close()
                    raise OSError(f"{self._words[0]!r} says no port and ticket")
                lines += piece or b""
        port, self._ticket = bytes(lines).split(b"\n")[:2]
        if not _PORT.fullmatch(port.strip()):
            self.close()
            raise OSError(f"{self._words[0]!r} prints {port.decode('utf-8', 'replace')!r} instead of a port")
        self._port = int(port)
        with tempfile.TemporaryDirectory(
            prefix="chcfuzz-session-"
        ) as folder:  # loading is not part of a request's time
            first = Path(folder) / "first.smt2"
            first.write_text(_FIRST)
            self._asked(process, first, (), _START_SECONDS)

    def _asked(
        self, process: subprocess.Popen[bytes], file: Path, arguments: Sequence[str], wall_seconds: float
    ) -> _Answer:
        words = ["-log:0", f"-t:{wall_seconds:g}", *arguments, str(file), "PROVE_AND_EXIT"]
        said = bytearray()
        clock = Clock(wall_seconds + _GRACE_SECONDS, self._most_memory)
        pings = 1
        stopped = ""
        is_whole, is_cut = True, False
        try:
            with socket.create_connection(("localhost", self._port), _START_SECONDS) as link:
                link.sendall(b"\n".join([self._ticket, *(word.encode() for word in words), b""]))
                with selectors.DefaultSelector() as selector:
                    selector.register(link, selectors.EVENT_READ)
                    while not stopped:
                        if selector.select(TICK):
                            piece = link.recv(_CHUNK)
                            said += piece
                            if not piece or len(said) > MOST_OUTPUT:
                                break
                        stopped = clock.reached(process.pid)
                        is_whole = not stopped
                        if clock.passed > pings * _PING_SECONDS:
                            link.sendall(b"PING\n")
                            pings += 1
        except ConnectionError:
            is_cut = True  # it has ended, or it closed the connection before it read our last line: what came is lost
        if not stopped and clock.passed >= wall_seconds:
            stopped = WALL_CLOCK  # "unknown" at the limit does not count as an answer
        return _Answer(bytes(said), bool(said) and is_whole, stopped, is_cut or len(said) > MOST_OUTPUT)


def _ended(process: subprocess.Popen[bytes]) -> int | None:
    try:
        return process.wait(_GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        return None
