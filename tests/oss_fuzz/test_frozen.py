"""oss-fuzz/frozen.py, run by Python as it is in the frozen program."""

import os
import subprocess
import sys
from pathlib import Path

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


def test_solvers_do_not_inherit_the_path_of_its_libraries(tmp_path: Path) -> None:
    script = tmp_path / "show.py"
    script.write_text(SHOW)
    done = frozen("-P", str(script), LD_LIBRARY_PATH="/frozen", LD_LIBRARY_PATH_ORIG="/users")
    assert '"LD_LIBRARY_PATH": "/users"' in done.stdout
    assert "LD_LIBRARY_PATH_ORIG" not in done.stdout
    done = frozen("-P", str(script), LD_LIBRARY_PATH="/frozen")
    assert "LD_LIBRARY_PATH" not in done.stdout


def test_other_command_lines_are_refused_in_one_line() -> None:
    for words in ((), ("-P",), ("-P", "-c", "pass"), ("-m",)):
        done = frozen(*words)
        assert done.returncode == 1
        assert done.stderr.startswith("usage: ")
        assert done.stderr.count("\n") == 1
