"""oss-fuzz/frozen.py, run by Python as it is in the frozen program."""

import os
import shlex
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from chcfuzz.solvers import python
from chcfuzz.solvers.z3_build import Build, build_in

from tests.targets import ROOT

FROZEN = ROOT / "oss-fuzz" / "frozen.py"
SHOW = "import json, os, sys\nprint(json.dumps([__name__, sys.argv, dict(os.environ)]))\n"


def frozen(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(FROZEN), *words]
    given = {**os.environ, **environment}
    return subprocess.run(command, env=given, capture_output=True, text=True, check=False)


def test_a_module_runs_with_its_own_arguments(tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    file.write_text('{"a": 1}')
    done = frozen("-P", "-m", "json.tool", "--compact", str(file))
    assert (done.returncode, done.stdout) == (0, '{"a":1}\n'), done.stderr


def test_a_script_runs_as_the_main_program(tmp_path: Path) -> None:
    script = tmp_path / "show.py"
    script.write_text(SHOW)
    done = frozen("-P", str(script), "-runs=1", "two words")
    assert done.stdout.startswith(f'["__main__", ["{script}", "-runs=1", "two words"], '), done.stderr


def test_code_runs_as_the_main_program() -> None:
    done = frozen("-P", "-c", f"{SHOW}def itself(): return itself\nassert itself() is itself", "-S", "two words")
    assert done.stdout.startswith('["__main__", ["-c", "-S", "two words"], '), done.stderr
    assert done.returncode == 0, done.stderr


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process start its own processes as the frozen program does."""
    file = tmp_path / "chcfuzz-frozen"
    file.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(FROZEN))} "$@"\n')
    file.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(file))


@pytest.mark.usefixtures("program")
def test_it_accepts_a_plain_package_of_z3() -> None:
    """The version of a library without BUILD_INFO is read in a process of its own."""
    wheel = Path(str(metadata.distribution("z3-solver").locate_file("."))).resolve()
    library = wheel / "z3" / "lib" / "libz3.so"
    assert build_in(wheel) == Build(metadata.version("z3-solver"), library, wheel, is_traced=False)


@pytest.mark.usefixtures("program")
def test_it_is_started_as_python_is_with_code() -> None:
    done = subprocess.run(python.command("-c", "print(7)"), capture_output=True, text=True, check=False)
    assert done.stdout == "7\n", done.stderr


def test_solvers_do_not_inherit_the_path_of_its_libraries(tmp_path: Path) -> None:
    script = tmp_path / "show.py"
    script.write_text(SHOW)
    done = frozen("-P", str(script), LD_LIBRARY_PATH="/frozen", LD_LIBRARY_PATH_ORIG="/users")
    assert '"LD_LIBRARY_PATH": "/users"' in done.stdout
    assert "LD_LIBRARY_PATH_ORIG" not in done.stdout
    done = frozen("-P", str(script), LD_LIBRARY_PATH="/frozen")
    assert "LD_LIBRARY_PATH" not in done.stdout


def test_other_command_lines_are_refused_in_one_line() -> None:
    for words in ((), ("-P",), ("-P", "-c"), ("-m",), ("-P", "-S", "-c", "pass")):
        done = frozen(*words)
        assert done.returncode == 1
        assert done.stderr.startswith("usage: ")
        assert done.stderr.count("\n") == 1
