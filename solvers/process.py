"""A command under limits: a session of its own, a wall clock, resident memory, bounded output; nothing of it stays.

Memory is what the processes of the session hold resident, added up and looked at every so often. RLIMIT_AS, which would
need no looking, counts address space, of which a Java machine reserves more than any sensible limit before it starts.
A process that begins a session of its own is out of reach.

Should this process die before it can end the command, RLIMIT_CPU does it: more than the wall clock lets anybody use.
"""

from __future__ import annotations

import contextlib
import math
import os
import resource
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

WALL_CLOCK, MEMORY = "wall clock", "memory"
MOST_OUTPUT = 8 << 20  # bytes of each stream that are kept; the rest is read and dropped

_TICK = 0.05
_LONGEST_TICK = 1.0  # on a busy machine; what takes longer was a pause
_MEMORY_TICKS = 4
_MOST_KILLS = 1000
_CHUNK = 1 << 16
_PAGE = resource.getpagesize()


@dataclass(frozen=True)
class Ended:
    """How a command ended: `code` is negative for a signal, `stopped` why it was ended here, if it was."""

    code: int
    out: str
    err: str
    seconds: float
    stopped: str = ""


def run(words: Sequence[str], wall_seconds: float, memory_megabytes: int) -> Ended:
    """Run a command to its end or to a limit; nothing of its session is left. Raises `OSError` if it cannot start."""
    start = time.monotonic()
    process = subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    with process:
        try:
            _limit_processor(process.pid, wall_seconds)
            stopped, (out, err) = _followed(process, wall_seconds, memory_megabytes << 20)
        finally:
            _kill_session(process.pid)
    return Ended(process.returncode, _text(out), _text(err), time.monotonic() - start, stopped)


def _limit_processor(pid: int, wall_seconds: float) -> None:
    seconds = (math.ceil(wall_seconds) + 2) * (os.cpu_count() or 1)
    with contextlib.suppress(ProcessLookupError):  # it has ended already
        resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds))


def _followed(process: subprocess.Popen[bytes], seconds: float, most_memory: int) -> tuple[str, tuple[bytes, bytes]]:
    """Read what the command says until it ends or has to be ended, and why.

    No time passes while this process is paused: the command may have ended long before.
    """
    assert process.stdout is not None
    assert process.stderr is not None
    kept: dict[IO[bytes], bytearray] = {process.stdout: bytearray(), process.stderr: bytearray()}
    stopped = ""
    ticks = 0
    passed, last = 0.0, time.monotonic()
    with selectors.DefaultSelector() as selector:
        for stream in kept:
            selector.register(stream, selectors.EVENT_READ)
        while True:
            ready = selector.select(_TICK) if selector.get_map() else []
            for key, _ in ready:
                _read(key.fd, kept[key.fileobj], selector)  # type: ignore[index]
            if not ready and process.poll() is not None:
                break  # its end was read, or something that it left behind holds the other end
            if not selector.get_map():
                time.sleep(_TICK / 10)
            ticks += 1
            now = time.monotonic()
            passed, last = passed + min(now - last, _LONGEST_TICK), now
            if passed > seconds:
                stopped = WALL_CLOCK
            elif ticks % _MEMORY_TICKS == 0 and resident(process.pid) > most_memory:
                stopped = MEMORY
            if stopped:
                break
    return stopped, (bytes(kept[process.stdout]), bytes(kept[process.stderr]))


def _read(descriptor: int, into: bytearray, selector: selectors.BaseSelector) -> None:
    piece = os.read(descriptor, _CHUNK)
    if piece:
        into += piece[: max(0, MOST_OUTPUT - len(into))]
    else:
        selector.unregister(descriptor)


def state_of(pid: int) -> str:
    """One letter, as `ps` shows it: R runs, T is paused, Z is only waited for; empty if there is no such process."""
    try:
        # pid (comm) state ppid pgrp session ...; the command's name may hold anything, parentheses too.
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return ""


def members(session: int) -> list[int]:
    """The processes of a session that live, zombies left out."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            state, _, _, its_session = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[:4]
        except (OSError, ValueError):
            continue  # it ended meanwhile
        if int(its_session) == session and state != "Z":
            found.append(int(entry.name))
    return sorted(found)


def resident(session: int) -> int:
    """How many bytes the processes of a session hold in memory."""
    total = 0
    for pid in members(session):
        try:
            total += int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
        except (OSError, IndexError):
            continue  # it ended meanwhile
    return total


def _kill_session(session: int) -> None:
    """End every process of a session; again, because one may just have made another."""
    for _ in range(_MOST_KILLS):  # a process that waits for a disk dies later
        found = members(session)
        if not found:
            return
        for pid in found:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        time.sleep(_TICK / 50)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
