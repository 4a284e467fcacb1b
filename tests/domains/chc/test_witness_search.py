"""Witnesses for sat that no other solver gives."""

import pytest
from chcfuzz.domains.chc.witness_search import ChcWitnessSearch
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.progress_log import ProgressLog
from chcfuzz.triage.examine.runs import Runs

# Both are sat. The first has infinitely many facts. The second has four, and Spacer reaches its limit with either
# projection.
COUNTER = """
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))
"""
POWERS = """
(declare-fun p (Int Int) Bool)
(assert (p 1 2))
(assert (forall ((n Int) (x Int)) (=> (and (p n x) (< n 4)) (p (+ n 1) (* x x)))))
(assert (forall ((n Int) (x Int)) (=> (and (p n x) (= n 4) (distinct (* x x) 65536)) false)))
"""


@pytest.mark.parametrize(("text", "words"), [(COUNTER, "with its other projection"), (POWERS, "the facts that follow")])
def test_a_model_comes_from_the_other_projection_or_from_all_facts(text: str, words: str) -> None:
    runs = Runs(Pipeline(Solving(), events=ProgressLog()), 300_000, (), lambda _message: None)
    recipe = Recipe(text, ())
    run = runs.execute("the unit", recipe)
    assert run is not None
    found = ChcWitnessSearch(runs, Watchdog(60), None, ()).witness(run, Status.SAT, ())
    assert found is not None
    assert found.words.startswith(words)
