"""Fixtures that every room's tests share."""

import os
import signal
from pathlib import Path

import pytest
from chcfuzz.solvers import z3_release

from tests.targets import finished, run, run_command, seeds  # noqa: F401  (fixtures)

z3_release.activate()  # before any test imports z3
# A shell lets what it starts in the background ignore SIGINT, which all processes that tests start would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Campaigns first, in both halves of the list: each of two processes begins with one half, and takes the other's
    last tests when it has no more. So nobody waits for the last campaign in the end.
    """
    campaigns = [item for item in items if "fuzz_targets" in item.path.parts]
    others = [item for item in items if "fuzz_targets" not in item.path.parts]
    files = list(dict.fromkeys(item.path for item in campaigns))
    first = [item for item in campaigns if files.index(item.path) % 2 == 0]
    second = [item for item in campaigns if files.index(item.path) % 2]
    half = max(0, len(items) // 2 - len(first))
    items[:] = [*first, *others[:half], *second, *others[half:]]
