"""Traces: the hash names the sequence, transitions count what follows what."""

import subprocess
import sys

import numpy as np
import pytest
from chcfuzz.tracing.trace import NOTHING, START, Trace, make_trace


def trace(*events: int) -> Trace:
    """Events that are their own coarser view."""
    return make_trace(np.array(events, np.uint32), np.array(events, np.uint16))


def transitions(found: Trace) -> dict[tuple[int, int], int]:
    keys = ((int(key) >> 16, int(key) & 0xFFFF) for key in found.keys)
    return dict(zip(keys, found.counts.tolist(), strict=True))


def test_the_same_sequence_has_the_same_hash() -> None:
    assert trace(1, 2, 3).hash == trace(1, 2, 3).hash


@pytest.mark.parametrize("other", [(), (1, 2), (1, 3, 2), (1, 2, 3, 3), (1, 2, 4), (1, 2, 3, 0)])
def test_another_sequence_has_another_hash(other: tuple[int, ...]) -> None:
    assert trace(1, 2, 3).hash != trace(*other).hash


def test_the_hash_is_the_same_in_every_process() -> None:
    code = "import numpy as np; from chcfuzz.tracing.trace import make_trace\n"
    code += "print(make_trace(np.array([1, 2, 70000], np.uint32), np.array([1, 2, 3], np.uint16)).hash)"
    command = [sys.executable, "-c", code]
    result = [subprocess.run(command, env={"PYTHONHASHSEED": seed}, capture_output=True, check=True) for seed in "12"]
    here = make_trace(np.array([1, 2, 70000], np.uint32), np.array([1, 2, 3], np.uint16)).hash
    assert [int(done.stdout) for done in result] == [here, here]
    assert 0 <= here < 1 << 64


def test_transitions_are_counted_from_the_start_on() -> None:
    assert transitions(trace(1, 2, 1, 2, 2)) == {(START, 1): 1, (1, 2): 2, (2, 1): 1, (2, 2): 1}


def test_keys_are_ascending_and_their_counts_add_up_to_the_length() -> None:
    found = trace(5, 3, 5, 3, 9, 5, 5)
    assert found.length == found.counts.sum() == 7
    assert np.all(np.diff(found.keys.astype(np.int64)) > 0)
    assert (found.keys.dtype, found.counts.dtype) == (np.uint32, np.uint32)


def test_transitions_are_taken_over_steps_and_the_hash_over_events() -> None:
    steps = np.array([1, 2], np.uint16)
    one, other = (make_trace(np.array(events, np.uint32), steps) for events in ([10, 20], [10, 21]))
    assert one.hash != other.hash
    assert transitions(one) == transitions(other) == {(START, 1): 1, (1, 2): 1}


def test_nothing_is_a_trace_too() -> None:
    assert (NOTHING.length, NOTHING.complete, transitions(NOTHING)) == (0, True, {})
    assert trace().hash == NOTHING.hash
