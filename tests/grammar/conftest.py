"""The benchmark of this room doubles as its test on real files."""

from types import ModuleType

import pytest

from tests.benchmarks import benchmark


@pytest.fixture(scope="session")
def bench() -> ModuleType:
    """bench/domains/grammar.py."""
    return benchmark("domains.grammar")
