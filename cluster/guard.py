"""A process that runs a command, and ends all that the command has started when the process that started it dies.

`python -m chcfuzz.cluster.guard PID WORD...` is started by the process PID. A worker that is killed does not end its
child, and killing that child does not end its children, some of which lead process groups of their own. So the kernel
sends this process SIGTERM when the worker dies, and hands it the orphans among its descendants.

SIGINT sends SIGTERM to the command, which ends by itself, and waits for that.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from contextlib import suppress
from types import FrameType

import psutil

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h


def main(words: list[str]) -> int:
    """Run the command in `words`, after the id of the parent; return its exit code."""
    parent, *command = words
    signal.signal(signal.SIGTERM, _end)
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(parent):  # it died before the call
        return 1
    process = subprocess.Popen(command)
    signal.signal(signal.SIGINT, lambda *_: process.terminate())
    code = process.wait()
    kill_descendants()
    return code if code >= 0 else 128 - code


def _end(_number: int, _frame: FrameType | None) -> None:
    kill_descendants()
    os._exit(128 + signal.SIGTERM)


def kill_descendants() -> None:
    """Kill every descendant of this process, also those that others start meanwhile."""
    own = psutil.Process()
    while descendants := [each for each in own.children(recursive=True) if _is_alive(each)]:
        for each in descendants:
            with suppress(psutil.NoSuchProcess):
                each.kill()
        psutil.wait_procs(descendants, timeout=1)


def _is_alive(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
