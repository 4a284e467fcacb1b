"""The edges of a question are counted in the child and shown in its parent."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from chcfuzz.domains.parts.solvers.shared_edges import EdgesError, ReceivedEdges, SentEdges
from chcfuzz.tracing.edges import NO_EDGES, Edges

from tests.targets import ROOT
from tests.traced import TRACED, needs_traced_build

PROGRAM = """
import json, sys
from pathlib import Path
from chcfuzz.execution.solving import Solving
solving = Solving(domain="parts", z3_library=Path(sys.argv[1]), wall_seconds=200)  # however slow the machine is
solving.activate()
from chcfuzz.domains.parts.domain import DOMAIN
from chcfuzz.solvers.watchdog import Watchdog
solver = DOMAIN.solver(solving, None, Watchdog(200))
edges = solver.events.edges
FORMULA = "(declare-const x Int)(declare-const y Int)(assert (< 0 x))(assert (< x y))"
VALUES = "((x 1) (y 2))"
found = []
project, command = f"(project (x) {VALUES})", f"(mbp (x) {VALUES})"
for question in ("(core)", project, project, "(eliminate (x))", command):
    edges.counters[:] = 9
    outcome = solver.solve(f'(set-info :chcfuzz-part "{question}")\\n{FORMULA}', (), 10**6)
    found.append((outcome.status.value, int((edges.counters > 0).sum()), int((edges.counters == 9).sum())))
solver.close()
print(json.dumps(found))
"""


def edges_of(*counts: int) -> Edges:
    return Edges(np.array(counts, np.uint8), np.zeros((len(counts), 2), np.uintp))


def test_the_counts_of_a_question_become_those_of_the_parent() -> None:
    of_parent, of_child = edges_of(7, 7, 7), edges_of(5, 0, 200)
    received = ReceivedEdges(of_parent)
    sent = SentEdges(received.path, of_child)
    sent.clear()
    of_child.counters[2] = 3
    sent.send()
    received.show()
    assert of_parent.counters.tolist() == [0, 0, 3]


def test_a_question_whose_process_dies_has_no_edges() -> None:
    of_parent = edges_of(7, 7)
    received = ReceivedEdges(of_parent)
    SentEdges(received.path, edges_of(1, 1)).send()
    received.clear()
    received.show()
    assert not of_parent.counters.any()


def test_a_library_that_was_replaced_during_a_campaign_is_refused() -> None:
    received = ReceivedEdges(edges_of(1, 2, 3))
    with pytest.raises(EdgesError, match="it had 3 edges and has 2 now"):
        SentEdges(received.path, edges_of(1, 2))


def test_a_release_without_edges_shares_nothing() -> None:
    received = ReceivedEdges(NO_EDGES)
    sent = SentEdges(received.path, NO_EDGES)
    assert not received.path
    for action in (received.clear, sent.clear, sent.send, received.show):
        action()


@pytest.mark.slow
@needs_traced_build
def test_a_traced_build_shows_the_edges_of_its_library_and_none_of_the_program() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(TRACED)], capture_output=True, text=True, check=True)
    core, project, again, eliminate, command = json.loads(done.stdout)
    assert {status for status, *_ in (core, project, eliminate, command)} == {"result"}
    assert 0 < core[1] < project[1] < eliminate[1]
    assert abs(project[1] - again[1]) < project[1] // 4  # what a new process does once
    assert command[1] == 0
    assert all(old < 5 for *_, old in (core, command))


@pytest.mark.slow
@needs_traced_build
def test_the_edges_of_parts_are_feedback_on_request(tmp_path: Path) -> None:
    covered = {}
    for features in ("all", "transitions"):
        flags = (f"--features={features}", "--part=project", "-runs=30", "-seed=1", "--verbose", "--wall-seconds=200")
        words = [
            sys.executable,
            str(ROOT / "fuzz_targets" / "parts.py"),
            f"--z3-library={TRACED}",
            "--finish-seconds=1",
            *flags,
        ]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        covered[features] = max(int(line.split()[0]) for line in done.stderr.split(" cov: ")[1:])
    assert covered["all"] > 1_000 + covered["transitions"]
