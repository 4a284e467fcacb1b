"""A small file with those line tables of a library that describe some of its code.

A table describes one compiled source file. Edges are counted in a few of Z3's, and `llvm-dwarfdump` prints some hundred
thousand rows a second, so the other tables are cut out before it is run.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.tracing.llvm import run, tool
from numpy.typing import NDArray

_SECTION, _NAMES = ".debug_line", (".debug_line_str", ".debug_str")
_SET_ADDRESS = (0, 9, 2)  # the opcode DW_LNE_set_address and its length; eight bytes of an address follow
_LONG = 0xFFFFFFF0  # lengths from here on have a meaning of their own, such as 64-bit DWARF


class CoverageError(ChcfuzzError):
    """Edges cannot be located in source files, or the result cannot be written."""


def excerpt(library: Path, addresses: NDArray[np.uint64], folder: Path) -> Path:
    """Write the line tables of the code at these ascending addresses to a new file in `folder`; return it.

    Raises `CoverageError` without line tables in the library, `ToolError` without `llvm-objcopy`.
    """
    tables, names, made = folder / "tables", folder / "names", folder / "excerpt"
    kept = [f"--only-section={name}" for name in (_SECTION, *_NAMES)]
    words = ["--decompress-debug-sections", *kept, f"--dump-section={_SECTION}={tables}", str(library), str(names)]
    if reason := _objcopy(words):
        raise CoverageError(f"no source lines in {str(library)!r}; build it with -g1: {reason}")
    tables.write_bytes(_selected(tables.read_bytes(), addresses))
    if reason := _objcopy([f"--update-section={_SECTION}={tables}", str(names), str(made)]):
        raise CoverageError(f"cannot copy the line tables of {str(library)!r}: {reason}")
    return made


def _objcopy(words: list[str]) -> str:
    """Run `llvm-objcopy`; return its message if it fails."""
    done = run([tool("llvm-objcopy"), *words])
    reason = done.stderr.decode(errors="replace").strip()[-200:]
    return "" if done.returncode == 0 else reason or f"exit code {done.returncode}"


def _selected(section: bytes, addresses: NDArray[np.uint64]) -> bytes:
    """Return the tables whose code begins last before an address, in their order."""
    offsets = _offsets(section)
    content = np.frombuffer(section, np.uint8)
    sets = np.logical_and.reduce([content[i : len(content) - 10 + i] == byte for i, byte in enumerate(_SET_ADDRESS)])
    places = np.flatnonzero(sets)
    starts = content[places[:, None] + np.arange(3, 11)].copy().view("<u8")[:, 0]
    ascending = np.unique(starts)
    before = np.unique(np.searchsorted(ascending, addresses, side="right") - 1)
    used = places[np.isin(starts, ascending[before[before >= 0]])]
    tables = np.unique(np.searchsorted(offsets, used, side="right") - 1)
    return b"".join(section[offsets[table] : offsets[table + 1]] for table in tables)


def _offsets(section: bytes) -> list[int]:
    """Return the offset of each table, and of the end. With a 64-bit length, the whole section counts as one table."""
    offsets = [0]
    while offsets[-1] < len(section):
        length = int.from_bytes(section[offsets[-1] : offsets[-1] + 4], "little")
        if length >= _LONG:
            return [0, len(section)]
        offsets.append(offsets[-1] + 4 + length)
    return offsets
