"""A libFuzzer that was loaded before this program, which would have no custom mutator (google/atheris issue 54).

Atheris's advice for native code is to preload its `asan_with_fuzzer.so`, and OSS-Fuzz's wrapper of a Python target
always does. libFuzzer looks for a custom mutator when it is loaded, and Atheris has none until later; nor does it see
the counters that are registered with Atheris's own. Such a campaign goes on, blindly. This program needs none of it.
"""

from __future__ import annotations

import ctypes
import os

from chcfuzz.execution.solving import UsageError
from chcfuzz.solvers import python

_OF_LIBFUZZER = "LLVMFuzzerRunDriver"


def start_again_without_libfuzzer() -> None:
    """Start this program once more without it where LD_PRELOAD names one; nothing happens where none is loaded.

    Sanitizers that are a library of their own stay. Raises `UsageError` where libFuzzer came in another way.
    """
    if not _has_libfuzzer(None):
        return
    preloads = os.environ.get("LD_PRELOAD", "").replace(":", " ").split()
    kept = [library for library in preloads if not _has_libfuzzer(library)]
    if kept == preloads:
        raise UsageError("libFuzzer is loaded already, and would ignore the custom mutator; start without it")
    python.start_again({**os.environ, "LD_PRELOAD": ":".join(kept)})


def _has_libfuzzer(library: str | None) -> bool:
    """Whether it has; None asks what the whole process sees."""
    try:
        return hasattr(ctypes.CDLL(library), _OF_LIBFUZZER)
    except OSError:  # the dynamic linker has ignored it too
        return False
