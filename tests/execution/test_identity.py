"""Results are cached for the contents of a solver, not for its path or its date."""

import os
import shlex
import shutil
import sys
from collections.abc import Callable
from dataclasses import astuple, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.execution import identity
from chcfuzz.execution.child_process import run_in_child
from chcfuzz.execution.identity import Identity, solver_key
from chcfuzz.execution.solving import Solving
from chcfuzz.solvers.solver_files import digest_of_command, digest_of_files

SCRIPT = "#!/bin/sh\necho sat\n"


@pytest.fixture
def known() -> Callable[..., Identity]:
    """Return a function that computes the identity in a new process."""

    def fresh(**flags: Any) -> Identity:
        solving = Solving(**flags)
        solving.activate()

        def computed() -> list[str]:
            Identity.of.cache_clear()
            identity.code_digest.cache_clear()
            return list(astuple(Identity.of(solving)))

        return Identity(*run_in_child(computed))

    return fresh


def _program(path: Path, text: str = SCRIPT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_the_same_solver_is_the_same_for_every_process_and_in_every_folder(
    known: Callable[..., Identity], tmp_path: Path
) -> None:
    first = known(command=str(_program(tmp_path / "a/bin/solver")))
    assert first == known(command=str(tmp_path / "a/bin/solver"))
    assert first == known(command=str(_program(tmp_path / "b/bin/solver")))


def test_a_program_rebuilt_under_its_path_with_its_date_and_size_is_another_solver(
    known: Callable[..., Identity], tmp_path: Path
) -> None:
    solver = _program(tmp_path / "solver", "#!/bin/sh\necho sat \n")
    date = solver.stat().st_mtime_ns
    before = known(command=str(solver))
    _program(solver, "#!/bin/sh\necho unsat\n"[: len("#!/bin/sh\necho sat \n")])
    os.utime(solver, ns=(date, date))
    after = known(command=str(solver))
    assert (before.solver != after.solver, before.judges == after.judges, before.code == after.code) == (True,) * 3
    assert before.key("flags") != after.key("flags")


@pytest.mark.parametrize("named", ['"$HERE/lib/main.jar"', "{}/lib/main.jar", '"$HERE"/lib/*.jar'])
def test_a_rebuilt_file_that_the_script_of_a_solver_names_makes_it_another_solver(
    known: Callable[..., Identity], tmp_path: Path, named: str
) -> None:
    jar = _program(tmp_path / "lib/main.jar", "old")
    solver = _program(tmp_path / "solver", f"#!/bin/sh\nexec java -jar {named.format(tmp_path)} $1\n")
    before = known(command=str(solver))
    jar.write_text("new")
    assert known(command=str(solver)) != before


def test_a_rebuilt_program_that_a_script_finds_on_path_makes_it_another_solver(
    known: Callable[..., Identity], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = _program(tmp_path / "bin/inner")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    solver = _program(tmp_path / "solver", '#!/bin/sh\nexec inner "$1"\n')
    before = known(command=str(solver))
    _program(inner, "#!/bin/sh\necho unsat\n")
    assert known(command=str(solver)) != before


def test_a_rebuilt_class_in_a_class_path_makes_it_another_solver(
    known: Callable[..., Identity], tmp_path: Path
) -> None:
    compiled = _program(tmp_path / "classes/org/Main.class", "old")
    solver = _program(tmp_path / "solver")
    command = f"{solver} -cp {tmp_path / 'none.jar'}:{tmp_path / 'classes'} Main"
    before = known(command=command)
    compiled.write_text("new")
    assert known(command=command) != before


def test_a_python_solver_is_its_script_and_the_modules_that_it_imports(
    known: Callable[..., Identity], tmp_path: Path
) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package/__init__.py").touch()
    (tmp_path / "package/engine.py").write_text("from . import answers\n")
    answers = tmp_path / "package/answers.py"
    answers.write_text("ANSWER = 'sat'\n")
    (tmp_path / "solver.py").write_text("import os\nfrom package.engine import answers\n")
    command = shlex.join((sys.executable, str(tmp_path / "solver.py")))
    before = known(command=command)
    answers.write_text("ANSWER = 'unsat'\n")
    assert known(command=command) != before


def test_the_libraries_that_a_program_loads_belong_to_it(tmp_path: Path) -> None:
    shell = tmp_path / "shell"
    shutil.copy("/bin/sh", shell)
    assert digest_of_command((str(shell),)) != digest_of_files([shell])


def test_another_class_and_a_changed_class_are_other_solvers(
    known: Callable[..., Identity], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "planted_identity.py"
    module.write_text("import helper_identity\n")
    helper = tmp_path / "helper_identity.py"
    helper.write_text("BUG = 1\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    plain, planted = known(), known(solver="planted_identity:One")
    assert len({plain.solver, planted.solver, known(solver="planted_identity:Two").solver}) == 3
    helper.write_text("BUG = 2\n")
    changed = known(solver="planted_identity:One")
    assert changed.solver != planted.solver
    module.write_text("import helper_identity  # changed\n")
    assert known(solver="planted_identity:One").solver != changed.solver
    assert "planted_identity" not in sys.modules  # nothing is run to identify it


def test_a_changed_oracle_of_chcfuzz_changes_every_key(
    known: Callable[..., Identity], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    oracle = tmp_path / "domains/chc/oracles/model.py"
    oracle.parent.mkdir(parents=True)
    oracle.write_text("holds = True\n")
    monkeypatch.setattr(identity, "_HOME", tmp_path)
    before = known()
    oracle.write_text("holds = False\n")
    after = known()
    assert (before.solver, before.judges) == (after.solver, after.judges)
    assert before.key() != after.key()


def test_a_rebuilt_solver_for_comparison_changes_the_key_but_not_the_solver(
    known: Callable[..., Identity], tmp_path: Path
) -> None:
    other = _program(tmp_path / "other")
    before = known(cross=(str(other),))
    _program(other, "#!/bin/sh\necho unsat\n")
    after = known(cross=(str(other),))
    assert before.solver == after.solver
    assert before.key() != after.key()


def test_the_key_of_a_solver_has_its_name_its_release_and_its_content(tmp_path: Path) -> None:
    name, _, digits = solver_key(Solving()).rpartition(" ")
    assert name.startswith("Spacer 5.")
    assert len(digits) == 8
    solver = _program(tmp_path / "a/bin/solver")
    before = solver_key(Solving(command=str(solver)))
    assert before.startswith("solver ")
    assert before == solver_key(Solving(command=str(_program(tmp_path / "b/bin/solver"))))
    _program(solver, SCRIPT + "# rebuilt\n")
    identity.chosen_solver.cache_clear()
    assert solver_key(Solving(command=str(solver))) != before


def test_the_code_has_another_digest_with_another_release_or_build_of_a_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @dataclass
    class Installed:
        version: str
        record: str | None

        def read_text(self, name: str) -> str | None:
            assert name == "RECORD"
            return self.record

    def digest(cvc5: Installed | None) -> str:
        def distribution(name: str) -> Installed:
            if name == "cvc5" and cvc5 is None:
                raise metadata.PackageNotFoundError(name)
            return cvc5 if name == "cvc5" and cvc5 is not None else Installed("1", "")

        monkeypatch.setattr(metadata, "distribution", distribution)
        return identity.code_digest.__wrapped__()

    builds = [Installed("1.2", "a"), Installed("1.3", "a"), Installed("1.2", "b"), Installed("1.2", None), None]
    assert len(set(map(digest, builds))) == len(builds)
    assert digest(builds[0]) == digest(builds[0])
