"""Counters as libFuzzer sees them: each array as the set of its features."""

import numpy as np
import pytest
from chcfuzz.tracing.libfuzzer_counters import SIZE, Counters
from chcfuzz.tracing.trace import NOTHING, Trace, make_trace

ANSWERS = 16
TRANSITIONS = ANSWERS + 3 * (1 << 14)


def with_hash(number: int) -> Trace:
    return Trace(number, 1, np.zeros(0, np.uint32), np.zeros(0, np.uint32))


def with_transitions(counts: dict[int, int]) -> Trace:
    keys = sorted(counts)
    return Trace(0, 1, np.array(keys, np.uint32), np.array([counts[key] for key in keys], np.uint32))


def feature_class(count: int) -> int:
    """Return libFuzzer's `CounterToFeature`: the ranges are 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more."""
    bounds = (1, 2, 3, 4, 8, 16, 32, 128)
    return sum(count >= bound for bound in bounds)


def features(trace: Trace, answer: int = 0) -> frozenset[tuple[int, int]]:
    """Features that libFuzzer distinguishes in one execution."""
    shown = Counters()
    shown.record(trace, answer)
    return frozenset((int(index), feature_class(int(shown.counters[index]))) for index in shown.counters.nonzero()[0])


def of_trace(trace: Trace) -> frozenset[tuple[int, int]]:
    return frozenset((index, kind) for index, kind in features(trace) if ANSWERS <= index < TRANSITIONS)


def test_sizes_are_what_libfuzzer_wants() -> None:
    shown = Counters()
    assert (shown.counters.shape, shown.counters.dtype) == ((SIZE,), np.uint8)
    assert (shown.pcs.shape, shown.pcs.dtype) == ((SIZE, 2), np.uintp)
    assert shown.counters.flags.c_contiguous
    assert shown.pcs.flags.c_contiguous
    assert SIZE == 16 + 4 * 16384
    assert 8 * SIZE <= (1 << 21) // 4 + 128


def test_every_counter_has_an_address_of_its_own() -> None:
    addresses = Counters().pcs[:, 0]
    assert addresses.all()
    assert len(np.unique(addresses)) == SIZE


@pytest.mark.slow
def test_each_independent_feature_has_a_counter_of_its_own() -> None:
    generator = np.random.default_rng(1)
    keys = np.unique(generator.integers(0, 1 << 32, 5000, dtype=np.uint32))
    seen = set()
    for key in keys.tolist():
        shown = Counters()
        shown.record_features(with_transitions({key: 1}), 1)
        (index,) = shown.counters[ANSWERS:].nonzero()[0]
        seen.add((int(index), feature_class(int(shown.counters[ANSWERS + index]))))
        assert shown.counters[1] == 1
    assert len(seen) > 0.98 * len(keys)


def test_the_hash_of_all_features_is_not_a_feature() -> None:
    first, second = Counters(), Counters()
    keys = np.array([7, 1 << 20], np.uint32)
    first.record_features(Trace(11, 2, keys, np.ones(2, np.uint32)), 1)
    second.record_features(Trace(12, 2, keys, np.ones(2, np.uint32)), 1)
    assert np.array_equal(first.counters, second.counters)


def test_nothing_is_shown_before_and_after() -> None:
    shown = Counters()
    assert not shown.counters.any()
    shown.record(make_trace(np.array([1, 2], np.uint32), np.array([1, 2], np.uint16)), 1)
    assert shown.counters.any()
    shown.clear()
    assert not shown.counters.any()


def test_the_arrays_never_move() -> None:
    shown = Counters()
    counters, address = shown.counters, shown.counters.ctypes.data
    shown.record(with_hash(1), 1)
    shown.clear()
    assert shown.counters is counters
    assert shown.counters.ctypes.data == address


@pytest.mark.parametrize("answer", [0, 1, 5, 15])
def test_an_answer_is_a_feature(answer: int) -> None:
    found = features(NOTHING, answer)
    assert {(index, kind) for index, kind in found if index < ANSWERS} == {(answer, 1)}


def test_a_trace_has_one_feature_in_each_of_three_tables() -> None:
    generator = np.random.default_rng(0)
    for number in generator.integers(0, 1 << 63, 200).tolist():
        tables = sorted((index - ANSWERS) >> 14 for index, _ in of_trace(with_hash(number)))
        assert tables == [0, 1, 2]


def test_classes_of_counts_are_libfuzzers_and_each_is_used() -> None:
    """Three bits of the hash pick one of eight classes; counts of one class would be one feature."""
    first_table = {number: min(of_trace(with_hash(number << 14))) for number in range(8)}
    assert {index for index, _ in first_table.values()} == {ANSWERS}
    assert sorted(kind for _, kind in first_table.values()) == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("bit", range(51))
def test_each_bit_of_the_hash_shows(bit: int) -> None:
    assert of_trace(with_hash(0)) != of_trace(with_hash(1 << bit))


@pytest.mark.slow
def test_ten_thousand_traces_show_a_new_feature_each() -> None:
    generator = np.random.default_rng(1)
    shown = Counters()
    seen = np.zeros((SIZE, 9), dtype=bool)
    classes = np.array([feature_class(count) for count in range(256)])
    kept = 0
    for number in generator.integers(0, 1 << 63, 10_000).tolist():
        shown.clear()
        shown.record(with_hash(number), 0)
        slots = shown.counters[ANSWERS:].nonzero()[0] + ANSWERS
        new = ~seen[slots, classes[shown.counters[slots]]]
        kept += bool(new.any())
        seen[slots, classes[shown.counters[slots]]] = True
    assert kept >= 9_990


def test_the_same_trace_shows_the_same_features() -> None:
    trace = make_trace(np.array([1, 2, 1], np.uint32), np.array([1, 2, 1], np.uint16))
    assert features(trace, 3) == features(trace, 3)


def test_transitions_have_their_counts() -> None:
    shown = Counters()
    shown.record(with_transitions({0x10002: 1, 0x20001: 7}), 0)
    assert sorted(shown.counters[TRANSITIONS:][shown.counters[TRANSITIONS:] > 0].tolist()) == [1, 7]


@pytest.mark.parametrize(("count", "shown_count"), [(255, 255), (256, 255), (257, 255), (1 << 20, 255)])
def test_counts_of_transitions_are_clipped_and_never_wrap(count: int, shown_count: int) -> None:
    shown = Counters()
    shown.record(with_transitions({0x10002: count}), 0)
    assert shown.counters[TRANSITIONS:].max() == shown_count


def test_transitions_in_one_slot_show_the_larger() -> None:
    slots: dict[int, int] = {}
    for key in range(1 << 16):
        slot = (key * 2654435769 & 0xFFFFFFFF) >> 18
        if slot in slots:
            break
        slots[slot] = key
    for counts in ((9, 5), (5, 9)):
        shown = Counters()
        shown.record(with_transitions({slots[slot]: counts[0], key: counts[1]}), 0)
        assert shown.counters[TRANSITIONS:].nonzero()[0].tolist() == [slot]
        assert shown.counters[TRANSITIONS + slot] == 9


def test_transitions_stay_within_their_table() -> None:
    keys = np.random.default_rng(2).integers(0, 1 << 32, 5000)
    found = features(with_transitions({int(key): 1 for key in keys}))
    assert max(index for index, _ in found) < SIZE
    assert len([index for index, _ in found if index >= TRANSITIONS]) > 4000


def test_suspicious_solver_steps_have_counters_apart_from_answers() -> None:
    shown = Counters()
    shown.record_answer(6)
    shown.record_steps((0, 3, 999))
    assert [int(each) for each in shown.counters[:ANSWERS]] == [0, 0, 0, 0, 0, 0, 1, 0, 0, 3, 255, 0, 0, 0, 0, 0]
