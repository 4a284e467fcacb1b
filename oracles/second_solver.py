"""cvc5 on plain SMT-LIB, in a process for each script, so that its failures cannot affect the solver under test.

`python -m chcfuzz.oracles.second_solver` is that process. It reads a script from standard input and prints cvc5's
answers, one per line; with `--instantiations`, then the terms by which it instantiated each quantified formula.

To start Python and to load cvc5 takes a tenth of a second, more than most scripts. So one process (`--serve`) loads
cvc5 once, and forks for each script.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import resource
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from io import FileIO

from chcfuzz.solvers import python
from chcfuzz.solvers.process import die_with_parent

INSTANTIATIONS = "--instantiations"
_SERVE = "--serve"
RLIMIT = 500_000  # for a query, in cvc5's own units
_SECONDS = 60.0  # wall-clock limit, in case the resource limit fails
_START_SECONDS = 60.0  # more for the server, which may have to load cvc5 first
_MEMORY = 2048 << 20  # bytes, which the resource limit does not bound
_ANSWER = re.compile(r"(sat|unsat|unknown)(?: \(\w+\))?")  # cvc5 prints the reason of unknown


def answers(script: str) -> tuple[str, ...]:
    """Return cvc5's answer to each `check-sat` of a script: "sat", "unsat" or "unknown".

    There are fewer answers if cvc5 rejects the script, crashes, or does not finish.
    """
    return answers_in(output(script))


def answers_in(printed: str) -> tuple[str, ...]:
    """Return the answers in cvc5's output."""
    return tuple(found[1] for line in printed.splitlines() if (found := _ANSWER.fullmatch(line)))


def refutes(script: str) -> bool:
    """Return whether cvc5 answers unsat to each `check-sat` of a script, and rejects no command before one."""
    return answers(script) == ("unsat",) * max(1, script.count("(check-sat)"))


def output(script: str, *flags: str) -> str:
    """Return cvc5's output for a script, including models; empty if it does not finish."""
    global _server
    if _server is None or not _server.is_usable:
        _server = _Server()
    return _server.output(script, flags)


class _Server:
    """The process that has loaded cvc5, as its owner sees it. A fork of the owner starts a server of its own."""

    def __init__(self) -> None:
        command = python.command("-m", "chcfuzz.oracles.second_solver", _SERVE)
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=python.environment()
        )
        self._owner = os.getpid()
        atexit.register(self._end)

    @property
    def is_usable(self) -> bool:
        """Whether this process has started the server, and it still runs."""
        return self._owner == os.getpid() and self._process.poll() is None

    def output(self, script: str, flags: Sequence[str]) -> str:
        """Return cvc5's output for a script; empty if the server dies or does not reply in time."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        printed = None
        limit = threading.Timer(_SECONDS + _START_SECONDS, self._process.kill)
        limit.daemon = True
        limit.start()
        try:
            with suppress(OSError, ValueError):  # the server has died, or sends something else than a reply
                self._process.stdin.write(_line([script, list(flags)]))
                self._process.stdin.flush()
                printed = json.loads(self._process.stdout.readline())
        finally:
            limit.cancel()
            if not isinstance(printed, str):  # also after an interrupt: the next script must not get this one's reply
                self._end()
        return printed if isinstance(printed, str) else ""

    def _end(self) -> None:
        if self._owner == os.getpid():
            self._process.kill()
            self._process.communicate()
            atexit.unregister(self._end)


_server: _Server | None = None


def main() -> None:
    """Run cvc5 on standard input, or serve; the process exits with its parent."""
    die_with_parent()
    if _SERVE in sys.argv[1:]:
        _serve()
    else:
        _run(sys.stdin.buffer.read().decode(), sys.argv[1:])


def _serve() -> None:
    """Reply to each line `[script, flags]` of standard input with a line that holds cvc5's output, both in JSON."""
    import cvc5  # noqa: F401  (once, before the forks)

    for line in sys.stdin.buffer:
        script, flags = json.loads(line)
        sys.stdout.buffer.write(_line(_forked(script, flags)))
        sys.stdout.buffer.flush()


def _line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _forked(script: str, flags: Sequence[str]) -> str:
    """Return the output of a forked process for a script; empty if it does not finish within the wall clock."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            die_with_parent()
            os.dup2(writing, sys.stdout.fileno())
            _run(script, flags)
        finally:  # whatever happens, the child must not read the next line
            os._exit(0)
    os.close(writing)
    with open(reading, "rb", buffering=0) as file:
        printed = _read(file)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return printed


def _read(file: FileIO) -> str:
    """Return everything until the other end is closed; nothing at the wall clock."""
    content = bytearray()
    deadline = time.monotonic() + _SECONDS
    while select.select([file], [], [], max(0.0, deadline - time.monotonic()))[0]:
        piece = file.read(1 << 16)
        if not piece:
            return content.decode("utf-8", "replace")
        content += piece
    return ""


def _run(script: str, flags: Sequence[str]) -> None:
    """Run cvc5 on a script and print its output; the process dies if cvc5 takes more memory than Z3 may."""
    import cvc5

    _bound_memory()
    solver = cvc5.Solver(cvc5.TermManager())
    for option, value in (("rlimit-per", str(RLIMIT)), ("incremental", "true"), ("arrays-exp", "true")):
        solver.setOption(option, value)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "script")
    while not (command := parser.nextCommand()).isNull():
        print(command.invoke(solver, parser.getSymbolManager()).strip(), flush=True)
    if INSTANTIATIONS in flags:
        found = solver.getInstantiations()
        print(found.decode() if isinstance(found, bytes) else found, flush=True)


def _bound_memory() -> None:
    """Limit the memory that this process may take in addition to what it has: sanitizers reserve terabytes."""
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[0])
    most = pages * resource.getpagesize() + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    main()
