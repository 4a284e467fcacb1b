"""A program of chcfuzz in a child process, under a guard that ends all that it starts (`guard`)."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from chcfuzz.cluster.folders import ClaimedFolder
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers import python
from chcfuzz.solvers.process_group import ProcessGroup, Streams

SECONDS = 5.0
_LINES = 50  # of the child's errors that are kept
_MESSAGE = "chcfuzz: "
COMMAND = ("-m", "chcfuzz.commands")  # the words of Python that run `chcfuzz`


class TaskError(ChcfuzzError):
    """A child that could not do its work: trying again does not help."""


class LostError(ChcfuzzError):
    """A child that was killed; another attempt may succeed."""


def _never() -> bool:
    return False


def run(
    words: Sequence[str],
    claim: ClaimedFolder,
    codes: Collection[int],
    current: Path,
    every: Callable[[], bool] = _never,
) -> int:
    """Run Python with `words` in `current`, or in the claimed folder without it; return its exit code, one of `codes`.

    `every` is called each `SECONDS`; if it returns True, the command is ended as by SIGTERM. Raises `TaskError` for
    another exit code, with the last message of the command, and `LostError` if it was killed.
    """
    streams = Streams(subprocess.DEVNULL, subprocess.DEVNULL, subprocess.PIPE, (claim.lock,))
    command = python.command("-m", "chcfuzz.cluster.guard", str(os.getpid()))
    command += python.command(*words)
    folder = current if current.is_dir() else claim.folder
    lines: deque[str] = deque(maxlen=_LINES)
    with ProcessGroup(command, streams, python.environment(), folder) as process:
        reader = threading.Thread(target=_read, args=(process, lines), daemon=True)
        reader.start()
        starter = os.getppid()
        while not process.has_exited(SECONDS):
            if os.getppid() != starter:
                raise LostError("the nanny of a worker has died")  # or the coordinator, whose workers are local
            if every():
                os.kill(process.pid, signal.SIGINT)
                every = _never
        reader.join()
        code = process.close()
    if code in codes:
        return code
    if code < 0 or code > 128:
        raise LostError(f"the child of a task was killed ({_reason(lines, code)})")
    raise TaskError(f"a task failed: {_reason(lines, code)}")


def _read(process: ProcessGroup, lines: deque[str]) -> None:
    for line in process.output:
        lines.append(line.decode(errors="replace").rstrip("\n"))


def _reason(lines: Collection[str], code: int) -> str:
    messages = [line.removeprefix(_MESSAGE) for line in lines if line.startswith(_MESSAGE)]
    return (messages or list(lines) or [f"exit code {code}"])[-1]
