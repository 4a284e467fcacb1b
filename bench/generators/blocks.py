"""Basic blocks of Z3 that were reached, in a released wheel: breakpoints that are removed when they are reached first.

Used by `features.py --blocks`. Needs `cc` and `objdump`, and an x86-64 processor. A block begins at a function,
at the target of a direct jump, or after a conditional jump; targets of jump tables are missing. The solver runs at full
speed, apart from the first time that it reaches a block. Blocks are listed once for each library, and kept in a folder.
"""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import re
import subprocess
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_JUMP = re.compile(r"^ +([0-9a-f]+):\t(?:bnd |notrack )?(j\w+) +(?:([0-9a-f]+) <)?")
_FUNCTION = re.compile(r"^([0-9a-f]+) <")
_NEXT = re.compile(r"^ +([0-9a-f]+):\t")
_TEXT = re.compile(r"^ *\d+ \.text +([0-9a-f]+) +([0-9a-f]+) +\S+ +([0-9a-f]+)", re.MULTILINE)


class Blocks:
    """Blocks of a library that this process has loaded."""

    def __init__(self, folder: Path, name: str = "libz3.so") -> None:
        """List the blocks, and prepare breakpoints; code and lists are kept in the folder."""
        library, base = _loaded(name)
        sections = subprocess.run(["objdump", "-h", library], capture_output=True, text=True, check=True).stdout
        found = _TEXT.search(sections)
        assert found is not None, f"{library} has no code"
        size, address, offset = (int(text, 16) for text in found.groups())
        self._text = np.fromfile(library, dtype=np.uint8, count=size, offset=offset)
        self._starts = _starts(library, folder, address, size)
        self._states = np.zeros(size, dtype=np.uint8)
        loaded = base + address
        live = np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(loaded))
        assert np.array_equal(live, self._text), f"{library} is not the library that is loaded"
        self._code = _compiled(folder)
        arrays = (array.ctypes.data_as(ctypes.c_void_p) for array in (self._text, self._states))
        if self._code.blocks_start(ctypes.c_void_p(loaded), *arrays, ctypes.c_size_t(size)):
            raise SystemExit("the code of the solver cannot be changed on this system")
        atexit.register(self._end)  # which also keeps the arrays

    def begin(self) -> None:
        """Count from here on; blocks are forgotten."""
        self._states[self._starts] = 1
        self._code.blocks_set()

    def reached(self) -> NDArray[np.int64]:
        """Return the numbers of the blocks that were reached."""
        return np.flatnonzero(self._states[self._starts] == 2)

    def _end(self) -> None:
        self._code.blocks_end()

    def __len__(self) -> int:
        """Return the number of all blocks."""
        return len(self._starts)


def _loaded(name: str) -> tuple[Path, int]:
    """Return a loaded library with this beginning of its name, and the address of its first byte."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        fields = line.split(maxsplit=5)
        if len(fields) == 6 and fields[2] == "00000000" and Path(fields[5]).name.startswith(name):
            return Path(fields[5]), int(fields[0].partition("-")[0], 16)
    raise SystemExit(f"this process has not loaded {name}; name z3 first in --solvers")


def _compiled(folder: Path) -> ctypes.CDLL:
    source = Path(__file__).with_suffix(".c")
    library = folder / f"blocks-{hashlib.sha256(source.read_bytes()).hexdigest()[:12]}.so"
    if not library.exists():
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", source, "-o", library], check=True)
    return ctypes.CDLL(str(library))


def _starts(library: Path, folder: Path, address: int, size: int) -> NDArray[np.int64]:
    """Return the first bytes of all blocks, relative to the code."""
    kept = folder / f"blocks-{hashlib.sha256(library.read_bytes()).hexdigest()[:12]}.npy"
    if not kept.exists():
        np.save(kept, np.array(sorted(_listed(library, address, size)), dtype=np.int64))
    return np.load(kept)  # type: ignore[no-any-return]


def _listed(library: Path, address: int, size: int) -> set[int]:
    found: set[int] = set()
    instructions: set[int] = set()
    command = ["objdump", "-d", "-w", "--no-show-raw-insn", "--section=.text", str(library)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        after = False
        for line in process.stdout:
            here = _NEXT.match(line)
            if here is None:
                function = _FUNCTION.match(line)
                if function is not None:
                    found.add(int(function[1], 16) - address)
                continue
            at = int(here[1], 16) - address
            instructions.add(at)
            if after:
                found.add(at)
            jump = _JUMP.match(line)
            after = jump is not None and jump[2] != "jmp"
            if jump is not None and jump[3]:
                found.add(int(jump[3], 16) - address)
    return {each for each in found & instructions if 0 <= each < size}
