"""The order of suspicious places."""

import numpy as np
from chcfuzz.triage.findings.location import SuspiciousSite
from chcfuzz.triage.locate.ranking import event_places, function_places, in_order, suspicious_places, switched_files
from chcfuzz.triage.locate.spectrum import SuspectSite

from tests.triage.locate.test_events import reaching


def test_a_function_has_one_place_where_it_is_most_suspicious() -> None:
    edges = [SuspectSite(4, 0.9, 2, 0), SuspectSite(5, 0.9, 2, 0), SuspectSite(6, 0.8, 2, 1), SuspectSite(8, 0.7, 1, 1)]
    places = ["a.cpp:9 f", None, "a.cpp:1 f", "b.cpp:3 g"]
    assert [place.site for place in function_places(edges, places)] == [
        SuspiciousSite("a.cpp:9 f", 0.9, 2, 0),
        SuspiciousSite("b.cpp:3 g", 0.7, 1, 1),
    ]


def test_a_function_is_named_without_parameters_and_at_a_place_outside_headers_if_it_has_one() -> None:
    edges = [SuspectSite(number, 1.0, 2, 0) for number in range(5)]
    places = ["ref.h:33 a::f(int) const", "a.cpp:5 a::f(int) const", "a.h:4 a::operator()(int)", "b.h:1 ~x()", None]
    assert [place.site.where for place in function_places(edges, places)] == [
        "a.cpp:5 a::f",
        "a.h:4 a::operator()",
        "b.h:1 ~x",
    ]
    (hidden,) = function_places(edges[:1], ["c.cpp:7 (anonymous namespace)::g(int)"])
    assert hidden.site.where == "c.cpp:7 (anonymous namespace)::g"


def test_several_edges_weigh_more_than_one_and_a_switched_transform_comes_first() -> None:
    edges = [
        SuspectSite(1, 1.0, 9, 0),
        *(SuspectSite(number, 0.9, 9, 1) for number in range(2, 6)),
        SuspectSite(9, 0.5, 5, 5),
    ]
    places = ["a.cpp:1 f", *["b.cpp:2 g"] * 4, "dl_mk_slice.cpp:3 datalog::mk_slice::h"]
    assert [place.site.where for place in in_order(function_places(edges, places), 2)] == ["b.cpp:2 g", "a.cpp:1 f"]
    files = switched_files((("fp.xform.unfold_rules", "0"),), (("fp.xform.slice", "false"), ("fp.xform.coi", "true")))
    assert files == {"dl_mk_slice.cpp"}
    first = in_order(function_places(edges, places, files), 3)[0]
    assert first.site.where == places[-1]
    event = event_places([SuspiciousSite("dl_mk_slice.cpp:7 prune -> a.cpp:1 f", 0.6, 1, 1)], files)
    assert in_order([*event, *function_places(edges, places, files)], 1) == event


def test_places_are_those_of_edges_that_the_finding_reaches() -> None:
    failing, passing = [reaching(7, 9), reaching(7, 9, 30)], [reaching(7)]
    found = suspicious_places(failing, passing, lambda edges: [f"a.cpp:{edge} f{edge}()" for edge in edges], ())
    assert [site.where for site in found] == ["a.cpp:9 f9"]
    assert np.isclose(found[0].score, 1.0)
