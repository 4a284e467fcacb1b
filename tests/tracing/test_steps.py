"""Pairs of successive steps are returned once for each new trace."""

import numpy as np
from chcfuzz.tracing import steps
from chcfuzz.tracing.edges import NO_EDGES
from chcfuzz.tracing.progress_log import sequence_of, trace_of
from chcfuzz.tracing.steps import WithSteps, pairs_of
from chcfuzz.tracing.trace import NO_EVENTS, EventSequence, Trace

LOG = b"""
* LEVEL 1
Propagating

* LEVEL 2

** expand-pob: p level: 1 depth: 0 exprID: 583 pobID: 1
(and (= Start_2_n 16) (= Start_0_n 0))

Propagating
"""


class FakeSource:
    """A source with a given log."""

    name = "fake"
    edges = NO_EDGES
    traces_refusals = False
    has_features = False
    log = LOG

    def read(self) -> Trace:
        return trace_of(self.log)

    def sequence(self, most: int) -> EventSequence:
        return sequence_of(self.log, most)


def test_pairs_are_kinds_of_steps_that_follow_each_other_the_first_after_the_begin() -> None:
    assert pairs_of(sequence_of(LOG, 100)) == (
        ("begin", "level 1 begins"),
        ("level 1 begins", "propagate"),
        ("propagate", "level 2 begins"),
        ("level 2 begins", "expand-pob at level 1, depth 0"),
        ("expand-pob at level 1, depth 0", "propagate"),
    )
    assert pairs_of(NO_EVENTS) == ()


def test_a_repeated_pair_is_returned_once() -> None:
    sequence = EventSequence(np.array([1, 2, 1, 2], np.uint32), {}, {1: "a", 2: "b"})
    assert pairs_of(sequence) == (("begin", "a"), ("a", "b"), ("b", "a"))


def test_the_steps_of_a_new_trace_can_be_taken_once_and_those_of_a_known_one_not() -> None:
    source = WithSteps(FakeSource())  # type: ignore[arg-type]
    trace = source.read()
    assert len(source.take(trace)) == 5
    assert source.take(trace) == ()
    assert source.take(source.read()) == ()


def test_pairs_that_are_not_taken_do_not_accumulate() -> None:
    fake = FakeSource()
    source = WithSteps(fake)  # type: ignore[arg-type]
    first = source.read()
    for number in range(steps.MOST_LATEST):
        fake.log = b"* LEVEL %d\n" % (number + 4)
        last = source.read()
    assert source.take(first) == ()
    assert source.take(last) == (("begin", "level 9-16 begins"),)
