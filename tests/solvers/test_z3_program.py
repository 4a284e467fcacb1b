"""The z3 program of a release: its parameters, and its answers to systems."""

from pathlib import Path

import pytest
from chcfuzz.grammar.solver_options import is_allowed
from chcfuzz.solvers.command import Command, CommandError
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.z3_program import parameters_of, version_of, z3_program
from chcfuzz.solvers.z3_release import active

from tests.campaign.conftest import SAT, UNSAT


def installed() -> Path:
    executable = active().executable
    assert executable is not None
    return executable


def program(requests: int = 0) -> Command:
    return z3_program(installed(), is_allowed, wall_seconds=60.0, memory_megabytes=2000, requests=requests)


def test_the_program_names_its_parameters_with_their_modules() -> None:
    names = parameters_of(str(installed()))
    assert {"fp.spacer.random_seed", "smt.arith.solver", "rlimit"} <= names
    assert active().version.startswith(version_of(str(installed())))


def test_a_program_that_cannot_be_started_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"cannot start '.*/nothing': No such file"):
        parameters_of(str(tmp_path / "nothing"))


def test_parameters_are_words_of_the_command_line_and_unknown_or_forbidden_ones_are_left_out() -> None:
    parameters = (("fp.spacer.random_seed", "3"), ("fp.no_such", "1"), ("fp.spacer.trace_file", "x"))
    outcome = program().solve(SAT, parameters, 1_000_000)
    assert outcome.status is Status.SAT
    assert outcome.model is not None
    assert outcome.left_out == ("fp.no_such", "fp.spacer.trace_file")
    assert outcome.command == (str(installed()), "rlimit=1000000", "fp.spacer.random_seed=3", "{}")


def test_one_process_answers_several_systems() -> None:
    alive = program(requests=10)
    answers = [alive.solve(text, (), 1_000_000).status for text in (SAT, UNSAT, SAT)]
    assert answers == [Status.SAT, Status.UNSAT, Status.SAT]
    assert len(alive.history((), 1_000_000)) == 3
