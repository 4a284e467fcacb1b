"""Something done in a forked process, so that a solver that dies of it takes nothing else along."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import traceback
from collections.abc import Callable
from io import FileIO
from typing import Any

from chcfuzz.solvers.process import die_with_parent

_TICK = 0.5  # seconds


class DiedError(Exception):
    """The process ended by itself: `code` as `subprocess` has it, negative for a signal; the text says how in words."""

    def __init__(self, code: int) -> None:
        how = f"dies of signal {-code} ({signal.strsignal(-code)})" if code < 0 else f"ends with exit code {code}"
        super().__init__(how)
        self.code = code


def apart(run: Callable[[], Any]) -> Any:
    """What `run` returns, which JSON has to hold; raises `DiedError`. This process must have no other thread."""
    reading, writing = os.pipe()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # an interrupt waits until somebody cleans up
    child = os.fork()
    if child == 0:
        code = 1
        try:
            die_with_parent()
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            with os.fdopen(writing, "w") as file:
                json.dump(run(), file)
            code = 0
        finally:  # whatever happens, this process must not go on as if it were its parent
            if isinstance(error := sys.exc_info()[1], Exception):
                traceback.print_exception(error)
            os._exit(code)
    ended = False
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(writing)
        with os.fdopen(reading, "rb", buffering=0) as file:
            said = _all_of(file)
        ended = True
    finally:
        if not ended:  # interrupted: a solver that hears nothing must not stay
            os.kill(child, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code != 0:
        raise DiedError(code)
    return json.loads(said)


def _all_of(file: FileIO) -> bytes:
    """What comes until the other end is closed. An interrupt is heard at the next tick where it comes just before a
    system call that waits, which it does not end then."""
    said = bytearray()
    while True:
        if select.select([file], [], [], _TICK)[0]:
            piece = file.read(1 << 16)
            if not piece:
                return bytes(said)
            said += piece
