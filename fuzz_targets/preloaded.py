"""Detection of a preloaded libFuzzer, which ignores the custom mutator (google/atheris issue 54).

For native code, Atheris recommends preloading its `asan_with_fuzzer.so`, and OSS-Fuzz's wrapper of a Python target
always does so. libFuzzer looks for a custom mutator when it is loaded, which is before Atheris provides one, and
does not see the counters that are registered with Atheris's own libFuzzer. Such a campaign runs without feedback. This
program does not need the preloaded library.
"""

from __future__ import annotations

import ctypes
import os

from chcfuzz.execution.solving import UsageError
from chcfuzz.solvers import python

_OF_LIBFUZZER = "LLVMFuzzerRunDriver"


def start_again_without_libfuzzer() -> None:
    """Restart this program without the libFuzzer in LD_PRELOAD; do nothing if libFuzzer is not loaded.

    Sanitizers in libraries of their own stay. Raises `UsageError` if libFuzzer was not loaded by LD_PRELOAD.
    """
    if not _has_libfuzzer(None):
        return
    preloads = os.environ.get("LD_PRELOAD", "").replace(":", " ").split()
    kept = [library for library in preloads if not _has_libfuzzer(library)]
    if kept == preloads:
        raise UsageError("libFuzzer is loaded already, and would ignore the custom mutator; start without it")
    python.start_again({**os.environ, "LD_PRELOAD": ":".join(kept)})


def _has_libfuzzer(library: str | None) -> bool:
    """Return whether a library, or for None the whole process, contains libFuzzer."""
    try:
        return hasattr(ctypes.CDLL(library), _OF_LIBFUZZER)
    except OSError:  # the dynamic linker has ignored this entry too
        return False
