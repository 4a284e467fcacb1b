"""Continuous integration fails if a test is skipped for a reason that its list does not have."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.skips import VARIABLE
from tests.targets import ROOT

KNOWN = ROOT / ".ci" / "known-skips"
TESTS = """
import pytest

def test_of_golem():
    pytest.skip("needs golem on PATH")

@pytest.mark.skipif(True, reason="needs [another] thing: 5")
def test_of_another_thing():
    pass
"""
BUILDS = """
import pytest
from tests.traced import needs

@pytest.fixture
def build():
    raise AssertionError

@needs(False, "needs a build")
def test_with_a_missing_build(build):
    pass

@needs(True, "needs another build")
def test_with_a_build():
    pass

def test_without_a_build():
    pass
"""


@pytest.mark.parametrize(
    ("known", "code", "unknown"),
    [
        ("# programs\nneeds golem *\nneeds [[]another] thing: *\n", 0, 0),
        ("needs golem *\n", 1, 1),
        ("", 1, 2),
        (None, 0, 0),
    ],
)
@pytest.mark.parametrize("processes", ["0", "1"])
def test_an_unknown_reason_is_an_error(
    known: str | None, code: int, unknown: int, processes: str, tmp_path: Path
) -> None:
    (tmp_path / "test_two.py").write_text(TESTS)
    (tmp_path / "conftest.py").write_text("from tests.skips import pytest_sessionfinish\n")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", VARIABLE))}
    if known is not None:
        (tmp_path / "known").write_text(known)
        environment[VARIABLE] = "known"
    command = [sys.executable, "-m", "pytest", "-n", processes, "-p", "no:cacheprovider", "test_two.py"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.count("UNKNOWN REASON")) == (code, unknown), done.stdout + done.stderr
    assert ("test_of_golem: needs golem on PATH" in done.stdout) is (known is not None)


def test_the_list_of_known_reasons_is_short() -> None:
    reasons = [line for line in KNOWN.read_text().splitlines() if line and not line.startswith("#")]
    assert 0 < len(reasons) <= 20
    assert not [reason for reason in reasons if reason.startswith("*")]


def test_a_test_whose_build_is_missing_is_skipped_before_its_fixtures_and_selected_by_its_mark(tmp_path: Path) -> None:
    (tmp_path / "test_three.py").write_text(BUILDS)
    (tmp_path / "conftest.py").write_text("from tests.traced import pytest_runtest_setup\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = traced\n")
    command = [sys.executable, "-m", "pytest", "-n", "0", "-rs", "-p", "no:cacheprovider", "-m", "traced"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "needs a build" in done.stdout
    assert "1 passed, 1 skipped, 1 deselected" in done.stdout
