"""Edge counters of a solver that runs as a command and was compiled with them (`get_golem.sh --profile trace`).

The program writes them into a file when it exits (tracing/native/command_edges.cpp), and that file is mapped here: what
libFuzzer reads and clears is the file itself. It lies in memory and has no name, so that nobody has to remove it.
"""

from __future__ import annotations

import functools
import mmap
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.tracing.edges import NO_EDGES, Edges

VARIABLE = "CHCFUZZ_EDGES"
_TOLD = "edges=yes"  # in the BUILD_INFO beside a program that has them
_NUMBER = 8  # bytes
_SECONDS = 60.0
_LOADED_AT = 1 << 22  # where a program that is not moved would lie, and the counters of `tracing.counters` do not


class CommandEdgesError(ChcfuzzError):
    """A program that should have edge counters, and does not show them."""


@dataclass(frozen=True)
class CommandEdges:
    """`edges` are those of the last run that ended by itself with `environment` among its variables."""

    edges: Edges
    environment: Mapping[str, str]


NONE = CommandEdges(NO_EDGES, {})


@functools.cache
def edges_of(program: str) -> CommandEdges:
    """The edges of a program, one set for this process; none where the BUILD_INFO beside it tells of none.

    Raises `CommandEdgesError` where the program does not keep what its BUILD_INFO says.
    """
    try:
        told = Path(program).resolve().with_name("BUILD_INFO").read_text().splitlines()
    except OSError:
        return NONE
    if _TOLD not in told:
        return NONE
    file = os.memfd_create("chcfuzz-edges")  # open as long as this process: the program opens it through that
    environment = {VARIABLE: f"/proc/{os.getpid()}/fd/{file}"}
    _ask(program, environment)
    size = os.fstat(file).st_size
    mapped = mmap.mmap(file, 0) if size > _NUMBER else mmap.mmap(-1, _NUMBER)
    count = int(np.frombuffer(mapped, np.uint64, 1)[0])
    table_at = _NUMBER + -(-count // _NUMBER) * _NUMBER
    if not count or len(mapped) != table_at + 2 * _NUMBER * count:
        raise CommandEdgesError(
            f"{program!r} does not tell its edges, though its BUILD_INFO says {_TOLD!r}; build it anew"
        )
    counters = np.frombuffer(mapped, np.uint8, count, _NUMBER)
    pcs = np.frombuffer(mapped, np.uint64, 2 * count, table_at).reshape(count, 2).astype(np.uintp)
    pcs[:, 0] += _LOADED_AT
    counters[:] = 0
    return CommandEdges(Edges(counters, pcs), environment)


def _ask(program: str, environment: Mapping[str, str]) -> None:
    """Have the program write its table: it does so whatever it is asked."""
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
        raise CommandEdgesError(f"cannot ask {program!r} for its edges: {error}") from error
