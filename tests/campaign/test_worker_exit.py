"""What follows from how a worker ended."""

import pytest
from chcfuzz.campaign.worker_exit import Ending


@pytest.mark.parametrize("code", [-9, -11, 70, 71, 77, 101, 114])
def test_a_death_can_be_survived_unless_we_brought_it_about(code: int) -> None:
    assert Ending(code).is_death
    assert Ending(code).exit_code(survived=True) == 0
    assert not Ending(code, stopped=True).is_death
    assert Ending(code, stopped=True).exit_code(survived=False) == 0


@pytest.mark.parametrize(("code", "told"), [(0, 0), (1, 1), (77, 77), (-9, 137), (-11, 139)])
def test_what_is_not_survived_is_told_as_a_shell_does(code: int, told: int) -> None:
    assert Ending(code).exit_code(survived=False) == told


def test_a_refusal_stays_one() -> None:
    assert not Ending(2).is_death
    assert Ending(2, stopped=True).exit_code(survived=True) == 2


def test_units_are_blamed_for_a_death_unless_somebody_wanted_it() -> None:
    assert Ending(-11, (b"unit",)).units == (b"unit",)
    assert Ending(-15, (b"unit",), stopped=True).units == ()
    assert Ending(72, (b"unit",)).units == ()
    assert Ending(72).is_death


def test_an_ending_is_told_in_words() -> None:
    assert Ending(-9).words == "was killed by signal 9 (Killed)"
    assert Ending(72).words == "was told to end by somebody else"
    assert Ending(71).words == "left with exit code 71"
