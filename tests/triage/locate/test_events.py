"""Where runs part, and what only failing runs come by, on sequences made by hand."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.tracing.trace import EventSequence
from chcfuzz.triage.findings.location import PartingEvent, SuspiciousSite
from chcfuzz.triage.locate.events import parting_event, suspicious_edges, suspicious_sites
from chcfuzz.triage.locate.messages import Side
from chcfuzz.triage.locate.pool import Neighbour, Observed


def reaching(*edges: int) -> Observed:
    return replace(run(""), edges=np.array(edges, np.uint32))


def run(name: str, *numbers: int, start: int = 0) -> Observed:
    words, kinds = ({number: f"{what}{number}" for number in numbers} for what in (f"{name} ", "k"))
    events = EventSequence(np.array(numbers, np.uint32), words, kinds, start)
    return Observed(Neighbour(name, Recipe("")), Side.NEITHER, "", events, "")


def test_the_passing_run_that_goes_along_the_longest_says_where_it_parts_in_its_own_words() -> None:
    found = parting_event(run("bad", 1, 2, 3), [run("near", 1, 2, 4), run("far", 1, 9)])
    assert found == PartingEvent(2, "bad 3", "near 4", "bad 2", "near")


def test_a_run_that_ends_first_parts_at_its_end() -> None:
    assert parting_event(run("bad", 1, 2), [run("good", 1)]) == PartingEvent(1, "bad 2", None, "bad 1", "good")


def test_why_nothing_parts_is_said() -> None:
    assert parting_event(run("bad"), [run("good", 7)]) == "one run has no events, under good"
    assert parting_event(run("bad", 7), [run("good")]) == "one run has no events, under good"
    assert parting_event(run("bad", 1), []) == "no passing run to compare with"
    assert (
        parting_event(run("bad", 1), [run("good", 1)])
        == "the events are the same under good, where the solver is right"
    )
    assert parting_event(run("bad"), [run("good")]) == "both runs lack events under good, where the solver is right"


def test_a_run_whose_beginning_is_lost_is_held_against_nothing() -> None:
    assert (
        parting_event(run("bad", 1, start=5), [run("good", 2)]) == "the failing run has more events than can be stored"
    )
    assert isinstance(parting_event(run("bad", 1), [run("good", 2, start=5)]), str)


def sites(failing: Sequence[Observed], passing: Sequence[Observed]) -> dict[str, SuspiciousSite]:
    return {site.where: site for site in suspicious_sites(failing, passing, 10)}


def test_what_failing_runs_alone_come_by_is_the_most_suspicious() -> None:
    found = sites([run("", 1, 5, 2), run("", 1, 5)], [run("", 1, 2, 6)])
    assert next(iter(found)) == "k5"
    assert found["k5"] == SuspiciousSite("k5", 1.0, 2, 0)
    assert "k1" not in found  # all come by it
    assert "k1 -> k5" not in found  # no more suspicious than k5
    assert found["k2"] == SuspiciousSite("k2", 0.5, 1, 1)


def test_what_is_less_than_half_as_suspicious_is_left_out() -> None:
    assert "k2" not in sites([run("", 1, 5, 2), run("", 1, 5)], [run("", 1, 2), run("", 1, 2)])


def test_a_succession_counts_where_its_ends_say_less() -> None:
    found = sites([run("", 1, 2, 3)], [run("", 2, 1, 3)])
    assert {"k1 -> k2", "k2 -> k3"} == set(found)


def test_without_runs_on_both_sides_nothing_is_suspicious() -> None:
    assert suspicious_sites([run("", 1)], [], 10) == suspicious_sites([], [run("", 1)], 10) == ()
    assert suspicious_sites([run("")], [run("")], 10) == ()


def test_no_more_than_so_many_are_told() -> None:
    assert len(suspicious_sites([run("", *range(50))], [run("", 99)], 10)) == 10


def test_edges_that_failing_runs_alone_reach_are_the_most_suspicious() -> None:
    found = suspicious_edges([reaching(7, 9, 30), reaching(7, 30)], [reaching(7, 9), reaching(7, 9), run("")], 10)
    assert [(one.site, one.failing, one.passing) for one in found] == [(30, 2, 0)]
    assert found[0].score == 1.0


def test_edges_say_nothing_without_runs_on_both_sides() -> None:
    assert suspicious_edges([reaching(1)], [run("")], 10) == suspicious_edges([run("")], [reaching(1)], 10) == []
