"""Which lines and functions of Z3 a corpus reaches: edges of a traced build, through debug information.

Every edge counter has a PC; LLVM's symbolizer says in which function, file and line it stands. The line table says
which lines the code between two PCs comes from: these lines are *measured*. They are *reached* if the counter before
them was counted, or the one behind them. The latter because the compiler leaves out the counters of blocks that always
run before others that have one, and lays these blocks out just before them; where it does not, a line may be called
reached that is not. `bench/llvm_coverage.py` compares with source-based coverage, and states how near this comes.

The result is a data file of coverage.py whose plugin (`coverage_plugin`) reports Z3's sources, so that `coverage html`,
`lcov`, `json` and `report` show them beside Python.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import coverage
import numpy as np
from chcfuzz.tracing.line_table import CoverageError, line_table
from chcfuzz.tracing.llvm import tool
from numpy.typing import NDArray

PLUGIN = "chcfuzz.tracing.coverage_plugin"
_INCREMENT = 8  # bytes: what a counter's increment takes, and so belongs to nobody else
DATA, LINES, SETTINGS = "data.coverage", "lines.json", "coveragerc"


@dataclass(frozen=True)
class Place:
    """Where an edge starts; `file` as the debug information has it."""

    function: str
    file: str
    line: int


def places(library: Path, addresses: NDArray[np.uintp]) -> list[Place | None]:
    """Where each address of a library's file is, None where debug information does not say.

    Raises `CoverageError` where LLVM's symbolizer is missing or fails.
    """
    symbolizer = tool("llvm-symbolizer")
    done = subprocess.run(
        [symbolizer, f"--obj={library}", "--no-inlines", "--output-style=JSON"],
        input="\n".join(hex(int(address)) for address in addresses) + "\n",
        capture_output=True,
        text=True,
        check=False,
    )
    found = [_place(json.loads(line)) for line in done.stdout.splitlines() if line.startswith("{")]
    if len(found) != len(addresses):
        raise CoverageError(f"{symbolizer} told {len(found)} of {len(addresses)} places: {done.stderr.strip()[-200:]}")
    return found


def _place(told: dict[str, list[dict[str, str | int]]]) -> Place | None:
    symbol = next(iter(told.get("Symbol", ())), None)
    if not symbol or not symbol["FileName"] or not symbol["Line"]:
        return None
    file = _real_path(str(symbol["FileName"]))
    if _is_of_the_system(file):
        return None
    return Place(str(symbol["FunctionName"]), file, int(symbol["Line"]))


def _is_of_the_system(file: str) -> bool:
    """Whether this is the standard library's, inlined: not Z3's."""
    return "/include/c++/" in file or file.startswith("/usr/include/")


_real_path = lru_cache(maxsize=None)(os.path.realpath)


def load_address(library: Path) -> int:
    """Where in this process the library's first page is."""
    name = str(library.resolve())
    for line in Path("/proc/self/maps").read_text().splitlines():
        if line.endswith(name):
            return int(line.partition("-")[0], 16)
    raise CoverageError(f"{name!r} is not loaded in this process")


@dataclass(frozen=True)
class Coverage:
    """For each edge its place, and whether it was reached; which lines (file, number) the edges' code comes from."""

    places: Sequence[Place | None]
    reached: NDArray[np.bool_]
    measured_lines: frozenset[tuple[str, int]]
    reached_lines: frozenset[tuple[str, int]]

    def lines(self, reached_only: bool = False) -> dict[str, set[int]]:
        """The measured lines of each file, or the reached ones alone."""
        found: dict[str, set[int]] = {}
        for file, line in self.reached_lines if reached_only else self.measured_lines:
            found.setdefault(file, set()).add(line)
        return dict(sorted(found.items()))

    def functions(self, reached_only: bool = False) -> dict[str, set[str]]:
        """The functions of each file, or the reached ones alone."""
        found: dict[str, set[str]] = {}
        for place in self._places(reached_only):
            found.setdefault(place.file, set()).add(place.function)
        return dict(sorted(found.items()))

    def _places(self, reached_only: bool) -> Iterator[Place]:
        for place, reached in zip(self.places, self.reached, strict=True):
            if place is not None and (reached or not reached_only):
                yield place


class Lines:
    """The lines of a library's edges: which are `measured`, and which some counts reach. Made once, asked often.

    `pcs` (n, 2) are the edges' addresses in the library's file, and whether they enter a function. Raises
    `CoverageError` without debug information.
    """

    def __init__(self, library: Path, pcs: NDArray[np.uintp]) -> None:
        self._order = np.argsort(pcs[:, 0])
        ascending = pcs[self._order]
        addresses, enters = ascending[:, 0], ascending[:, 1] & 1 != 0
        table = line_table(library, int(addresses[0]), int(addresses[-1]))
        owners = table.owners(addresses)
        owned = owners >= 0
        self._before, self._after = owners[owned], np.minimum(owners[owned] + 1, len(addresses) - 1)
        behind_increment = table.address[owned] - addresses[self._before] >= _INCREMENT
        self._counts_after = ~enters[self._after] & behind_increment
        self._files = table.files
        self._pairs = np.stack([table.file[owned], table.line[owned]], axis=1)
        self.measured = self._named(self._pairs)

    def reached(self, edges: NDArray[np.bool_]) -> frozenset[tuple[str, int]]:
        """The lines, as file and number, that a run reached which counted these edges."""
        counted = edges[self._order]
        return self._named(self._pairs[counted[self._before] | (counted[self._after] & self._counts_after)])

    def _named(self, rows: NDArray[np.int32]) -> frozenset[tuple[str, int]]:
        lines = ((self._files[file], line) for file, line in np.unique(rows, axis=0).tolist())
        return frozenset((file, line) for file, line in lines if not _is_of_the_system(file))


def coverage_of(library: Path, pcs: NDArray[np.uintp], reached: NDArray[np.bool_]) -> Coverage:
    """What edges say: `pcs` as `Lines` takes them. Raises `CoverageError` without debug information."""
    lines = Lines(library, pcs)
    return Coverage(places(library, pcs[:, 0]), reached, lines.measured, lines.reached(reached))


def write(found: Coverage, folder: Path, python: coverage.CoverageData | None = None) -> None:
    """Write `folder`/data.coverage with what `coveragerc` beside it needs; `python` is added as it is."""
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


def table(found: Coverage) -> list[tuple[str, int, int, int, int]]:
    """A row for each file: its name, lines reached and measured, functions reached and measured."""
    lines, functions = found.lines(), found.functions()
    reached_lines, reached_functions = found.lines(True), found.functions(True)
    return [
        (
            file,
            len(reached_lines.get(file, ())),
            len(lines[file]),
            len(reached_functions.get(file, ())),
            len(functions.get(file, ())),  # a header whose every function was inlined
        )
        for file in lines
    ]
