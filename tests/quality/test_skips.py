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
