"""Consequences of the exit of a worker."""

import pytest
from chcfuzz.campaign.supervisor.worker_exit import WorkerExit


@pytest.mark.parametrize("code", [-9, -11, 70, 71, 73, 74, 77, 101, 114])
def test_a_death_can_be_survived_unless_we_brought_it_about(code: int) -> None:
    assert WorkerExit(code).is_death
    assert WorkerExit(code).exit_code(survived=True) == 0
    assert not WorkerExit(code, stopped=True).is_death
    assert WorkerExit(code, stopped=True).exit_code(survived=False) == 0


@pytest.mark.parametrize(("code", "told"), [(0, 0), (1, 1), (77, 77), (-9, 137), (-11, 139)])
def test_what_is_not_survived_is_told_as_a_shell_does(code: int, told: int) -> None:
    assert WorkerExit(code).exit_code(survived=False) == told


def test_a_refusal_stays_one() -> None:
    assert not WorkerExit(2).is_death
    assert WorkerExit(2, stopped=True).exit_code(survived=True) == 2


def test_units_are_blamed_for_a_death_unless_somebody_wanted_it() -> None:
    assert WorkerExit(-11, (b"unit",)).fatal_units == (b"unit",)
    assert WorkerExit(-15, (b"unit",), stopped=True).fatal_units == ()
    assert WorkerExit(72, (b"unit",)).fatal_units == ()
    assert WorkerExit(72).is_death


def test_an_ending_is_told_in_words() -> None:
    assert WorkerExit(-9).description == "was killed by signal 9 (Killed)"
    assert WorkerExit(72).description == "was interrupted from outside"
    assert WorkerExit(71).description == "exited with code 71"
    assert WorkerExit(73).description == "exited because Z3 had leaked memory"
    assert "took all memory" in WorkerExit(74).description
