"""Continuous integration fails if a test is skipped for a reason that its list does not have, and no test has one."""

import ast
import fnmatch
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.skips import VARIABLE
from tests.sources import listed
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

@needs(lambda: False, "needs a build")
def test_with_a_missing_build(build):
    pass

@needs(lambda: True, "needs another build")
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


def patterns() -> list[str]:
    return [line for line in KNOWN.read_text().splitlines() if line and not line.startswith("#")]


def test_the_list_of_known_reasons_is_short() -> None:
    assert 0 < len(patterns()) <= 22
    assert not [pattern for pattern in patterns() if pattern.startswith("*")]


def reasons(source: str) -> Iterator[str]:
    """Yield the reason of each skip in a source file, with `1` for each value in it.

    A reason that is not written where the test is skipped is shown as code, which no pattern matches.
    """
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        name = ast.unparse(call.func).rpartition(".")[-1]
        if name == "importorskip":
            yield ast.unparse(call)
        elif name in ("skip", "skipif", "needs"):
            given = [word.value for word in call.keywords if word.arg == "reason"]
            reason = text_of((given or call.args)[-1])
            if name != "needs" or not reason.startswith("`"):  # else another function of this name
                yield reason


def text_of(reason: ast.expr) -> str:
    if isinstance(reason, ast.Constant):
        return str(reason.value)
    if isinstance(reason, ast.JoinedStr):
        return "".join(text_of(part) if isinstance(part, ast.Constant) else "1" for part in reason.values)
    return f"`{ast.unparse(reason)}`"


SOURCE = """
@pytest.mark.skipif(shutil.which("rsync") is None, reason="needs rsync")
@needs(is_there, f"needs {name}")
def test_of_three():
    pytest.skip(str(error))
    pytest.importorskip("cvc5")
"""


def test_the_reasons_in_a_source_are_found() -> None:
    assert set(reasons(SOURCE)) == {"needs rsync", "needs 1", "`str(error)`", "pytest.importorskip('cvc5')"}


def test_the_list_has_every_reason_in_the_tests_and_no_other() -> None:
    files = [file for file in listed() if file.suffix == ".py" and file.parts[0] == "tests"]
    found = {reason: file for file in files for reason in reasons((ROOT / file).read_text())}
    assert found.pop("`reason`") == Path("tests/traced.py")  # where the tests with the mark `needs` are skipped
    unknown = {reason: file for reason, file in found.items() if not any_matches(reason)}
    assert not unknown, "add a thing that a machine may lack to .ci/known-skips, or let the test run without it"
    unused = [pattern for pattern in patterns() if not fnmatch.filter(found, pattern)]
    assert not unused, "no test is skipped for this reason"


def any_matches(reason: str) -> bool:
    return any(fnmatch.fnmatchcase(reason, pattern) for pattern in patterns())


def test_a_test_whose_build_is_missing_is_skipped_before_its_fixtures_and_selected_by_its_mark(tmp_path: Path) -> None:
    (tmp_path / "test_three.py").write_text(BUILDS)
    (tmp_path / "conftest.py").write_text("from tests.traced import pytest_runtest_setup\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = traced\n")
    command = [sys.executable, "-m", "pytest", "-n", "0", "-rs", "-p", "no:cacheprovider", "-m", "traced"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "needs a build" in done.stdout
    assert "1 passed, 1 skipped, 1 deselected" in done.stdout
