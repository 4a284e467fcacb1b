"""LLVM's programs, under the names that systems give them, each run with a deadline."""

from __future__ import annotations

import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence

from chcfuzz.grammar.errors import ChcfuzzError

_SUFFIXES = ("-19", "-20", "-21", "")
SECONDS = 900.0  # for a run; those on Z3's library take less than a minute


class ToolError(ChcfuzzError):
    """A program of LLVM is missing, or fails."""


def tool(name: str) -> str:
    """Return the path of a program such as `llvm-symbolizer`, preferably of the release that builds Z3."""
    found = next(filter(None, (shutil.which(name + suffix) for suffix in _SUFFIXES)), None)
    if found is None:
        raise ToolError(f"{name} is missing; ./build_z3_traced.sh --install-deps installs it")
    return found


def run(words: Sequence[str], given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end, whatever its exit code; raises `ToolError` if it takes too long."""
    try:
        return subprocess.run(words, input=given, capture_output=True, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired as error:
        raise _killed(words) from error


def lines_of(words: Sequence[str]) -> Iterator[str]:
    """Yield the lines that a program prints, while it runs; raises `ToolError` if it fails or takes too long."""
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        timer = threading.Timer(SECONDS, process.kill)
        timer.daemon = True
        timer.start()
        try:
            yield from process.stdout
        finally:
            timer.cancel()
    if process.returncode == -signal.SIGKILL:
        raise _killed(words)
    if process.returncode:
        raise ToolError(f"{words[0]} fails with exit code {process.returncode}; run it by hand: {' '.join(words)}")


def _killed(words: Sequence[str]) -> ToolError:
    return ToolError(f"{words[0]} was killed, by default after {SECONDS:g} s; run it by hand: {' '.join(words)}")
