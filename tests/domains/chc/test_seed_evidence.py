"""The status of a CHC seed without a declared one: a model that cvc5 accepts, or a hope that two others withdraw."""

from pathlib import Path

import pytest
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.domains.chc.witness_search import ChcWitnessSearch
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.seed_answers import Ground, SeedAnswer
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.other_solvers import CrossSolver
from chcfuzz.solvers.outcome import Status
from chcfuzz.triage.examine.runs import Runs

SILENT = BUILT_IN[0].replace("(set-info :status sat)\n", "")


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline(Solving())


def known(pipeline: Pipeline) -> SeedAnswer:
    return pipeline.seed_answer(pipeline.execute(pipeline.mutant(Recipe(SILENT)), second=False))


def test_a_model_that_cvc5_does_not_contradict_is_a_witness(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = known(pipeline)
    assert (found.status, found.ground) == ("sat", Ground.WITNESS)
    assert found.witness.startswith("(define-fun ")
    monkeypatch.setattr("chcfuzz.oracles.second_solver.answers", lambda _: ("sat",))
    assert known(pipeline) == SeedAnswer("sat", Ground.ANSWER)


def test_only_other_projects_agree_against_the_own_answer(pipeline: Pipeline, tmp_path: Path) -> None:
    programs = [tmp_path / name for name in ("one", "two", "z3")]
    for program in programs:
        program.write_text("#!/bin/sh\necho unsat\n")
        program.chmod(0o755)
    others = [CrossSolver(program.name, Command.of(str(program), 60)) for program in (*programs, programs[0])]
    runs = Runs(pipeline, 100_000, (), lambda _: None)
    run = runs.execute("the seed", Recipe(SILENT))
    assert run is not None
    search = ChcWitnessSearch(runs, pipeline.watchdog, None, others)
    assert search.agreeing(run, Status.UNSAT) == ("one", "two")
    assert search.agreeing(run, Status.SAT) == ()
