"""Fixtures that every room's tests share."""

import os
from pathlib import Path

import pytest
from chcfuzz.solvers import z3_release

from tests.targets import finished, run, run_command, seeds  # noqa: F401  (fixtures)

z3_release.activate()  # before any test imports z3

ROOT = Path(__file__).resolve().parent.parent
# The solvers that tests plant can be imported by every process that a test starts.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
BENCHMARKS = ROOT.parent / "shared" / "benchmarks"


@pytest.fixture(scope="session")
def benchmarks() -> tuple[Path, ...]:
    """The public benchmark files, sorted by path. They are not part of the project."""
    files = tuple(sorted(BENCHMARKS.rglob("*.smt2"))) if BENCHMARKS.is_dir() else ()
    if not files:
        pytest.skip("needs the public benchmarks in ../shared/benchmarks")
    return files
