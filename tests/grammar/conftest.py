"""The benchmark of this room doubles as its test on real files."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench" / "grammar.py"


@pytest.fixture(scope="session")
def bench() -> ModuleType:
    """bench/grammar.py, which is a program and no package."""
    spec = importlib.util.spec_from_file_location("bench_grammar", BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_grammar"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
