"""Something done in a forked process, so that a solver that dies of it takes nothing else along."""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any


class DiedError(Exception):
    """The process ended by itself: `code` as `subprocess` has it, negative for a signal; the text says how in words."""

    def __init__(self, code: int) -> None:
        how = f"dies of signal {-code} ({signal.strsignal(-code)})" if code < 0 else f"ends with exit code {code}"
        super().__init__(how)
        self.code = code


def apart(run: Callable[[], Any]) -> Any:
    """What `run` returns, which JSON has to hold; raises `DiedError`. This process must have no other thread."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with os.fdopen(writing, "w") as file:
                json.dump(run(), file)
            code = 0
        finally:  # whatever happens, this process must not go on as if it were its parent
            if isinstance(error := sys.exc_info()[1], Exception):
                traceback.print_exception(error)
            os._exit(code)
    os.close(writing)
    ended = False
    try:
        with os.fdopen(reading) as file:
            said = file.read()
        ended = True
    finally:
        if not ended:  # interrupted: a solver that hears nothing must not stay
            os.kill(child, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code != 0:
        raise DiedError(code)
    return json.loads(said)
