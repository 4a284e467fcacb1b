"""Units whose traces have a rare transition are mutated more often."""

import hashlib
import tracemalloc
from collections import Counter

import numpy as np
import pytest
from chcfuzz.campaign.worker.rare_units import RareUnits
from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.power_schedule import PowerSchedule
from numpy.typing import NDArray

COMMON, OTHER, RARE = b"common", b"other", b"rare"
TIMES = 4000


def transitions(*numbers: int) -> NDArray[np.uint32]:
    return np.array(numbers, dtype=np.uint32)


@pytest.fixture
def schedule() -> PowerSchedule[bytes]:
    return PowerSchedule()


@pytest.fixture
def units(schedule: PowerSchedule[bytes]) -> RareUnits:
    """Three units of equal cost with a usual transition; one of them has another one, too."""
    made = RareUnits(schedule)
    for unit, keys in ((COMMON, transitions(1, 2)), (OTHER, transitions(1, 2)), (RARE, transitions(1, 3))):
        schedule.executed(unit, 0, worth=True)
        made.executed(unit, keys, worth=True)
    return made


def drawn(units: RareUnits, unit: bytes) -> Counter[bytes]:
    """Count the choices in place of a unit."""
    return Counter(
        units.choose(unit, Choices(hashlib.shake_128(bytes([n % 256, n >> 8])).digest(512))) for n in range(TIMES)
    )


def test_a_unit_with_a_rare_transition_takes_the_place_of_others(units: RareUnits) -> None:
    found = drawn(units, COMMON)
    # three times of four, if it is one of the four that are drawn
    assert found[RARE] / TIMES == pytest.approx(0.75 * (1 - (2 / 3) ** 4), abs=0.03)
    assert found[COMMON] / TIMES == pytest.approx(0.25 + 0.75 * (2 / 3) ** 4 / 2, abs=0.03)


def test_a_transition_that_many_executions_had_is_not_rare(units: RareUnits) -> None:
    """Executions count whose units are not worth mutating."""
    for _ in range(2):
        units.executed(b"nothing new", transitions(1, 3), worth=False)
    found = drawn(units, OTHER)
    assert found[RARE] < found[COMMON]
    assert b"nothing new" not in found


def test_a_unit_without_transitions_is_not_preferred(units: RareUnits, schedule: PowerSchedule[bytes]) -> None:
    """Such as a seed that a limit had ended, whose trace is not known here."""
    schedule.executed(b"unknown", 0, worth=True)
    schedule.executed(b"no trace", 0, worth=True)
    units.executed(b"no trace", transitions(), worth=True)
    found = drawn(units, COMMON)
    assert max(found[b"unknown"], found[b"no trace"]) < found[RARE] / 5


def test_a_long_trace_keeps_its_rare_transition_and_little_memory(
    units: RareUnits, schedule: PowerSchedule[bytes]
) -> None:
    """A command may print anything."""
    usual = range(100, 10_000)
    tracemalloc.start()
    for number in range(200):
        units.executed(bytes([number]), transitions(*usual), worth=True)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 1_000_000, "eight million bytes of transitions"
    schedule.executed(b"long", 0, worth=True)
    units.executed(b"long", transitions(*usual, 1 << 20), worth=True)
    found = drawn(units, COMMON)
    assert found[b"long"] > found[COMMON] > found[OTHER]


def test_without_units_worth_mutating_the_unit_stays(schedule: PowerSchedule[bytes]) -> None:
    assert drawn(RareUnits(schedule), COMMON) == {COMMON: TIMES}


def test_without_choices_the_unit_stays(units: RareUnits) -> None:
    assert units.choose(COMMON, Choices(b"")) == COMMON
