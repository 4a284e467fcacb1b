"""Dear units are exchanged for cheap ones, as often as their prices say."""

import hashlib
from collections import Counter

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators import power_schedule as module
from chcfuzz.mutators.power_schedule import Thrift

CHEAP, DEAR = b"cheap", b"dear"


def choices(number: int) -> Choices:
    return Choices(hashlib.shake_128(number.to_bytes(4, "little")).digest(256))


def drawn(thrift: Thrift, unit: bytes, times: int = 2000) -> Counter[bytes]:
    return Counter(thrift.choose(unit, choices(number)) for number in range(times))


@pytest.fixture
def thrift() -> Thrift:
    """Three cheap units and one that costs ten times as much, the fixed part included."""
    made = Thrift()
    for number in range(3):
        made.executed(CHEAP + bytes([number]), 0, worth=True)
    made.executed(DEAR, 90_000, worth=True)
    return made


def test_a_unit_of_the_usual_price_is_kept(thrift: Thrift) -> None:
    assert drawn(thrift, CHEAP + b"\1") == {CHEAP + b"\1": 2000}


def test_a_dear_unit_is_kept_as_often_as_its_price_allows(thrift: Thrift) -> None:
    found = drawn(thrift, DEAR)
    # kept at once: 1/10; drawn from all four and kept: 1/4 * 1/10 of each further try
    assert found[DEAR] / 2000 == pytest.approx(0.1 + 0.9 * (0.025 / 0.775), abs=0.03)
    assert min(found[CHEAP + bytes([number])] for number in range(3)) > 400


def test_half_the_price_is_drawn_twice_as_often() -> None:
    thrift = Thrift()
    for number in range(8):
        thrift.executed(CHEAP + bytes([number]), 0, worth=True)
    thrift.executed(b"forty", 30_000, worth=True)
    thrift.executed(b"eighty", 70_000, worth=True)
    thrift.executed(b"most", 10_000_000, worth=False)
    found = drawn(thrift, b"most", 20_000)
    assert found[b"forty"] / found[b"eighty"] == pytest.approx(2, rel=0.2)


def test_what_is_not_worth_mutating_is_never_drawn(thrift: Thrift) -> None:
    thrift.executed(b"nothing new", 0, worth=False)
    assert drawn(thrift, DEAR)[b"nothing new"] == 0


def test_units_without_a_price_are_kept(thrift: Thrift) -> None:
    assert thrift.choose(b"unheard of", choices(1)) == b"unheard of"
    assert Thrift().choose(DEAR, choices(1)) == DEAR
    only = Thrift()
    only.executed(DEAR, 90_000, worth=False)
    assert only.choose(DEAR, choices(1)) == DEAR


def test_the_same_choices_draw_the_same_unit(thrift: Thrift) -> None:
    assert thrift.choose(DEAR, choices(7)) == thrift.choose(DEAR, choices(7))


def test_without_choices_the_unit_is_kept(thrift: Thrift) -> None:
    """The first answer of every question is the simplest one: nothing changes."""
    assert thrift.choose(DEAR, Choices(b"")) == DEAR


def test_a_unit_that_is_executed_again_has_its_last_price(thrift: Thrift) -> None:
    thrift.executed(DEAR, 0, worth=False)
    assert drawn(thrift, DEAR) == {DEAR: 2000}


def test_what_may_be_drawn_has_its_price_after_any_number_of_other_executions(thrift: Thrift) -> None:
    before = drawn(thrift, DEAR)
    for number in range(3 * module.MOST_UNITS):
        thrift.executed(b"nothing new" + number.to_bytes(4, "little"), 0, worth=False)
    assert drawn(thrift, DEAR) == before


def test_beyond_the_bound_those_leave_that_were_used_longest_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_UNITS", 100)
    thrift = Thrift()
    thrift.executed(b"dear", 10**9, worth=True)
    for number in range(1000):
        thrift.executed(bytes([number // 256, number % 256]), 0, worth=True)
        thrift.choose(b"dear", choices(number))  # libFuzzer still draws it
    found = drawn(thrift, b"dear", 4000)
    assert found.pop(b"dear", 0) < 10
    assert len(found) == 99
    assert min(int.from_bytes(unit, "big") for unit in found) > 600, "drawn is used, too"


def test_the_price_of_what_libfuzzer_draws_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_UNITS", 100)
    thrift = Thrift()
    for unit in (b"cheap", b"cheap too"):
        thrift.executed(unit, 0, worth=True)
    thrift.executed(b"dear", 10**9, worth=False)
    for number in range(1000):
        thrift.executed(number.to_bytes(2, "big"), 0, worth=False)
        thrift.choose(b"dear", choices(number))
    assert drawn(thrift, b"dear")[b"dear"] < 10


def test_a_unit_that_is_worth_it_twice_is_drawn_as_often_as_others(thrift: Thrift) -> None:
    for _ in range(50):
        thrift.executed(CHEAP + b"\0", 0, worth=True)
    found = drawn(thrift, DEAR, 3000)
    assert found[CHEAP + b"\0"] < 1.3 * found[CHEAP + b"\1"]
