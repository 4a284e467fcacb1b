"""A Z3 of one's own in a folder: a build of `build_z3_traced.sh`, or any other build with a libz3.so.

Python bindings fit only the library that they were generated for, because constants move between releases. A build
without bindings takes those of the released z3-solver with the same version.
"""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers import python
from chcfuzz.solvers.process_group import run_program

_SECONDS = 120.0  # to load a library
OLDEST = (4, 8, 12)
_LIBRARY = "libz3.so"
# CMake and mk_make.py write into build/, `make install` into lib/, a release on GitHub has bin/, a wheel z3/lib/.
_LIBRARY_FOLDERS = (".", "lib", "lib64", "bin", "build", "z3/lib")
_PROGRAM_FOLDERS = ("bin", "build", ".")
_BINDINGS = ("python", "bin/python", "build/python", "lib/python3*/*-packages", "lib64/python3*/*-packages", ".")
_ADVICE = "name a folder that ./build_z3_traced.sh has finished, or that of another build of Z3"
# A library that cannot be loaded may end the process, as that of a sanitizer does.
_PROBE = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
numbers = [ctypes.c_uint() for _ in range(4)]
library.Z3_get_version(*map(ctypes.byref, numbers))
print(*(number.value for number in numbers), int(hasattr(library, "chcfuzz_get_trace")))
"""


class ReleaseError(ChcfuzzError):
    """This Z3 cannot be had or used."""


@dataclass(frozen=True)
class Build:
    """A build of Z3. `bindings` is the folder with the package z3, or None if the build does not have it.

    `preload` is the library that must be loaded before it ("": none), `program` the z3 program beside it or None.
    """

    version: str
    library: Path
    bindings: Path | None
    is_traced: bool
    preload: str = ""
    program: Path | None = None


def build_in(folder: Path) -> Build:
    """Return the build in a folder; raises `ReleaseError`."""
    if not folder.is_dir():
        raise ReleaseError(f"no Z3 in {str(folder)!r}: not a folder; {_ADVICE}")
    return _traced(folder) if is_traced(folder) else _plain(folder)


def is_traced(folder: Path) -> bool:
    """Return whether `build_z3_traced.sh` has finished a build in this folder."""
    return (folder / "BUILD_INFO").exists()


def _traced(folder: Path) -> Build:
    """Return the build of `build_z3_traced.sh` in a folder; a package names its runtime from its folder on.

    BUILD_INFO is written last, so without it nothing is complete.
    """
    try:
        lines = (folder / "BUILD_INFO").read_text().splitlines()
    except OSError as error:
        raise ReleaseError(f"no Z3 in {str(folder)!r}: {error.strerror}: BUILD_INFO; {_ADVICE}") from error
    info = dict(line.partition("=")[::2] for line in lines)
    library = (folder / "lib" / _LIBRARY).resolve()
    if "version" not in info or not library.is_file() or not (folder / "python" / "z3").is_dir():
        raise ReleaseError(f"no Z3 in {str(folder)!r}: version, lib/libz3.so or python/z3 is missing; {_ADVICE}")
    preload = info.get("preload", "")
    runtime = str(folder.resolve() / preload) if preload else ""
    bindings = (folder / "python").resolve()
    return Build(info["version"], library, bindings, is_traced=True, preload=runtime, program=_program_in(folder))


def _plain(folder: Path) -> Build:
    """Return another build: its events come from Spacer's progress log."""
    libraries = (folder.resolve() / place / _LIBRARY for place in _LIBRARY_FOLDERS)
    library = next(filter(Path.is_file, libraries), None)
    if library is None:
        raise ReleaseError(f"no Z3 in {str(folder)!r}: neither BUILD_INFO nor libz3.so is there; {_ADVICE}")
    version = _version_of(library)
    if tuple(map(int, version.split(".")[:3])) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise ReleaseError(f"the Z3 in {str(folder)!r} is {version}; build {oldest} or a newer one")
    found = (core.parent.parent for place in _BINDINGS for core in sorted(folder.glob(f"{place}/z3/z3core.py")))
    bindings = next(found, None)
    own = None if bindings is None else bindings.resolve()
    return Build(version, library, own, is_traced=False, program=_program_in(folder))


def _program_in(folder: Path) -> Path | None:
    """Return the z3 program of the build in a folder; None if only the library was built."""
    programs = (folder.resolve() / place / "z3" for place in _PROGRAM_FOLDERS)
    return next((path for path in programs if path.is_file() and os.access(path, os.X_OK)), None)


@functools.cache
def _version_of(library: Path) -> str:
    """Return the version that a library reports, in a process of its own; raises `ReleaseError`."""
    words = python.command("-c", _PROBE, str(library))
    done = run_program(words, _SECONDS, ReleaseError, python.environment())
    if done.code != 0:
        reason = done.reason.removeprefix("OSError: ")
        raise ReleaseError(f"{str(library)!r} cannot be loaded as a Z3: {reason}; {_ADVICE}")
    *numbers, traced = done.out.split()
    if traced == "1":
        raise ReleaseError(f"{str(library)!r} is a traced build without BUILD_INFO; let ./build_z3_traced.sh finish it")
    return ".".join(numbers)
