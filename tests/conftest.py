"""Fixtures for the tests of all rooms."""

import os
import signal
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import pytest
from chcfuzz.mutators import roots
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.reading_back import read_back
from chcfuzz.solvers import z3_release

from tests.played import play  # noqa: F401  (a fixture)
from tests.skips import pytest_sessionfinish  # noqa: F401  (a hook)
from tests.targets import finished, run, run_command, seeds  # noqa: F401  (fixtures)
from tests.traced import pytest_runtest_setup  # noqa: F401  (a hook)
from tests.users import become_user  # noqa: F401  (a fixture)

z3_release.activate()  # before any test imports z3
# Shells start background jobs with SIGINT ignored, and all processes that tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent
# readline, which pytest imports, exports COLUMNS behind Python's back, so output would be wrapped as on a terminal.
os.environ.pop("COLUMNS", None)
os.unsetenv("COLUMNS")
# Every process that a test starts can import the solvers in tests/.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
BENCHMARKS = ROOT.parent / "shared" / "benchmarks"


@pytest.fixture(autouse=True)
def chc_roots() -> Iterator[None]:
    """Activate the roots of CHC systems after each test, because a command may have activated another domain's."""
    yield
    roots.activate(roots.load(None).roots)


@pytest.fixture(scope="session")
def benchmarks() -> tuple[Path, ...]:
    """Public benchmark files, sorted by path; they are not part of the project."""
    files = tuple(sorted(BENCHMARKS.rglob("*.smt2"))) if BENCHMARKS.is_dir() else ()
    if not files:
        pytest.skip("needs the public benchmarks in ../shared/benchmarks")
    return files


@pytest.fixture(autouse=True)
def _mutants_are_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read back the text of every mutant that a test prints; campaigns of tests do the same (`--self-check`)."""

    def text(mutant: Mutant) -> str:
        printed: str = print_mutant(mutant)
        read_back(printed, roots.active())
        return printed

    checked = cached_property(text)
    checked.__set_name__(Mutant, "text")
    print_mutant = Mutant.__dict__["text"].func
    monkeypatch.setattr(Mutant, "text", checked)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put campaigns first in both halves of the list.

    Each of two processes starts with one half, and takes the last tests of the other half when its own is done. So
    neither process waits for a long campaign at the end.
    """
    campaigns = [item for item in items if "fuzz_targets" in item.path.parts]
    others = [item for item in items if "fuzz_targets" not in item.path.parts]
    files = list(dict.fromkeys(item.path for item in campaigns))
    first = [item for item in campaigns if files.index(item.path) % 2 == 0]
    second = [item for item in campaigns if files.index(item.path) % 2]
    half = max(0, len(items) // 2 - len(first))
    items[:] = [*first, *others[:half], *second, *others[half:]]
