"""Console output of all processes of a campaign. It survives a closed terminal and goes to a log file, too.

Three environment variables, which the supervisor of a campaign sets for its children, configure it:

- `LOG` names a file to which every line for people is appended with the time.
- `REDRAWS` is set if the supervisor redraws a status line on the terminal; it is erased before anything is printed.
- `WORKER_LOG` names the file for everything that is written to descriptor 2 of a worker by others: libFuzzer, Z3.
"""

from __future__ import annotations

import datetime
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from chcfuzz.grammar.printable import printable_lines

LOG, REDRAWS, WORKER_LOG = "CHCFUZZ_LOG", "CHCFUZZ_REDRAWS", "CHCFUZZ_WORKER_LOG"
ERASE = "\r\x1b[K"  # erases a line of a terminal


def print_error(text: str) -> None:
    """Print lines to standard error, and log them."""
    erase = ERASE if os.environ.get(REDRAWS) else ""
    _write(f"{erase}{printable_lines(text)}\n", sys.stderr)
    log(text)


def print_to(text: str, stream: TextIO) -> None:
    """Print lines; if the stream cannot be written, discard them and everything printed to it later."""
    _write(f"{printable_lines(text)}\n", stream)


def show_status(line: str) -> None:
    """Replace the status line of the terminal by another one; an empty one only erases it."""
    _write(f"{ERASE}{printable_lines(line)}", sys.stderr)


def log(text: str) -> None:
    """Append lines to the log file, if there is one; a full disk is ignored."""
    if file := os.environ.get(LOG):
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        with suppress(OSError), open(file, "a", encoding="utf-8") as log:
            log.write("".join(f"{now} {line}\n" for line in printable_lines(text).splitlines()))


def divert() -> None:
    """Let descriptor 2 of this worker be its log file, if there is one; Python still prints to the console.

    libFuzzer and solvers write to the descriptor. If the file cannot be opened, they continue to write to the console.
    """
    name = os.environ.pop(WORKER_LOG, "")
    if not name:
        return
    with suppress(OSError):
        file = os.open(Path(name), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        sys.stderr.flush()
        sys.stderr = os.fdopen(os.dup(2), "w", buffering=1, errors="backslashreplace")
        os.dup2(file, 2)
        os.close(file)


def _write(text: str, stream: TextIO) -> None:
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
