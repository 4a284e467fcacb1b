"""Where the tests look for a traced build of Z3; those that need one skip without it."""

import os
from pathlib import Path

import pytest
from chcfuzz.campaign.options import LIBRARY_VARIABLE

_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
TRACED = Path(os.environ.get(LIBRARY_VARIABLE) or _CACHE / "chcfuzz" / "z3-traced" / "5.4.0.0-trace")

needs_traced_build = pytest.mark.skipif(
    not (TRACED / "BUILD_INFO").exists(), reason="needs a traced Z3: run ./build_z3_traced.sh"
)
