"""A command under limits: a session of its own, a wall clock, resident memory, bounded output; nothing of it stays.

Memory is the resident memory of all processes of the session, sampled regularly. RLIMIT_AS would need no sampling, but
it limits address space, and a Java machine reserves more of that than any sensible limit when it starts.
A process that begins a session of its own is out of reach.

If this process dies before it can end the command, the kernel does it. Processes that the command has started end by
RLIMIT_CPU, which is longer than the wall clock.
"""

from __future__ import annotations

import ctypes
import functools
import math
import os
import resource
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

WALL_CLOCK, MEMORY = "wall clock", "memory"
# Signals from outside or from a limit, which are not a fault of the program that they end.
FROM_OUTSIDE = frozenset((signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU))
MOST_OUTPUT = 8 << 20  # bytes of each stream that are kept; the rest is read and dropped

TICK = 0.05
_LONGEST_TICK = 1.0  # on a busy machine; what takes longer was a pause
_LOOK_AT_MEMORY = 0.2  # seconds between looks, each of which reads all of /proc
_MOST_KILLS = 1000
_MOST_SECONDS = 1 << 40  # of processor time: larger values mean no limit
_CHUNK = 1 << 16
_PAGE = resource.getpagesize()
_PR_SET_PDEATHSIG = 1  # prctl(2)
_LIBC = ctypes.CDLL(None)


@dataclass(frozen=True)
class Ended:
    """How a command ended: `code` is negative for a signal, `stopped` why it was ended here, if it was.

    If the output `is_cut`, its end is missing.
    """

    code: int
    out: str
    err: str
    seconds: float
    stopped: str = ""
    is_cut: bool = False

    @property
    def is_too_long(self) -> bool:
        """Whether more was printed than is kept."""
        return self.is_cut and len(self.out.encode()) >= MOST_OUTPUT


def run(
    words: Sequence[str],
    wall_seconds: float,
    memory_megabytes: int,
    folder: Path,
    environment: Mapping[str, str] | None = None,
) -> Ended:
    """Run a command to its end or to a limit; nothing of its session is left. Raises `OSError` if it cannot start.

    `folder` is its current folder, which the caller removes. `environment` is added to that of this process.
    """
    start = time.monotonic()
    process = subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env={**os.environ, **environment} if environment else None,
        start_new_session=True,
        preexec_fn=functools.partial(_begin, (math.ceil(wall_seconds) + 2) * (os.cpu_count() or 1)),
    )
    with process:
        try:
            stopped, (out, err) = _followed(process, wall_seconds, memory_megabytes << 20)
        finally:
            kill_session(process.pid)
    is_cut = len(out) >= MOST_OUTPUT
    return Ended(process.returncode, _text(out), _text(err), time.monotonic() - start, stopped, is_cut)


def other_sender(number: int) -> str:
    """Return the reason of a run that a signal `FROM_OUTSIDE` ended."""
    return f"ended by signal {number}, which chcfuzz did not send: the kernel, another process or the solver itself did"


def cut_after() -> str:
    """Return the size of the output that is kept, as text."""
    return f"{MOST_OUTPUT >> 20} MB" if MOST_OUTPUT >> 20 else f"{MOST_OUTPUT} bytes"


def die_with_parent() -> None:
    """Have the kernel kill this child when its parent ends in any way (libFuzzer calls _Exit)."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _begin(processor_seconds: int) -> None:
    """Limit this child and its later children."""
    die_with_parent()
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    seconds = min(processor_seconds, _MOST_SECONDS if most == resource.RLIM_INFINITY else most)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def _followed(process: subprocess.Popen[bytes], seconds: float, most_memory: int) -> tuple[str, tuple[bytes, bytes]]:
    """Read the output of the command until it ends or reaches a limit; return the limit too.

    No time passes while this process is paused: the command may have ended long before.
    """
    assert process.stdout is not None
    assert process.stderr is not None
    clock = Clock(seconds, most_memory)
    kept: dict[IO[bytes], bytearray] = {process.stdout: bytearray(), process.stderr: bytearray()}
    stopped = ""
    with selectors.DefaultSelector() as selector:
        for stream in kept:
            selector.register(stream, selectors.EVENT_READ)
        while True:
            has_ended = process.poll() is not None  # before the last look at its output, or that may be lost
            ready = selector.select(TICK) if selector.get_map() else []
            for key, _ in ready:
                _read(key.fd, kept[key.fileobj], selector)  # type: ignore[index]
            if not ready and has_ended:
                break  # its end was read, or something that it left behind holds the other end
            if not selector.get_map():
                time.sleep(TICK / 10)
            stopped = clock.reached(process.pid)
            if stopped:
                break
    return stopped, (bytes(kept[process.stdout]), bytes(kept[process.stderr]))


class Clock:
    """The limits of a session's processes. No time passes while this process is paused: a pause is one tick."""

    def __init__(self, seconds: float, most_memory: int) -> None:
        self._seconds = seconds
        self._most_memory = most_memory
        self._next_look = _LOOK_AT_MEMORY
        self.passed = 0.0
        self._last = time.monotonic()

    def reached(self, session: int) -> str:
        """Return the limit that is reached, `WALL_CLOCK` or `MEMORY`, else nothing. Call it at least once a tick."""
        now = time.monotonic()
        self.passed, self._last = self.passed + min(now - self._last, _LONGEST_TICK), now
        if self.passed > self._seconds:
            return WALL_CLOCK
        if self.passed < self._next_look:
            return ""
        self._next_look = self.passed + _LOOK_AT_MEMORY
        return MEMORY if resident(session) > self._most_memory else ""


def _read(descriptor: int, into: bytearray, selector: selectors.BaseSelector) -> None:
    piece = os.read(descriptor, _CHUNK)
    if piece:
        into += piece[: max(0, MOST_OUTPUT - len(into))]
    else:
        selector.unregister(descriptor)


def state_of(pid: int) -> str:
    """Return a letter as in `ps`: R runs, T is paused, Z is only waited for; empty if the process does not exist."""
    try:
        # pid (comm) state ppid pgrp session ...; the command's name may hold anything, parentheses too.
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return ""


def members(session: int) -> list[int]:
    """Return the live processes of a session, without zombies."""
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
    """Return the number of bytes that the processes of a session hold in memory."""
    total = 0
    for pid in members(session):
        try:
            total += int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
        except (OSError, IndexError):
            continue  # it ended meanwhile
    return total


def kill_session(session: int) -> None:
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
        time.sleep(TICK / 50)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
