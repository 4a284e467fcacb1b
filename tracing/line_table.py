"""The source line of each range of a library's machine code, as `llvm-dwarfdump` prints it."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from chcfuzz.tracing.line_excerpt import CoverageError, excerpt
from chcfuzz.tracing.llvm import lines_of, tool
from numpy.typing import NDArray

_NAMED = re.compile(r'\s*(include_directories|file_names)\[\s*(\d+)\](?: = "(.*)"|:)$')
_NAME = re.compile(r'\s*name: "(.*)"$')
_FOLDER = re.compile(r"\s*dir_index: (\d+)$")
_real_path = lru_cache(maxsize=None)(os.path.realpath)


@dataclass(frozen=True)
class LineTable:
    """Rows (n,): from `address` to the next row, code comes from `line` in `files[file]`.

    `start` is the address of the section that a row belongs to; the linker places sections in any order.
    """

    files: tuple[str, ...]
    address: NDArray[np.uint64]
    start: NDArray[np.uint64]
    file: NDArray[np.int32]
    line: NDArray[np.int32]

    def owners(self, places: NDArray[np.uint64]) -> NDArray[np.intp]:
        """Return for each row the index of the last of these ascending addresses before it in its section, or -1."""
        before = np.searchsorted(places, self.address, side="right") - 1
        inside = (before >= 0) & (places[np.maximum(before, 0)] >= self.start)
        return np.where(inside, before, -1)


def line_table(library: Path, addresses: NDArray[np.uint64]) -> LineTable:
    """Return the rows for statements in the sections between these ascending addresses of a library's file.

    Raises `CoverageError` if `llvm-dwarfdump` finds nothing, `ToolError` if a program of LLVM is missing or fails.
    """
    dump = tool("llvm-dwarfdump")
    with tempfile.TemporaryDirectory(prefix="chcfuzz-lines-") as folder:
        command = [dump, "--debug-line", str(excerpt(library, addresses, Path(folder)))]
        found = _Reader(int(addresses[0]), int(addresses[-1])).read(lines_of(command))
    if not len(found.line):
        raise CoverageError(f"{dump} finds no source lines in {str(library)!r}; build it with -g1")
    return found


class _Reader:
    def __init__(self, lowest: int, highest: int) -> None:
        self._bounds = lowest, highest
        self._rows: list[tuple[int, int, int, int]] = []
        self._piece: list[tuple[int, int, int]] = []
        self._files: dict[str, int] = {}
        self._folders: dict[int, str] = {}
        self._names: dict[int, int] = {}
        self._last = (0, "")

    def read(self, lines: Iterable[str]) -> LineTable:
        for line in lines:
            if line.startswith("0x"):
                self._row(line)
            elif line.startswith("debug_line["):
                self._folders, self._names = {}, {}
            else:
                self._name(line)
        columns = np.array(self._rows, dtype=np.uint64).reshape(-1, 4)
        address, start = columns[:, 0].copy(), columns[:, 1].copy()
        file, line_numbers = columns[:, 2].astype(np.int32), columns[:, 3].astype(np.int32)
        return LineTable(tuple(self._files), address, start, file, line_numbers)

    def _row(self, line: str) -> None:
        address, number, _, file, rest = line.split(None, 4)
        if "end_sequence" not in rest:
            if number != "0" and "is_stmt" in rest:
                self._piece.append((int(address, 16), self._names.get(int(file), -1), int(number)))
            return
        lowest, highest = self._bounds
        if self._piece and self._piece[0][0] <= highest and int(address, 16) >= lowest:
            start = self._piece[0][0]
            self._rows += ((where, start, name, number) for where, name, number in self._piece if name >= 0)
        self._piece.clear()

    def _name(self, line: str) -> None:
        if named := _NAMED.match(line):
            if named[1] == "include_directories":
                self._folders[int(named[2])] = os.path.join(self._folders.get(0, ""), named[3])
            else:
                self._last = int(named[2]), ""
        elif name := _NAME.match(line):
            self._last = self._last[0], name[1]
        elif folder := _FOLDER.match(line):
            index, text = self._last
            path = _real_path(os.path.join(self._folders.get(int(folder[1]), ""), text))
            self._names[index] = self._files.setdefault(path, len(self._files))
