"""Z3 through its library and its program: the parameter `solver` selects one of them."""

from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.domains.chc.compared_program import ONE_IN, FrontEndOracle
from chcfuzz.domains.protocol import MutantSample
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.solving import BOTH, PROGRAM, Solving, UsageError
from chcfuzz.mutators.recipe import Recipe, decode, encode
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.z3_program import LIBRARY, NAME
from chcfuzz.solvers.z3_release import active
from chcfuzz.tracing.source import Parameters
from chcfuzz.tracing.trace import NOTHING

from tests.campaign.conftest import SAT

OF_PROGRAM, OF_LIBRARY = (("solver", NAME),), (("solver", LIBRARY),)


@pytest.fixture
def always_unsat(tmp_path: Path) -> Path:
    """A program with Z3's parameters that answers unsat, whatever the system is."""
    path = tmp_path / "z3"
    path.write_text(f'#!/bin/sh\nif [ "$1" = -p ]; then exec {active().executable} -p; fi\necho unsat\n')
    path.chmod(0o755)
    return path


def pipeline(front_end: str, program: Path) -> Pipeline:
    return Pipeline(Solving(front_end=front_end, z3_program=program, second_opinion=0, wall_seconds=200))


def test_the_library_solves_unless_the_recipe_selects_the_program(always_unsat: Path) -> None:
    both = pipeline(BOTH, always_unsat)
    assert both.solve(SAT, ()).status is Status.SAT
    assert both.solve(SAT, (*OF_PROGRAM, ("fp.spacer.random_seed", "1"))).status is Status.UNSAT
    assert both.solver.transforms_off(OF_PROGRAM) == tuple(
        sorted((*(both.solver.transforms_off(()) or ()), *OF_PROGRAM))
    )


def test_the_program_solves_first_with_its_front_end_and_the_library_if_the_recipe_selects_it(
    always_unsat: Path,
) -> None:
    first = pipeline(PROGRAM, always_unsat)
    assert first.solve(SAT, ()).status is first.solve_afresh(SAT, ()).status is Status.UNSAT
    assert first.solve(SAT, OF_LIBRARY).status is Status.SAT
    assert first.domain.tested(Solving(front_end=PROGRAM), ()) == OF_PROGRAM
    assert first.solver.events.name.startswith("command-")


def test_each_front_end_names_the_other_with_the_same_options(always_unsat: Path) -> None:
    both, option = pipeline(BOTH, always_unsat).solver, ("fp.spacer.ctp", "false")
    assert both.other_front_ends((option,)) == ((NAME, (option, *OF_PROGRAM)),)
    assert both.other_front_ends((option, *OF_PROGRAM)) == ((LIBRARY, (option, *OF_LIBRARY)),)


def test_a_unit_keeps_its_front_end_and_its_text_does_not_name_it() -> None:
    recipe = decode(encode(Recipe(SAT, (), OF_PROGRAM)))
    assert recipe.selection == OF_PROGRAM
    assert recipe.options == ()
    assert NAME not in Pipeline(Solving()).mutant(recipe).script()
    assert decode(encode(Recipe(SAT, (), (("solver", "rm"),)))).parameters == ()


def test_a_program_that_answers_otherwise_is_accused(always_unsat: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chcfuzz.domains.chc.compared_program.ONE_IN", 1)
    both = pipeline(BOTH, always_unsat)
    finding = both.execute(both.mutant(Recipe(SAT))).finding
    assert finding is not None
    assert (finding.kind, finding.accuses, finding.seen) == (VerdictKind.WRONG_ANSWER, OF_PROGRAM, "unsat")
    assert finding.detail == "the z3 program: answers unsat, but sat is promised"


def test_without_a_promise_both_are_accused(always_unsat: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chcfuzz.domains.chc.compared_program.ONE_IN", 1)
    both = pipeline(BOTH, always_unsat)
    seed = SAT.replace("(set-info :status sat)", "")
    found = [verdict for verdict in both.execute(both.mutant(Recipe(seed))).verdicts if verdict.kind.is_finding]
    assert [(verdict.kind, verdict.accuses) for verdict in found] == [
        (VerdictKind.DISAGREEMENT, ()),
        (VerdictKind.DISAGREEMENT, OF_PROGRAM),
    ]


class Counting(Command):
    """Counts the systems that reach it."""

    solved = 0

    def solve(self, text: str, parameters: Parameters = (), rlimit: int = 0) -> Outcome:
        Counting.solved += 1
        return super().solve(text, parameters, rlimit)


def test_a_mutant_in_a_hundred_reaches_the_program(always_unsat: Path) -> None:
    chains, counting = Pipeline(Solving()).chains, Counting((str(always_unsat),), 60.0)
    outcome = Outcome(Status.SAT, "", NOTHING, 0, 0.0)
    sample = MutantSample(ONE_IN, FrontEndOracle(counting, 1000).check)
    for number in range(10, 210):
        mutant = chains.apply(Recipe(SAT.replace("10", str(number))))
        for one in filter(sample.takes, (mutant, replace(mutant, parameters=OF_PROGRAM))):
            sample.verdicts(one, outcome)
    assert 0 < Counting.solved < 20


def test_a_front_end_without_a_program_is_refused_and_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a program; name the z3 of a build"):
        pipeline(BOTH, tmp_path)
    domain = pipeline(LIBRARY, tmp_path).domain
    assert domain.headline(Solving(front_end=LIBRARY), active()).endswith("; the z3 program is not tested")
    assert domain.headline(Solving(), active()).endswith(" for one mutant in 100")
