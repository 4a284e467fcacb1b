"""Functions of a traced Z3: those that a Horn system can reach, and those that were."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from chcfuzz.tracing.edges import Edges
from chcfuzz.tracing.solver_coverage import SourcePlace
from chcfuzz.tracing.solver_functions import edge_table_of, inlined, reachable, with_lines

from tests.traced import TRACED, needs_traced_build

FILE = "muz/spacer/spacer_context.cpp"
PUSH, SHORT = (
    SourcePlace("spacer::pob_queue::push(spacer::pob&)", FILE, 196),
    SourcePlace("spacer::context::push()", FILE, 900),
)

LIBRARY = Path("/nowhere/libz3.so")

SOLVE = """
import sys
from pathlib import Path
from chcfuzz.solvers import z3_release
library = z3_release.activate(None, Path(sys.argv[1])).traced
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.solver_functions import edge_table, inlined, reachable, with_lines
from chcfuzz.tracing.traced_library import TracedLibrary
events = TracedLibrary(library)
table = edge_table(events.edges, library)
events.edges.clear()
text = '''(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))
    (assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))
    (assert (forall ((x Int)) (=> (and (p x) (> x 9)) false)))'''
Spacer(events, Watchdog(60)).solve(text, [("fp.xform.inline_eager", "false")], 5_000_000)
seen, enters = events.edges.counters > 0, table[:, 1] > 0
entered = set(filter(None, reachable(library, table[seen & enters, 0])))
others = set(filter(None, reachable(library, table[~seen & enters, 0])))
reached = entered | with_lines(entered | others, inlined(library, table[seen & ~enters, 0]))
for name in ("spacer::context::solve_core", "spacer::pob_queue::push", "spacer::lemma_cluster::add_lemma"):
    print(name, any(place.name == name for place in entered | others), any(place.name == name for place in reached))
print(any("spacer_legacy" in place.file for place in entered | others), len(entered) > 100)
"""


def test_a_line_of_an_inlined_function_belongs_to_the_last_one_with_its_name() -> None:
    functions = {PUSH, SHORT, SourcePlace("spacer::context::pop()", FILE, 197)}
    assert with_lines(functions, {SourcePlace("push", FILE, 201)}) == {PUSH}
    assert with_lines(functions, {SourcePlace("push", FILE, 901), SourcePlace("pop", FILE, 198)}) == functions - {PUSH}
    assert (
        with_lines(functions, {SourcePlace("push", FILE, 3), SourcePlace("push", "qe/mbp/other.cpp", 201)})
        == frozenset()
    )


def test_a_function_is_named_without_its_parameters() -> None:
    assert PUSH.name == "spacer::pob_queue::push"
    assert SourcePlace("bind::operator()(expr*, bool)", FILE, 1).name == "bind::operator()"
    assert SourcePlace("(anonymous namespace)::bind::run(int)", FILE, 1).name == "(anonymous namespace)::bind::run"


@pytest.mark.slow
@needs_traced_build
def test_one_execution_reaches_some_functions_inlined_ones_among_them() -> None:
    words = [sys.executable, "-c", SOLVE, str(TRACED)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [
        "spacer::context::solve_core True True",
        "spacer::pob_queue::push True True",
        "spacer::lemma_cluster::add_lemma True False",
        "False True",
    ], done.stderr


def test_only_entries_that_further_edges_follow_have_branches() -> None:
    pcs = np.array([[100, 1], [110, 0], [120, 1], [130, 1], [140, 0], [150, 1]], np.uintp)
    table = edge_table_of(Edges(np.zeros(6, np.uint8), pcs), 40)
    assert table.tolist() == [[60, 1], [70, 0], [80, 0], [90, 1], [100, 0], [110, 0]]


def test_a_campaign_that_has_not_reached_anything_yet_needs_no_symbolizer() -> None:
    assert reachable(LIBRARY, ()) == []
    assert inlined(LIBRARY, ()) == frozenset()
