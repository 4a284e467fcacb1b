"""Scripts of `bench/` as modules."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]
BENCH = ROOT / "bench"


def benchmark(name: str) -> ModuleType:
    """Return a module of the package `bench`, which is a folder in the root of the repository."""
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))
    return importlib.import_module(f"bench.{name}")
