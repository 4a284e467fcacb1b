"""The sample of earlier executions that are run again."""

import weakref

from chcfuzz.tracing.stability import Reservoir


class Execution:
    """Something to keep."""


def repeated(reservoir: Reservoir[str], offers: int) -> dict[int, tuple[str, int]]:
    """Which offers were answered, and with what; execution `n` has the hash 1000 + n."""
    answers = ((number, reservoir.offer(f"execution {number}", 1000 + number)) for number in range(offers))
    return {number: answer for number, answer in answers if answer is not None}


def test_one_in_every_so_many_offers_is_answered() -> None:
    assert list(repeated(Reservoir(size=8, every=16), 100)) == [2, 18, 34, 50, 66, 82, 98]
    assert list(repeated(Reservoir(), 200)) == [8, 72, 136]


def test_an_answer_is_an_earlier_execution_with_its_own_hash() -> None:
    for number, (execution, trace_hash) in repeated(Reservoir(size=8, every=16), 5000).items():
        assert execution == f"execution {trace_hash - 1000}"
        assert trace_hash - 1000 <= number


def test_there_is_an_answer_even_from_a_sample_of_one() -> None:
    assert set(repeated(Reservoir(size=1, every=1), 3)) == {0, 1, 2}


def test_the_same_offers_get_the_same_answers() -> None:
    assert repeated(Reservoir(size=8, every=16), 2000) == repeated(Reservoir(size=8, every=16), 2000)


def test_no_more_than_its_size_is_kept() -> None:
    """Those that are dropped are freed."""
    reservoir: Reservoir[object] = Reservoir(size=4, every=8)
    offered = [Execution() for _ in range(1000)]
    alive = [weakref.ref(execution) for execution in offered]
    for number, execution in enumerate(offered):
        reservoir.offer(execution, number)
    del offered, execution
    assert sum(reference() is not None for reference in alive) == 4


def test_older_ones_make_room_so_that_late_executions_are_repeated_too() -> None:
    answers = repeated(Reservoir(size=8, every=16), 20_000)
    last = [trace_hash - 1000 for number, (_, trace_hash) in answers.items() if number > 19_000]
    assert last
    assert min(last) > 16_000


def test_every_place_of_the_sample_is_repeated() -> None:
    reservoir: Reservoir[int] = Reservoir(size=8, every=16)
    answers = [answer for number in range(16 * 8 * 4) if (answer := reservoir.offer(number, number)) is not None]
    assert len({execution for execution, _ in answers}) >= 8
