"""Edge counters of a C or C++ solver that runs as a command (docs/command-edges.md).

The solver is compiled with edge counters and linked with tracing/native/command_edges.cpp, which writes the counters to
a file when the program exits. This module maps that file: libFuzzer reads and clears the file itself. The file is an
anonymous file in memory, so it is never left behind.
"""

from __future__ import annotations

import functools
import mmap
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.tracing.edges import NO_EDGES, Edges

VARIABLE = "CHCFUZZ_EDGES"
_NUMBER = 8  # bytes
_SECONDS = 60.0
_LOADED_AT = 1 << 22  # where a program that is not relocated is loaded; `tracing.counters` uses other addresses


class CommandEdgesError(ChcfuzzError):
    """A program that contains the recorder of edges and does not write any."""


@dataclass(frozen=True)
class CommandEdges:
    """Edges of the last run that exited by itself with `environment` among its variables."""

    edges: Edges
    environment: Mapping[str, str]


NONE = CommandEdges(NO_EDGES, {})


@functools.cache
def edges_of(program: str) -> CommandEdges:
    """Return the edges of a program, one set for this process; `NONE` for a program without the recorder.

    Raises `CommandEdgesError` if the program contains the recorder and does not write its table.
    """
    if not _has_recorder(program):
        return NONE
    file = os.memfd_create("chcfuzz-edges")  # never closed: the program opens it through this process
    environment = {VARIABLE: f"/proc/{os.getpid()}/fd/{file}"}
    _run_once(program, environment)
    size = os.fstat(file).st_size
    mapped = mmap.mmap(file, 0) if size > _NUMBER else mmap.mmap(-1, _NUMBER)
    count = int(np.frombuffer(mapped, np.uint64, 1)[0])
    table_at = _NUMBER + -(-count // _NUMBER) * _NUMBER
    if not count or len(mapped) != table_at + 2 * _NUMBER * count:
        raise CommandEdgesError(
            f"{program!r} contains chcfuzz's recorder of edges, but 'program --version' writes no edges: compile it"
            " with the flags of docs/command-edges.md"
        )
    counters = np.frombuffer(mapped, np.uint8, count, _NUMBER)
    pcs = np.frombuffer(mapped, np.uint64, 2 * count, table_at).reshape(count, 2).astype(np.uintp)
    pcs[:, 0] += _LOADED_AT
    counters[:] = 0
    return CommandEdges(Edges(counters, pcs), environment)


def _has_recorder(program: str) -> bool:
    """Determine whether the file of a program names the recorder's variable, as command_edges.cpp does."""
    try:
        with open(program, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as contents:
            return contents.find(VARIABLE.encode()) >= 0
    except (OSError, ValueError):  # ValueError: an empty file
        return False


def _run_once(program: str, environment: Mapping[str, str]) -> None:
    """Run the program, which writes its table when it exits, whatever its arguments are."""
    try:
        subprocess.run(
            [program, "--version"],
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CommandEdgesError(f"cannot run {program!r} for its edges: {error}") from error
