"""The command `z3 -in`, kept open: `(reset)` before each script, and an `echo` after it that ends the output."""

from __future__ import annotations

import os
import select
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress

from chcfuzz.domains.parts.solvers.calls import CallError
from chcfuzz.solvers.process import die_with_parent

_END = "chcfuzz: end of the script"
_UNITS = "rlimit"


class CommandDeathError(Exception):
    """A death of the command, with its exit code as `subprocess` has it, and its last words."""

    def __init__(self, code: int, printed: str) -> None:
        super().__init__(f"exit code {code}")
        self.code = code
        self.printed = printed


class KeptZ3:
    """A process of `z3 -in`, started when it is needed, and again after its death."""

    def __init__(self, program: str, wall_seconds: float) -> None:
        self._program = program
        self._seconds = wall_seconds
        self._process: subprocess.Popen[bytes] | None = None

    def output(self, script: str, rlimit: int) -> list[str]:
        """Return the lines that a script prints; raises `CallError` at the wall clock, and `CommandDeathError`."""
        if not self._program:
            raise CallError("unsupported", "no command z3 beside this release")
        process = self._started()
        assert process.stdin is not None
        text = f'(reset)\n(set-option :{_UNITS} {rlimit})\n{script}\n(echo "{_END}")\n'
        with suppress(BrokenPipeError):  # it has died, and its last words are still to be read
            process.stdin.write(text.encode())
            process.stdin.flush()
        printed = self._printed(process)
        if printed is None:
            raise self._died(process)
        return printed

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            self._ended(process)

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(
                [self._program, "-in"], stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, preexec_fn=die_with_parent
            )
            self._last: list[str] = []
        return self._process

    def _printed(self, process: subprocess.Popen[bytes]) -> list[str] | None:
        """Return the lines before the end mark; None if the process ends."""
        self._last = []
        for line in self._lines(process):
            if line == _END:
                return self._last
            self._last.append(line)
        return None

    def _lines(self, process: subprocess.Popen[bytes]) -> Iterator[str]:
        """Yield the lines until the process ends; raises `CallError` at the wall clock."""
        assert process.stdout is not None
        descriptor, until, rest = process.stdout.fileno(), time.monotonic() + self._seconds, b""
        while True:
            left = until - time.monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                self.close()
                raise CallError("hang", "wall clock")
            piece = os.read(descriptor, 1 << 16)
            if not piece:
                yield from filter(None, [rest.decode("utf-8", "replace")])
                return
            *whole, rest = (rest + piece).split(b"\n")
            yield from (line.decode("utf-8", "replace") for line in whole)

    def _died(self, process: subprocess.Popen[bytes]) -> CommandDeathError:
        """Return the death of the process, with its last words."""
        self._process = None
        self._ended(process)
        return CommandDeathError(process.returncode, "\n".join(self._last[-8:]))

    @staticmethod
    def _ended(process: subprocess.Popen[bytes]) -> None:
        """Close the pipes, which a process that it has started may hold open, and wait for the process."""
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
        process.wait()
