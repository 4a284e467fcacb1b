"""Where failing and passing runs differ: the event at which they part, and the sites that only failing ones reach."""

import numpy as np
import pytest
from chcfuzz.tracing.trace import make_trace
from chcfuzz.triage.locate.spectrum import Formula, Parting, last_parting, parting, spectrum, suspects
from numpy.typing import NDArray


def events(*numbers: int) -> NDArray[np.uint32]:
    return np.array(numbers, np.uint32)


@pytest.mark.parametrize(
    ("failing", "passing", "found"),
    [
        ((1, 2, 3), (1, 2, 4), Parting(2, 3, 4)),
        ((1, 2, 3), (9, 2, 3), Parting(0, 1, 9)),
        ((1, 2, 3), (1, 2), Parting(2, 3, None)),
        ((1,), (1, 7, 8), Parting(1, None, 7)),
        ((), (5,), Parting(0, None, 5)),
        ((1, 2, 3), (1, 2, 3), None),
        ((), (), None),
    ],
)
def test_where_two_sequences_part(failing: tuple[int, ...], passing: tuple[int, ...], found: Parting | None) -> None:
    assert parting(events(*failing), events(*passing)) == found


def test_the_neighbour_that_goes_along_the_longest_says_most() -> None:
    neighbours = [events(1, 2, 9), events(1, 2, 3, 9), events(1, 2, 3, 8), events(7)]
    assert last_parting(events(1, 2, 3, 4), neighbours) == (1, Parting(3, 4, 9))


def test_nothing_is_said_where_a_passing_run_does_the_same_or_none_is_there() -> None:
    assert last_parting(events(1, 2), [events(1), events(1, 2)]) is None
    assert last_parting(events(1, 2), []) is None


# Sites: all runs; failing ones alone; one failing, one passing; a passing one alone; none.
FAILING = np.array([[1, 4, 0, 0, 0], [2, 1, 7, 0, 0]])
PASSING = np.array([[1, 0, 0, 3, 0], [1, 0, 1, 0, 0], [9, 0, 0, 0, 0]])


def test_ochiai_by_hand() -> None:
    found = suspects(FAILING, PASSING)
    assert [(one.site, one.failing, one.passing) for one in found] == [(1, 2, 0), (0, 2, 3), (2, 1, 1)]
    assert [one.score for one in found] == pytest.approx([1.0, 2 / np.sqrt(2 * 5), 1 / np.sqrt(2 * 2)])


def test_tarantula_by_hand() -> None:
    found = suspects(FAILING, PASSING, Formula.TARANTULA)
    assert [(one.site, one.failing, one.passing) for one in found] == [(1, 2, 0), (2, 1, 1), (0, 2, 3)]
    assert [one.score for one in found] == pytest.approx([1.0, 0.5 / (0.5 + 1 / 3), 0.5])


@pytest.mark.parametrize("formula", Formula)
def test_only_sites_that_failing_runs_reach_are_suspects_and_equal_ones_come_in_order(formula: Formula) -> None:
    found = suspects(np.array([[1, 1, 0, 1]]), np.array([[0, 0, 1, 0]]), formula)
    assert [suspect.site for suspect in found] == [0, 1, 3]
    assert [suspect.site for suspect in suspects(np.array([[1, 1, 0, 1]]), np.zeros((0, 4)), formula, most=2)] == [0, 1]
    assert suspects(np.zeros((0, 4)), np.ones((2, 4)), formula) == []


def test_spectra_over_different_tables_are_refused() -> None:
    with pytest.raises(ValueError, match=r"\(1, 3\) and \(1, 4\)"):
        suspects(np.ones((1, 3)), np.ones((1, 4)))


def test_a_spectrum_of_traces_has_a_row_for_each_and_a_column_for_each_transition() -> None:
    runs = [(1, 2, 1, 2), (1, 3)]
    traces = [make_trace(np.array(run, np.uint32), np.array(run, np.uint16)) for run in runs]
    table, reached = spectrum([trace.keys for trace in traces])
    assert [(int(key) >> 16, int(key) & 0xFFFF) for key in table] == [(1, 2), (1, 3), (2, 1), (0xFFFF, 1)]
    assert reached.tolist() == [[True, False, True, True], [False, True, False, True]]
    assert suspects(reached[:1], reached[1:])[0].site == 0


def test_a_spectrum_of_nothing_is_empty() -> None:
    table, reached = spectrum([])
    assert table.shape == (0,)
    assert reached.shape == (0, 0)
