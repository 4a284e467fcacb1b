"""Solvers in reserve answer where nothing else decides an answer to a CHC system."""

from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.domains.chc import second_opinion
from chcfuzz.domains.chc.oracles import plain_smt
from chcfuzz.domains.chc.reserves import reserves
from chcfuzz.domains.chc.solvers import z3_engines
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers import z3_release
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.other_solvers import CrossSolver
from chcfuzz.solvers.outcome import Status

from tests.campaign.conftest import SAT


@pytest.fixture
def _others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two programs be the solvers in reserve: the first does not know, the second answers unsat."""
    made = {}
    for name in ("unknown", "unsat"):
        program = tmp_path / name
        program.write_text(f'#!/bin/sh\necho "{name}"\n')
        program.chmod(0o755)
        made[name] = CrossSolver(name, Command.of([str(program)], 60.0))
    monkeypatch.setattr(second_opinion, "reserves", lambda _solving: tuple(made.values()))


def verdicts(has_model: bool, used: tuple[int, int, int]) -> list[Verdict]:
    """Return the opinions of the solvers in reserve on an answer sat, and check the counts of their use."""
    pipeline = Pipeline(Solving(second_opinion=1))
    mutant = pipeline.mutant(Recipe(SAT))
    outcome = pipeline.solve(mutant.text, ())
    assert outcome.status is Status.SAT
    found = pipeline.second_opinion.verdicts(mutant, outcome if has_model else replace(outcome, model=None))
    reserves = pipeline.second_opinion.reserves
    assert reserves is not None
    assert (reserves.answers, reserves.queried, reserves.decided) == used
    return [verdict for verdict in found if verdict.judges and verdict.judges[0] in ("unknown", "unsat")]


@pytest.mark.usefixtures("_others")
def test_they_answer_only_where_nothing_else_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdicts(has_model=True, used=(0, 0, 0)) == []  # cvc5 finds the model right
    monkeypatch.setattr(z3_engines, "applicable", lambda _system: ())
    undecided = Verdict("plain-smt", VerdictKind.UNDECIDED)
    monkeypatch.setattr(plain_smt, "check", lambda _system: undecided)
    found = verdicts(has_model=False, used=(1, 1, 1))
    assert [(each.kind, each.judges) for each in found] == [
        (VerdictKind.UNDECIDED, ("unknown",)),
        (VerdictKind.DISAGREEMENT, ("unsat",)),
    ]


def test_another_release_comes_first_and_then_each_solver_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "eld"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    active = z3_release.active()
    old = replace(active, version="4.16.0.0")
    monkeypatch.setattr(z3_release, "in_cache", lambda: ("4.8.12.0", "4.16.0.0"))
    monkeypatch.setattr(z3_release, "released", lambda _version: old)
    monkeypatch.setattr("chcfuzz.solvers.other_solvers.released", lambda _version: old)
    assert [each.name for each in reserves(Solving())] == ["Z3 4.16.0.0", "eldarica"]
    assert [each.name for each in reserves(Solving(cross=(str(program),)))] == ["Z3 4.16.0.0"]
    assert reserves(Solving(command=str(program))) == ()
    monkeypatch.setattr(z3_release, "in_cache", lambda: (active.version,))
    assert [each.name for each in reserves(Solving())] == ["eldarica"]


def test_a_release_that_cannot_be_fetched_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    active = z3_release.active()
    installed, old = replace(active, version="5.4.0.0"), replace(active, version="4.16.0.0")

    def released(version: str) -> z3_release.Release:
        if version == installed.version:
            raise z3_release.ReleaseError("pip finds no wheel")
        return old

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(z3_release, "installed", lambda: installed)
    monkeypatch.setattr(z3_release, "in_cache", lambda: ("4.16.0.0",))
    monkeypatch.setattr(z3_release, "released", released)
    monkeypatch.setattr("chcfuzz.solvers.other_solvers.released", lambda _version: old)
    assert [each.name for each in reserves(Solving())] == ["Z3 4.16.0.0"]
