"""Our processes never run modules of the current folder."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.oracles import second_solver
from chcfuzz.solvers import python

ROOT = Path(__file__).resolve().parents[2]
FORGET = "import sys; from chcfuzz.solvers import python; python.forget_current_folder(); import selectors_of_mine"
MINE = "print('run')"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with modules that must not be loaded."""
    for name in ("selectors_of_mine", "selectors", "tempfile", "json"):
        (tmp_path / f"{name}.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def result(command: list[str], path: str | None) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {} if path is None else {"PYTHONPATH": path}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stdout


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("path", [None, "", os.pathsep, "/nowhere" + os.pathsep])
def test_the_current_folder_is_forgotten_however_python_came_by_it(path: str | None) -> None:
    assert result([sys.executable, "-c", FORGET], path) == ""


@pytest.mark.parametrize("path", [".", os.pathsep + ".", "here"])
def test_a_current_folder_that_pythonpath_names_is_searched(folder: Path, path: str) -> None:
    assert result([sys.executable, "-c", FORGET], str(folder) if path == "here" else path) == "run\n"


def test_a_process_of_ours_has_the_rest_of_pythonpath(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(("", "/one", "", "/two")))
    environment = python.environment(MORE="message")
    assert (environment["PYTHONPATH"], environment["MORE"]) == (f"/one{os.pathsep}/two", "message")
    show = "import json, sys; print(json.dumps(sys.path))"
    done = subprocess.run(python.command("-c", show), env=environment, capture_output=True, text=True, check=True)
    path = json.loads(done.stdout)
    assert path[:2] == ["/one", "/two"]
    assert not {"", str(folder)} & set(path)


@pytest.mark.usefixtures("folder")
def test_the_second_solver_answers_beside_modules_of_the_users() -> None:
    assert second_solver.answers("(assert false)\n(check-sat)\n") == ("unsat",)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("program", ["chcfuzz.oracles.second_solver", "chcfuzz.triage.examine.confirm"])
def test_a_module_of_the_users_is_not_run_by_a_helper(program: str) -> None:
    command, environment = python.command("-m", program), python.environment()
    done = subprocess.run(command, input=b"(no script", env=environment, capture_output=True, check=False)
    assert done.returncode != 0
    assert MINE.encode() not in done.stdout
    assert done.stdout == b""


INTERRUPTS = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(600)\n"
TARGET, COMMAND = (str(ROOT / "fuzz_targets" / "spacer.py"),), ("-m", "chcfuzz.commands")


@pytest.mark.parametrize(
    ("start", "module"),
    [
        ((*TARGET, "-runs=1"), "numpy"),  # while the program imports its modules
        ((*TARGET, "-runs=1", "--solver=mine:Mine"), "mine"),  # while it makes the solver
        ((*COMMAND, "findings"), "rich"),
        ((*COMMAND, "check", "none.smt2", "--domain=mine:domain"), "mine"),  # while it runs
    ],
)
def test_an_interrupt_at_the_start_of_a_program_is_one_line(
    tmp_path: Path, start: tuple[str, ...], module: str
) -> None:
    (tmp_path / f"{module}.py").write_text(INTERRUPTS)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, *start]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, done.stdout) == (130, "chcfuzz: interrupted\n", "")


def test_a_program_reads_its_arguments_as_utf_8_in_every_locale() -> None:
    code = "import sys; from chcfuzz.solvers import python; python.start_again_in_utf_8(); print(ascii(sys.argv[1]))"
    other = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
    words = python.command("-c", code, "\u00e9")
    done = subprocess.run(words, env={**os.environ, **other}, capture_output=True, text=True, check=False)
    assert done.stdout == "'\\xe9'\n", done.stderr
