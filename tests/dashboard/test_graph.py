"""The graph of steps: what is drawn where, and what is rare."""

from collections import Counter as Tally

from chcfuzz.campaign.session.tallies import STEP
from chcfuzz.dashboard import graph
from chcfuzz.dashboard.graph import graph_of
from chcfuzz.tracing.transforms import label_of

BUILD = "b"


def of(*edges: tuple[str, str, int]) -> graph.Graph:
    return graph_of(Tally({(STEP, BUILD, before, after): number for before, after, number in edges}), BUILD)


def test_spacers_steps_stand_at_their_level_and_kind() -> None:
    pob, deep = "expand-pob at level 1, depth 0", "expand-pob at level 1, depth 3-4"
    made = of(("begin", "level 1 begins", 500), ("level 1 begins", pob, 400), (pob, deep, 3), (pob, "propagate", 9))
    places = {step.words: (step.x, step.y) for step in made.steps}
    assert places["level 1 begins"][0] == places[pob][0] == places[deep][0]
    assert places["level 1 begins"][1] > places["propagate"][1] > places[pob][1] > places[deep][1]
    assert [row for _, row in made.rows][-1] == "pob, depth 3-4"


def test_rule_transforms_stand_above_spacers_steps_each_in_a_row_of_its_own() -> None:
    first, second = label_of((b"mk_slice", 1)), label_of((b"mk_rule_inliner", 2))
    level = "level 1 begins"
    made = of(("begin", first, 9), (first, second, 9), (second, level, 9), (level, "propagate", 9))
    heights = {step.words: step.y for step in made.steps}
    assert min(heights[first], heights[second]) > heights[level] > heights["propagate"]
    assert heights[first] != heights[second]


def test_what_at_most_one_trace_in_a_hundred_shows_is_rare() -> None:
    made = of(("begin", "a", 500), ("a", "b", 5), ("b", "c", 6), ("c", "a", 1))
    assert [(edge.before, edge.traces) for edge in made.rare] == [("c", 1), ("a", 5)]


def test_other_steps_stand_as_far_right_as_they_are_from_the_begin() -> None:
    made = of(("begin", "x.cpp:1 f", 9), ("x.cpp:1 f", "x.cpp:2 g<int>", 9), ("lost", "found", 9))
    assert {step.words: step.x for step in made.steps} == {
        "begin": 0,
        "x.cpp:1 f": 1,
        "x.cpp:2 g<int>": 2,
        "lost": 3,
        "found": 3,
    }
    assert made.rows == ()


def test_of_many_edges_the_frequent_and_the_rarest_are_drawn_and_all_are_counted() -> None:
    edges = [("begin", "a", 100_000), *(("a", f"s{number}", number + 1) for number in range(2000))]
    made = of(*edges)
    assert len(made.edges) == graph.MAX_EDGES
    assert made.left_out == 2001 - graph.MAX_EDGES
    assert min(edge.traces for edge in made.edges) == 1
    assert made.edges[0].traces == 100_000


def test_no_steps_are_an_empty_graph_and_those_of_another_build_do_not_count() -> None:
    other = graph_of(Tally({(STEP, "other", "begin", "a"): 3}), BUILD)
    assert other.steps == other.edges == ()
