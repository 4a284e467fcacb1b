"""`init-solver` writes files that work as they are, and `corpus copy` the packaged seeds."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.commands import main
from chcfuzz.commands.doctor import State, read_campaign
from chcfuzz.solvers.dialect import Dialect

from tests.commands.test_doctor import WORKS

DIALECT = "domains/chc/solvers/mysolver.py"


def test_the_written_dialect_is_a_dialect_and_the_test_is_a_test(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["init-solver", "mysolver", "--into", str(tmp_path)]) == 0
    *written, last = capsys.readouterr().out.splitlines()
    assert all(Path(path).is_file() for path in written)
    assert "chcfuzz.domains.chc.solvers.mysolver" in last
    names: dict[str, object] = {}
    exec(compile((tmp_path / DIALECT).read_text(), DIALECT, "exec"), names)
    dialect = names["DIALECT"]
    assert isinstance(dialect, Dialect)
    assert dialect.programs == ("mysolver",)
    assert dialect.switches((("mysolver.engine", "other"), ("mysolver.simplify", "on"))) == (
        "--engine=other",
        "--simplify",
    )
    test = ast.parse((tmp_path / "tests/domains/chc/solvers/test_mysolver.py").read_text())
    assert any(isinstance(node, ast.FunctionDef) and node.name.startswith("test_a_planted") for node in test.body)


@pytest.mark.parametrize(("name", "reason"), [("golem", "has a dialect already"), ("../x", "not a name of a Python")])
def test_a_name_that_is_taken_or_no_module_is_refused(
    name: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["init-solver", name, "--into", str(tmp_path)]) == 2
    assert reason in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_existing_files_are_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/mysolver.md").write_text("mine")
    assert main.main(["init-solver", "mysolver", "--into", str(tmp_path)]) == 2
    assert "exists; remove it" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["docs"]


def test_a_command_whose_answers_look_the_same_is_a_note_and_not_broken() -> None:
    silent = "\n".join(line for line in WORKS.splitlines() if " MS: " not in line)
    assert [check.state for check in read_campaign(0, silent, has_events=False)][-1] is State.NOTE
    assert [check.state for check in read_campaign(0, silent)][-1] is State.BAD


@pytest.mark.slow
def test_the_packaged_corpora_are_copied(tmp_path: Path) -> None:
    chcfuzz = Path(sys.executable).parent / "chcfuzz"
    done = subprocess.run(
        [chcfuzz, "corpus", "copy", "seeds"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert len(list((tmp_path / "seeds/chc").rglob("*.smt2"))) >= 450
    assert "in 'seeds/chc'" in done.stdout
    again = subprocess.run([chcfuzz, "corpus", "copy", "seeds"], cwd=tmp_path, capture_output=True, text=True)
    assert again.returncode == 2
    assert "exists; name a new folder" in again.stderr
