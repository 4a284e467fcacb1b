"""Expensive units are replaced by cheap ones with the probability that their costs determine."""

import hashlib
from collections import Counter

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators import power_schedule as module
from chcfuzz.mutators.power_schedule import PowerSchedule

CHEAP, EXPENSIVE = b"cheap", b"expensive"


def choices(number: int) -> Choices:
    return Choices(hashlib.shake_128(number.to_bytes(4, "little")).digest(256))


def drawn(schedule: PowerSchedule[bytes], unit: bytes, times: int = 2000) -> Counter[bytes]:
    return Counter(schedule.choose(unit, choices(number)) for number in range(times))


@pytest.fixture
def schedule() -> PowerSchedule[bytes]:
    """Three cheap units and one that costs ten times as much, the fixed part included."""
    made = PowerSchedule[bytes]()
    for number in range(3):
        made.executed(CHEAP + bytes([number]), 0, worth=True)
    made.executed(EXPENSIVE, 90_000, worth=True)
    return made


def test_a_unit_of_the_usual_cost_is_kept(schedule: PowerSchedule[bytes]) -> None:
    assert drawn(schedule, CHEAP + b"\1") == {CHEAP + b"\1": 2000}


def test_an_expensive_unit_is_kept_as_often_as_its_cost_allows(schedule: PowerSchedule[bytes]) -> None:
    found = drawn(schedule, EXPENSIVE)
    # kept at once: 1/10; drawn from all four and kept: 1/4 * 1/10 of each further try
    assert found[EXPENSIVE] / 2000 == pytest.approx(0.1 + 0.9 * (0.025 / 0.775), abs=0.03)
    assert min(found[CHEAP + bytes([number])] for number in range(3)) > 400


def test_units_worth_mutating_are_drawn_under_the_same_rule(schedule: PowerSchedule[bytes]) -> None:
    found = Counter(schedule.draw(choices(number)) for number in range(2000))
    assert found[EXPENSIVE] / 2000 == pytest.approx(0.025 / 0.775, abs=0.02)
    assert PowerSchedule[bytes]().draw(choices(0)) is None


def test_half_the_price_is_drawn_twice_as_often() -> None:
    schedule = PowerSchedule[bytes]()
    for number in range(8):
        schedule.executed(CHEAP + bytes([number]), 0, worth=True)
    schedule.executed(b"forty", 30_000, worth=True)
    schedule.executed(b"eighty", 70_000, worth=True)
    schedule.executed(b"most", 10_000_000, worth=False)
    found = drawn(schedule, b"most", 20_000)
    assert found[b"forty"] / found[b"eighty"] == pytest.approx(2, rel=0.2)


def test_what_is_not_worth_mutating_is_never_drawn(schedule: PowerSchedule[bytes]) -> None:
    schedule.executed(b"nothing new", 0, worth=False)
    assert drawn(schedule, EXPENSIVE)[b"nothing new"] == 0


def test_units_without_a_cost_are_kept(schedule: PowerSchedule[bytes]) -> None:
    assert schedule.choose(b"unheard of", choices(1)) == b"unheard of"
    assert PowerSchedule[bytes]().choose(EXPENSIVE, choices(1)) == EXPENSIVE
    only = PowerSchedule[bytes]()
    only.executed(EXPENSIVE, 90_000, worth=False)
    assert only.choose(EXPENSIVE, choices(1)) == EXPENSIVE


def test_the_same_choices_draw_the_same_unit(schedule: PowerSchedule[bytes]) -> None:
    assert schedule.choose(EXPENSIVE, choices(7)) == schedule.choose(EXPENSIVE, choices(7))


def test_without_choices_the_unit_is_kept(schedule: PowerSchedule[bytes]) -> None:
    """The first answer of every question is the simplest one: nothing changes."""
    assert schedule.choose(EXPENSIVE, Choices(b"")) == EXPENSIVE


def test_a_unit_that_is_executed_again_has_its_last_cost(schedule: PowerSchedule[bytes]) -> None:
    schedule.executed(EXPENSIVE, 0, worth=False)
    assert drawn(schedule, EXPENSIVE) == {EXPENSIVE: 2000}


def test_what_may_be_drawn_keeps_its_cost_after_any_number_of_other_executions(schedule: PowerSchedule[bytes]) -> None:
    before = drawn(schedule, EXPENSIVE)
    for number in range(3 * module.MOST_UNITS):
        schedule.executed(b"nothing new" + number.to_bytes(4, "little"), 0, worth=False)
    assert drawn(schedule, EXPENSIVE) == before


def test_beyond_the_bound_those_leave_that_were_used_longest_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_UNITS", 100)
    schedule = PowerSchedule[bytes]()
    schedule.executed(b"expensive", 10**9, worth=True)
    for number in range(1000):
        schedule.executed(bytes([number // 256, number % 256]), 0, worth=True)
        schedule.choose(b"expensive", choices(number))  # libFuzzer still draws it
    found = drawn(schedule, b"expensive", 4000)
    assert found.pop(b"expensive", 0) < 10
    assert len(found) == 99
    assert min(int.from_bytes(unit, "big") for unit in found) > 600, "drawn is used, too"


def test_the_price_of_what_libfuzzer_draws_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_UNITS", 100)
    schedule = PowerSchedule[bytes]()
    for unit in (b"cheap", b"cheap too"):
        schedule.executed(unit, 0, worth=True)
    schedule.executed(b"expensive", 10**9, worth=False)
    for number in range(1000):
        schedule.executed(number.to_bytes(2, "big"), 0, worth=False)
        schedule.choose(b"expensive", choices(number))
    assert drawn(schedule, b"expensive")[b"expensive"] < 10


def test_a_unit_that_is_worth_it_twice_is_drawn_as_often_as_others(schedule: PowerSchedule[bytes]) -> None:
    for _ in range(50):
        schedule.executed(CHEAP + b"\0", 0, worth=True)
    found = drawn(schedule, EXPENSIVE, 3000)
    assert found[CHEAP + b"\0"] < 1.3 * found[CHEAP + b"\1"]
