"""Switches that explain enough suspicions become rare, in this campaign and in later ones with the same solver."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker.target import Target
from chcfuzz.domains.chc.roots import ChcRoots
from chcfuzz.mutators.budget import ParameterBudget

from tests.campaign.conftest import doubled, looked_into

MakeOptions = Callable[..., Options]
SWITCH = ("fp.spacer.ctp", "false")
SWITCHED = "--solver=tests.quality.planted:SwitchedSpacer"  # wrong where `ctp` is off
STUBBORN = "--solver=tests.quality.planted:StubbornSpacer"  # wrong under any parameters


def run(options: Options, session: Session, number: int) -> ParameterBudget:
    """Execute suspicious mutants that set the switch; return the budget of the worker."""
    options.findings.mkdir(exist_ok=True)
    target = Target(options, session)
    for choices in range(number):
        target.test_one_input(doubled(bytes([choices, 0, 0, 0]), parameters=(SWITCH,)))
    return target.mutations.full_switches.budget


def test_a_switch_is_rare_once_it_explains_as_many_suspicions_as_a_bucket_takes(
    options: MakeOptions, session: Session
) -> None:
    given = options(SWITCHED, "--per-bucket=1")
    assert run(given, session, 1).is_rare(SWITCH[0])
    assert session.full_switches.named() == [(SWITCH[0], "wrong-answer")]


def test_one_that_explains_fewer_is_not(options: MakeOptions, session: Session) -> None:
    assert not run(options(SWITCHED, "--per-bucket=2"), session, 1).is_rare(SWITCH[0])


def test_a_switch_does_not_explain_what_happens_without_it(options: MakeOptions, session: Session) -> None:
    assert not run(options(STUBBORN, "--per-bucket=1"), session, 1).is_rare(SWITCH[0])
    assert session.full_switches.named() == []


def test_another_worker_of_the_campaign_knows_it(options: MakeOptions, session: Session) -> None:
    session.full_switches.mark(*SWITCH[:1], "wrong-model")
    assert run(options(), session, 0).is_rare(SWITCH[0])


@pytest.mark.slow
@pytest.mark.parametrize(("solver", "is_rare"), [(SWITCHED, True), (STUBBORN, False)])
def test_a_later_campaign_knows_it_from_findings_of_the_same_solver(
    options: MakeOptions, session: Session, tmp_path: Path, solver: str, is_rare: bool
) -> None:
    given = options(SWITCHED, "--per-bucket=1")
    run(given, session, 1)
    assert len(looked_into(given.findings, session)) == 1
    folder = tmp_path / "later"
    folder.mkdir()
    assert run(options(solver, "--per-bucket=1"), Session(folder), 0).is_rare(SWITCH[0]) is is_rare


@pytest.mark.slow
def test_the_parameter_that_chooses_the_solver_is_no_switch(
    options: MakeOptions, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = options(SWITCHED, "--per-bucket=1")
    run(given, session, 1)
    (folder,) = looked_into(given.findings, session)
    record = json.loads((folder / "record.json").read_text())
    record["parameters"]["solver"] = "spacer"
    (folder / "record.json").write_text(json.dumps(record))
    monkeypatch.setattr(ChcRoots, "selecting", frozenset(("solver",)))
    later = tmp_path / "later"
    later.mkdir()
    budget = run(options(SWITCHED, "--per-bucket=1"), Session(later), 0)
    assert (budget.is_rare(SWITCH[0]), budget.is_rare("solver")) == (True, False)
