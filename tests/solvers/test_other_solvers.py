"""Solvers that answer beside the one under test: commands, and released Z3s in separate processes."""

import os
import shutil
from pathlib import Path

import pytest
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.solvers import other_solvers
from chcfuzz.solvers.command import Command, CommandError
from chcfuzz.solvers.other_solvers import cross_solvers
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.z3_release import Release, ReleaseError, active

LONG = 60.0


def test_commands_come_first_under_their_own_words() -> None:
    sh = shutil.which("sh")
    solvers = cross_solvers(["sh -c 'echo unsat'", "sh -c 'echo sat' {}"], [], LONG)
    assert [solver.name for solver in solvers] == [f"{sh} -c 'echo unsat'", f"{sh} -c 'echo sat' {{}}"]
    assert [solver.solve(parse(BUILT_IN[0]), 0).status for solver in solvers] == [Status.UNSAT, Status.SAT]


@pytest.fixture
def folder_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on PATH, before all others, in which Golem and Eldarica are scripts that answer unsat."""
    for name in ("golem", "eld"):
        program = tmp_path / name
        program.write_text("#!/bin/sh\necho unsat\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    return tmp_path


def test_auto_is_every_solver_on_path_but_the_one_under_test(folder_on_path: Path) -> None:
    assert [solver.name for solver in cross_solvers(["auto"], [], LONG)] == ["eldarica", "golem"]
    golem = Command.of(str(folder_on_path / "golem"), LONG)
    (other,) = cross_solvers(["auto"], [], LONG, under_test=golem)
    assert (other.name, other.solve(parse(BUILT_IN[0]), 0).status) == ("eldarica", Status.UNSAT)
    shutil.rmtree(folder_on_path)
    names = {solver.name for solver in cross_solvers(["auto"], [], LONG)}
    assert names <= {name for name in ("eldarica", "golem") if shutil.which(name) or shutil.which("eld")}


@pytest.mark.usefixtures("folder_on_path")
def test_a_solver_is_not_run_on_a_system_that_it_does_not_read() -> None:
    golem = cross_solvers(["auto"], [], LONG)[1]
    bits = parse("(set-logic HORN)(declare-fun p ((_ BitVec 4)) Bool)(assert (p #x0))(check-sat)")
    outcome = golem.solve(bits, 0)
    assert (outcome.status, outcome.reason) == (Status.UNSUPPORTED, "theories BV")


def test_another_release_of_z3_answers_with_a_model_within_its_resource_limit() -> None:
    (solver,) = cross_solvers([], ["4.13.4"], LONG)
    assert solver.name == "Z3 4.13.4.0"
    assert active().version != "4.13.4.0"
    outcome = solver.solve(parse(BUILT_IN[0]), 1_000_000)
    assert outcome.status is Status.SAT
    assert outcome.model is not None
    assert outcome.model.defined == {"inv"}
    assert not solver.solve(parse(BUILT_IN[0]), 100).status.is_decided


def test_a_missing_command_is_reported() -> None:
    with pytest.raises(CommandError, match="cannot start 'nosuchsolver'"):
        cross_solvers(["nosuchsolver"], [], LONG)


def test_an_impossible_release_is_reported() -> None:
    with pytest.raises(ReleaseError, match=r"'4\.7\.1\.0' is too old"):
        cross_solvers([], ["4.7.1.0"], LONG)


def test_a_release_without_a_command_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_solvers, "released", lambda version: Release(version, Path("/nowhere"), None))
    with pytest.raises(ReleaseError, match=r"the wheel of z3-solver 4\.8\.14\.0 for this machine holds no z3 command"):
        cross_solvers([], ["4.8.14.0"], LONG)
