"""Lines and functions of Z3 that a corpus reaches: the edges of a traced build, located by debug information.

Every edge counter has a PC, and LLVM's symbolizer returns its function, file and line. The line table returns the
source lines of the code between two PCs: these lines are *measured*. They are *reached* if the counter before them was
counted, or the one after them. The latter is needed because the compiler omits the counters of blocks that always run
before others with a counter, and places these blocks just before them. If it places one elsewhere, an unreached line
may be reported as reached. `bench/power/llvm_coverage.py` measures the difference from source-based coverage.

The result is a data file of coverage.py whose plugin (`coverage_plugin`) reports Z3's sources, so that `coverage html`,
`lcov`, `json` and `report` show them together with Python.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path

import coverage
import msgspec
import numpy as np
from chcfuzz.tracing.line_excerpt import CoverageError
from chcfuzz.tracing.line_table import line_table
from chcfuzz.tracing.llvm import run, tool
from numpy.typing import NDArray

PLUGIN = "chcfuzz.tracing.coverage_plugin"
_PARAMETERS = re.compile(r"(?<!operator)\((?!anonymous namespace)")
_INCREMENT = 8  # bytes of the instructions that increment a counter
DATA, LINES, SETTINGS, UNREACHED = "data.coverage", "lines.json", "coveragerc", "unreached.html"


@dataclass(frozen=True)
class SourcePlace:
    """The start of an edge; `file` as in the debug information."""

    function: str
    file: str
    line: int

    @property
    def name(self) -> str:
        """The function without its parameters."""
        found = _PARAMETERS.search(self.function)
        return self.function[: found.start()] if found else self.function


def places(library: Path, addresses: NDArray[np.uintp]) -> list[SourcePlace | None]:
    """Return the place of each address of a library's file, None without debug information.

    Raises `CoverageError` if LLVM's symbolizer is missing or fails.
    """
    return [_place(frames) for frames in symbolized(library, addresses, "--no-inlines")]


def written_places(library: Path, addresses: NDArray[np.uintp]) -> list[SourcePlace | None]:
    """Return the place of each address in the function where it was written, which may be inlined into another one.

    Raises `CoverageError` if LLVM's symbolizer is missing or fails.
    """
    found = symbolized(library, addresses, "--inlines")
    return [next(filter(None, (_place([frame]) for frame in frames)), None) for frames in found]


class Frame(msgspec.Struct, rename="pascal"):
    """A function at an address, as LLVM's symbolizer prints it; empty and 0 if unknown."""

    function_name: str
    file_name: str
    line: int


class _Symbolized(msgspec.Struct, rename="pascal"):
    symbol: list[Frame] = []


def symbolized(library: Path, addresses: NDArray[np.uintp], flag: str) -> list[list[Frame]]:
    """Return the frames at each address, inlined ones first; `flag` is one of LLVM's symbolizer.

    Raises `CoverageError` if the symbolizer is missing or fails.
    """
    if not len(addresses):
        return []  # the symbolizer would print a result for the empty line
    symbolizer = tool("llvm-symbolizer")
    given = ("\n".join(map(hex, addresses.tolist())) + "\n").encode()
    done = run([symbolizer, f"--obj={library}", flag, "--output-style=JSON"], given)
    decoder = msgspec.json.Decoder(_Symbolized)
    found = [decoder.decode(line).symbol for line in done.stdout.splitlines() if line.startswith(b"{")]
    if len(found) != len(addresses):
        reason = done.stderr.decode(errors="replace").strip()[-200:]
        raise CoverageError(f"{symbolizer} found {len(found)} of {len(addresses)} places: {reason}")
    return found


def _place(frames: list[Frame]) -> SourcePlace | None:
    if not frames or not frames[0].file_name or not frames[0].line:
        return None
    file = _real_path(frames[0].file_name)
    if _is_of_the_system(file):
        return None
    return SourcePlace(frames[0].function_name, file, frames[0].line)


def _is_of_the_system(file: str) -> bool:
    """Return whether this is a file of the standard library, inlined into Z3."""
    return "/include/c++/" in file or file.startswith("/usr/include/")


_real_path = lru_cache(maxsize=None)(os.path.realpath)


def load_address(library: Path) -> int:
    """Return the address of the library's first page in this process."""
    name = str(library.resolve())
    for line in Path("/proc/self/maps").read_text().splitlines():
        if line.endswith(name):
            return int(line.partition("-")[0], 16)
    raise CoverageError(f"{name!r} is not loaded in this process")


@dataclass(frozen=True)
class Coverage:
    """The place of each edge, whether it was reached, and the measured and reached lines as (file, number)."""

    places: Sequence[SourcePlace | None]
    reached: NDArray[np.bool_]
    measured_lines: frozenset[tuple[str, int]]
    reached_lines: frozenset[tuple[str, int]]

    def lines(self, reached_only: bool = False) -> dict[str, set[int]]:
        """Return the measured lines of each file, or only the reached ones."""
        found: dict[str, set[int]] = {}
        for file, line in self.reached_lines if reached_only else self.measured_lines:
            found.setdefault(file, set()).add(line)
        return dict(sorted(found.items()))

    def functions(self, reached_only: bool = False) -> dict[str, set[str]]:
        """Return the functions of each file, or only the reached ones."""
        found: dict[str, set[str]] = {}
        for place in self._places(reached_only):
            found.setdefault(place.file, set()).add(place.function)
        return dict(sorted(found.items()))

    def _places(self, reached_only: bool) -> Iterator[SourcePlace]:
        for place, reached in zip(self.places, self.reached, strict=True):
            if place is not None and (reached or not reached_only):
                yield place


class Lines:
    """The lines of a library's edges: the `measured` ones, and those that some counts reach.

    `pcs` (n, 2) are the edges' addresses in the library's file, and whether they are entries of functions. Raises
    `CoverageError` without debug information.
    """

    def __init__(self, library: Path, pcs: NDArray[np.uintp]) -> None:
        """Read the line table of the library."""
        self._order = np.argsort(pcs[:, 0])
        ascending = pcs[self._order]
        addresses, enters = ascending[:, 0], ascending[:, 1] & 1 != 0
        table = line_table(library, addresses)
        owners = table.owners(addresses)
        owned = owners >= 0
        self._before, self._after = owners[owned], np.minimum(owners[owned] + 1, len(addresses) - 1)
        behind_increment = table.address[owned] - addresses[self._before] >= _INCREMENT
        self._counts_after = ~enters[self._after] & behind_increment
        self._files = table.files
        self._pairs = np.stack([table.file[owned], table.line[owned]], axis=1)
        self.measured = self._named(self._pairs)

    def reached(self, edges: NDArray[np.bool_]) -> frozenset[tuple[str, int]]:
        """Return the lines, as file and number, that a run reached which counted these edges."""
        counted = edges[self._order]
        return self._named(self._pairs[counted[self._before] | (counted[self._after] & self._counts_after)])

    def _named(self, rows: NDArray[np.int32]) -> frozenset[tuple[str, int]]:
        lines = ((self._files[file], line) for file, line in np.unique(rows, axis=0).tolist())
        return frozenset((file, line) for file, line in lines if not _is_of_the_system(file))


def coverage_of(library: Path, pcs: NDArray[np.uintp], reached: NDArray[np.bool_]) -> Coverage:
    """Return the coverage of edges; `pcs` as for `Lines`. Raises `CoverageError` without debug information."""
    lines = Lines(library, pcs)
    return Coverage(places(library, pcs[:, 0]), reached, lines.measured, lines.reached(reached))


def write(found: Coverage, folder: Path, python: coverage.CoverageData | None = None) -> None:
    """Write `folder`/data.coverage and the files that its `coveragerc` needs; `python` is added unchanged."""
    measured, reached = found.lines(), found.lines(reached_only=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / DATA).unlink(missing_ok=True)
        (folder / LINES).write_text(json.dumps({file: sorted(lines) for file, lines in measured.items()}))
        (folder / SETTINGS).write_text(
            f"[run]\nplugins = {PLUGIN}\ndata_file = {folder / DATA}\n[{PLUGIN}]\nlines = {folder / LINES}\n"
        )
    except OSError as error:
        raise CoverageError(f"cannot write to {str(folder)!r}: {error.strerror}") from error
    data = coverage.CoverageData(basename=str(folder / DATA))
    data.add_lines({file: reached.get(file, set()) for file in measured})
    data.add_file_tracers(dict.fromkeys(measured, f"{PLUGIN}.SolverPlugin"))
    if python is not None:
        data.update(python)
    data.write()


def write_unreached(functions: Sequence[SourcePlace], folder: Path) -> None:
    """Write `folder`/unreached.html, a table of functions."""
    rows = "".join(
        f"<tr><td>{escape(place.file)}:{place.line}</td><td>{escape(place.function)}</td></tr>\n" for place in functions
    )
    title = f"Functions that systems can reach and no unit did: {len(functions)}"
    text = f"<!DOCTYPE html>\n<meta charset=utf-8>\n<title>{title}</title>\n<h1>{title}</h1>\n<table>\n{rows}</table>\n"
    try:
        (folder / UNREACHED).write_text(text)
    except OSError as error:
        raise CoverageError(f"cannot write to {str(folder)!r}: {error.strerror}") from error


def table(found: Coverage) -> list[tuple[str, int, int, int, int]]:
    """Return a row for each file: its name, lines reached and measured, functions reached and measured."""
    lines, functions = found.lines(), found.functions()
    reached_lines, reached_functions = found.lines(True), found.functions(True)
    return [
        (
            file,
            len(reached_lines.get(file, ())),
            len(lines[file]),
            len(reached_functions.get(file, ())),
            len(functions.get(file, ())),  # none in a header whose functions were all inlined
        )
        for file in lines
    ]
