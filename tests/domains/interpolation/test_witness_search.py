"""Witnesses about interpolation problems, and the solvers that they contradict."""

from types import SimpleNamespace
from typing import Any

from chcfuzz.domains.interpolation.witness_search import InterpolationWitnessSearch
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.trace import NOTHING
from chcfuzz.triage.examine.conclusion import Witness

SAT, UNSAT = Status.SAT, Status.UNSAT


def test_a_witness_contradicts_the_other_solvers_that_interpolate_a_satisfiable_problem() -> None:
    others = [("bitwuzla", UNSAT), ("cvc5", SAT), ("smtinterpol", Status.UNKNOWN)]
    outcomes = tuple((name, Outcome(status, "", NOTHING, 0, 0.0)) for name, status in others)
    pipeline = SimpleNamespace(
        mutant=lambda _: SimpleNamespace(text="", parameters=()),
        solve=lambda _text, _parameters: Outcome(SAT, "", NOTHING, 0, 0.0, others=outcomes),
    )
    runs: Any = SimpleNamespace(pipeline=pipeline, guarded=lambda _name, run, _recipe: run())
    given: Any = SimpleNamespace(name="given", recipe=Recipe(""))
    search = InterpolationWitnessSearch(runs, Solving())
    assert search.contradicted(given, Witness(SAT, "z3 has a model", "", "")) == ((("solver", "bitwuzla"),),)
