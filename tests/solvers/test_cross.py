"""Solvers that are asked besides: commands, and released Z3s in processes of their own."""

import shutil
from pathlib import Path

import pytest
from chcfuzz.mutators.seeds import BUILT_IN
from chcfuzz.solvers import cross
from chcfuzz.solvers.command import CommandError
from chcfuzz.solvers.cross import cross_solvers
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.z3_release import Release, ReleaseError, active

LONG = 60.0


def test_commands_come_first_under_their_own_words() -> None:
    sh = shutil.which("sh")
    solvers = cross_solvers(["sh -c 'echo unsat'", "sh -c 'echo sat' {}"], [], LONG)
    assert [solver.name for solver in solvers] == [f"{sh} -c 'echo unsat'", f"{sh} -c 'echo sat' {{}}"]
    assert [solver.solve(BUILT_IN[0], 0).status for solver in solvers] == [Status.UNSAT, Status.SAT]


def test_another_release_of_z3_answers_with_a_model_within_its_resource_limit() -> None:
    (solver,) = cross_solvers([], ["4.13.4"], LONG)
    assert solver.name == "Z3 4.13.4.0"
    assert active().version != "4.13.4.0"
    outcome = solver.solve(BUILT_IN[0], 1_000_000)
    assert outcome.status is Status.SAT
    assert outcome.model is not None
    assert outcome.model.defined == {"inv"}
    assert not solver.solve(BUILT_IN[0], 100).status.is_decided


def test_a_command_that_is_not_there_is_told() -> None:
    with pytest.raises(CommandError, match="cannot start 'nosuchsolver'"):
        cross_solvers(["nosuchsolver"], [], LONG)


def test_a_release_that_cannot_be_is_told() -> None:
    with pytest.raises(ReleaseError, match=r"'4\.7\.1\.0' is too old"):
        cross_solvers([], ["4.7.1.0"], LONG)


def test_a_release_without_a_command_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross, "released", lambda version: Release(version, Path("/nowhere"), None))
    with pytest.raises(ReleaseError, match=r"the wheel of z3-solver 4\.8\.14\.0 for this machine holds no z3 command"):
        cross_solvers([], ["4.8.14.0"], LONG)
