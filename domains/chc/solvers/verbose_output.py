"""The first lines that Z3 prints at verbosity 1, in memory: they name the rule transforms and their results.

Z3 prints to `std::cerr` of the C++ library that it is linked with. While an execution is recorded, `std::cerr` writes
to a buffer of this process. The file descriptor 2 stays as it is, so messages of libFuzzer and of sanitizers still
appear, and printing needs no system call: `dup2` to a file in memory cost 5 % of the solving instead of 2.5 %, since Z3
flushes after each word.

The buffer is a `std::strstreambuf` of a fixed size. When it is full, `std::cerr` fails, and later words cost nothing.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import c_char_p, c_int, c_long, c_ssize_t, c_void_p
from pathlib import Path
from typing import Any, cast

from chcfuzz.solvers.z3_release import Release

_SIZE = 1 << 14  # bytes; the lines about transforms take at most 2,000 on the seeds
_OBJECT_SIZE = 1 << 10  # bytes; a strstreambuf takes about 100
_TO_BASE = -3 * ctypes.sizeof(c_void_p)  # from a table of virtual functions to the offset of the virtual base


class VerboseOutput:
    """The output of Z3 in the last `recording`; see the module's docstring."""

    def __init__(self, library: ctypes.CDLL) -> None:
        """Find the functions of the C++ library of Z3; raises `AttributeError` for any library but libstdc++."""
        self._set = _function(library, "Z3_global_param_set", None, c_char_p, c_char_p)
        self._open = _function(library, "_ZNSt12strstreambufC1EPclS0_", None, c_void_p, c_char_p, c_long, c_char_p)
        self._length = _function(library, "_ZNKSt12strstreambuf6pcountEv", c_int, c_void_p)
        self._close = _function(library, "_ZNSt12strstreambufD1Ev", None, c_void_p)
        self._exchange = _function(
            library,
            "_ZNSt9basic_iosIcSt11char_traitsIcEE5rdbufEPSt15basic_streambufIcS1_E",
            c_void_p,
            c_void_p,
            c_void_p,
        )
        stream = ctypes.addressof(_symbol(library, "_ZSt4cerr"))
        table = c_void_p.from_address(stream).value or 0
        self._stream = stream + c_ssize_t.from_address(table + _TO_BASE).value
        self._object = ctypes.create_string_buffer(_OBJECT_SIZE)
        self._bytes = ctypes.create_string_buffer(_SIZE)
        self.text = b""

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Let Z3 print to the buffer in the block; afterwards, `text` is the beginning of its output."""
        self._set(b"verbose", b"1")
        self._open(self._object, self._bytes, len(self._bytes), self._bytes)
        before = self._exchange(self._stream, self._object)
        try:
            yield
        finally:
            self._exchange(self._stream, before)
            self._set(b"verbose", b"0")
            self.text = ctypes.string_at(self._bytes, self._length(self._object))
            self._close(self._object)


def verbose_output() -> VerboseOutput | None:
    """Return the output of this process's Z3; None if `shows_transforms` is false for it."""
    import z3  # not at the top: the start of a campaign only calls `shows_transforms`

    assert z3.get_version()
    maps = Path("/proc/self/maps").read_text().splitlines()  # a wheel can have two copies of the library
    loaded = (line.split(maxsplit=5)[-1] for line in maps if "/libz3." in line)
    return next((_output_of(path) for path in loaded), None)


def shows_transforms(release: Release) -> bool:
    """Return whether the library of a Z3 shares libstdc++ with the process, as released ones do, so that it is read."""
    return _output_of(str(release.library_folder / "libz3.so")) is not None


def _output_of(path: str) -> VerboseOutput | None:
    try:
        return VerboseOutput(ctypes.CDLL(path))
    except (OSError, AttributeError):
        return None


def _symbol(library: ctypes.CDLL, name: str) -> ctypes.c_char:
    try:
        return ctypes.c_char.in_dll(library, name)
    except ValueError as error:
        raise AttributeError(name) from error


def _function(library: ctypes.CDLL, name: str, result: type | None, *arguments: type) -> Callable[..., Any]:
    found: Any = getattr(library, name)
    found.restype, found.argtypes = result, arguments
    return cast(Callable[..., Any], found)
