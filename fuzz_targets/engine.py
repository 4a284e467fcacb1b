"""The join with Atheris and libFuzzer: counters of our own, the custom mutator, and processes that start again.

Three traps decide the order of things here (each was walked into once):

- libFuzzer looks its custom mutator up as a global symbol when its core is loaded. Atheris loads the two in that
  order inside `Fuzz()`, but counters must be registered before, which needs the core: so the mutator's extension is
  loaded globally first, then the core. The wrong way round, the log says `MS: 1 ChangeBit-` and nothing else complains.
- Loading the core globally would make Atheris believe that libFuzzer was preloaded, and drop the custom mutator
  (google/atheris issue 54): the core is loaded locally.
- `-fork`, `-jobs`, `-merge` and `-minimize_crash` run `argv[0]` again through a shell. A plain script's name is not
  a command there, and libFuzzer reports success with nothing done: `argv[0]` is this interpreter and the script.
"""

from __future__ import annotations

import ctypes
import importlib.util
import shlex
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import atheris
import numpy as np
from chcfuzz.solvers import python
from numpy.typing import NDArray

TestOneInput = Callable[[bytes], None]
Mutator = Callable[[bytes, int, int], bytes]
_PR_SET_PDEATHSIG = 1  # linux/prctl.h
Region = tuple[NDArray[np.uint8], NDArray[np.uintp]]
Crossover = Callable[[bytes, bytes, int, int], bytes]


def mutate_bytes(data: bytes, max_size: int) -> bytes:
    """libFuzzer's own byte mutations; never longer than `max_size`, usable only while libFuzzer runs a mutator."""
    return bytes(atheris.Mutate(data, max_size))


def _extension(name: str) -> str:
    spec = importlib.util.find_spec(f"atheris.{name}")
    if spec is None or spec.origin is None:
        raise ImportError(f"this Atheris has no extension {name!r}; install atheris 3.0 or newer")
    return spec.origin


def _register(hook: Any, array: NDArray[Any]) -> None:
    start = array.ctypes.data
    hook(ctypes.c_void_p(start), ctypes.c_void_p(start + array.nbytes))


def fuzz(
    script: Path,
    arguments: Sequence[str],
    test_one_input: TestOneInput,
    mutator: Mutator,
    crossover: Crossover,
    regions: Sequence[Region],
) -> None:
    """Hand the process over to libFuzzer; does not return.

    Each region is counters (n,), which must stay where they are in memory for as long as the process lives, and
    (n, 2) an address and flags for each of them. `arguments` are libFuzzer's, without the program's name.
    """
    # Beside `scratch.end_with_owner`, whose thread never gets a turn in the process that watches over -fork's jobs: it
    # executes no Python any more. That in turn does what this cannot: libFuzzer starts jobs through a shell.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    ctypes.CDLL(_extension("custom_mutator"), mode=ctypes.RTLD_GLOBAL)
    ctypes.CDLL(_extension("custom_crossover"), mode=ctypes.RTLD_GLOBAL)
    core = ctypes.CDLL(_extension("core_with_libfuzzer"))
    for counters, pcs in regions:
        _register(core.__sanitizer_cov_8bit_counters_init, counters)
        _register(core.__sanitizer_cov_pcs_init, pcs)
    program = shlex.join(python.command(str(script.resolve())))
    atheris.Setup([program, *arguments], test_one_input, custom_mutator=mutator, custom_crossover=crossover)
    atheris.Fuzz()
