"""The interface to Atheris and libFuzzer: counters, the custom mutator, and processes that libFuzzer starts again.

Three traps determine the order of the calls:

- libFuzzer looks its custom mutator up as a global symbol when its core is loaded. Atheris loads the mutator and then
  the core inside `Fuzz()`, but counters must be registered before that, which needs the core. Therefore the mutator's
  extension is loaded globally first, then the core. In the wrong order, the only symptom is `MS: 1 ChangeBit-`.
- Loading the core globally would make Atheris believe that libFuzzer was preloaded, and drop the custom mutator
  (google/atheris issue 54): the core is loaded locally.
- `-fork`, `-jobs`, `-merge` and `-minimize_crash` run `argv[0]` again through a shell. A plain script's name is not
  a command there, and libFuzzer reports success with nothing done: `argv[0]` is this interpreter and the script.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shlex
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import atheris
import numpy as np
from chcfuzz.execution.console import print_error
from chcfuzz.execution.exit_codes import EXIT_OOM
from chcfuzz.solvers import python
from numpy.typing import NDArray

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
Region = tuple[NDArray[np.uint8], NDArray[np.uintp]]


@dataclass(frozen=True)
class Callbacks:
    """Functions that libFuzzer calls: the target, the custom mutator and the custom crossover."""

    test_one_input: Callable[[bytes], None]
    mutate: Callable[[bytes, int, int], bytes]
    crossover: Callable[[bytes, bytes, int, int], bytes]


def mutate_bytes(data: bytes, max_size: int) -> bytes:
    """Apply libFuzzer's own byte mutations; the result has at most `max_size` bytes.

    This works only while libFuzzer runs a mutator.
    """
    return bytes(atheris.Mutate(data, max_size))


def _extension(name: str) -> str:
    spec = importlib.util.find_spec(f"atheris.{name}")
    if spec is None or spec.origin is None:
        raise ImportError(f"this Atheris lacks the extension {name!r}; install atheris 3.0 or newer")
    return spec.origin


def _register(hook: Any, array: NDArray[Any]) -> None:
    start = array.ctypes.data
    hook(ctypes.c_void_p(start), ctypes.c_void_p(start + array.nbytes))


def fuzz(script: Path, arguments: Sequence[str], callbacks: Callbacks, regions: Sequence[Region]) -> None:
    """Run libFuzzer in this process; does not return.

    Each region is an array of counters (n,), whose memory must not move while the process lives, and an array (n, 2)
    with an address and flags for each counter. `arguments` are libFuzzer's, without the program's name.
    """
    # `scratch.end_with_owner` does not suffice: its thread never runs in the process that supervises the jobs of -fork,
    # because that process does not execute Python any more. This call does not suffice either: libFuzzer starts jobs
    # through a shell, which is their parent.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    ctypes.CDLL(_extension("custom_mutator"), mode=ctypes.RTLD_GLOBAL)
    ctypes.CDLL(_extension("custom_crossover"), mode=ctypes.RTLD_GLOBAL)
    core = ctypes.CDLL(_extension("core_with_libfuzzer"))
    for counters, pcs in regions:
        _register(core["__sanitizer_cov_8bit_counters_init"], counters)
        _register(core["__sanitizer_cov_pcs_init"], pcs)
    program = shlex.join(python.command(str(script.resolve())))
    atheris.Setup(
        [program, *arguments],
        callbacks.test_one_input,
        custom_mutator=callbacks.mutate,
        custom_crossover=callbacks.crossover,
    )
    try:
        atheris.Fuzz()
    except Exception as error:  # noqa: BLE001  exceptions of C++, such as std::bad_alloc
        print_error(f"chcfuzz: libFuzzer failed: {type(error).__name__}: {error}")
        # The destructors of Atheris wait for ever for Python's lock, so Python must not end by itself.
        os._exit(EXIT_OOM if isinstance(error, MemoryError) else 1)
