"""The functions of a traced Z3 that a campaign has reached, in a run folder: `functions/<build>`.

Functions and edges are addresses in the file of the library, so that a reader does not have to load the library.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from chcfuzz.execution.codec import to_json
from chcfuzz.execution.files import read_json, write_whole
from chcfuzz.execution.solving import UsageError

FORMAT = "chcfuzz-functions 1"
_FOLDER = "functions"


class Functions(msgspec.Struct, frozen=True):
    """Addresses, ascending: entries that were `reached`, other edges that were, entries that were `never` reached.

    `build_info` describes the library.
    """

    library: str
    build_info: str
    reached: tuple[int, ...]
    edges: tuple[int, ...]
    never: tuple[int, ...]

    def with_reached(self, before: Functions) -> Functions:
        """Return the functions with those that were reached before."""
        reached = {*self.reached, *before.reached}
        return msgspec.structs.replace(
            self,
            reached=tuple(sorted(reached)),
            edges=tuple(sorted({*self.edges, *before.edges})),
            never=tuple(at for at in self.never if at not in reached),
        )


def read(run: Path, build: str) -> Functions | None:
    """Return the functions that a run folder has for a build, or None; raises `UsageError` for a damaged file."""
    advice = "remove it, unless a newer chcfuzz reads it"
    return read_json(run / _FOLDER / build, Functions, FORMAT, UsageError, advice)


def write(run: Path, build: str, functions: Functions) -> None:
    """Replace the functions of a build; raises `UsageError` if the disk is full."""
    path = run / _FOLDER / build
    try:
        path.parent.mkdir(exist_ok=True)
        write_whole(path, to_json(functions, FORMAT), durable=True)
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}; make room") from error
