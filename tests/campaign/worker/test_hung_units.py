"""Units on which the wall clock ended the solver are kept, and no others."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker import hung_units
from chcfuzz.campaign.worker.hung_units import HungUnits, number_of
from chcfuzz.campaign.worker.target import Target
from chcfuzz.execution.pipeline import Pipeline
from chcfuzz.mutators.recipe import Unit, digest, read
from chcfuzz.solvers.outcome import Status

from tests.campaign.conftest import SAT, UNSAT, doubled

MakeOptions = Callable[..., Options]


@pytest.fixture
def hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wall clock ends the solver on every unsatisfiable system."""
    solve = Pipeline.solve

    def ended(*given: Any) -> Any:
        outcome = solve(*given)
        return replace(outcome, status=Status.HANG) if outcome.status is Status.UNSAT else outcome

    monkeypatch.setattr(Pipeline, "solve", ended)


def kept(findings: Path) -> dict[str, bytes]:
    folder = findings / "hangs"
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}


@pytest.mark.usefixtures("hangs")
def test_a_campaign_keeps_the_units_that_hang(options: MakeOptions, session: Session) -> None:
    given = options()
    target = Target(given, session)
    units = [UNSAT.encode(), doubled(seed=UNSAT)]
    for unit in (SAT.encode(), *units):
        target.test_one_input(unit)
    assert kept(given.findings) == {digest(unit): unit for unit in units}
    assert number_of(given.findings) == 2


@pytest.mark.usefixtures("hangs")
def test_the_hangs_of_a_replay_are_not_kept(options: MakeOptions, session: Session, tmp_path: Path) -> None:
    unit = tmp_path / "unit"
    unit.write_text(UNSAT)
    given = options(str(unit))
    assert given.replays_files
    Target(given, session).test_one_input(UNSAT.encode())
    assert not kept(given.findings)


@pytest.mark.usefixtures("hangs")
def test_a_solver_without_resource_limits_ends_by_its_clock_so_its_units_are_not_kept(
    options: MakeOptions, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = options()
    monkeypatch.setattr(type(given.solving), "counts_resources", False)
    Target(given, session).test_one_input(UNSAT.encode())
    assert not kept(given.findings)


def test_the_folder_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hung_units, "MOST", 2)
    units = [Unit(f"{SAT};{number}".encode()) for number in range(3)]
    hung = HungUnits(tmp_path)
    assert number_of(tmp_path) == 0
    for unit in units:
        hung.keep(unit)
    assert set(kept(tmp_path)) == {unit.digest for unit in units[:2]}


def test_the_built_in_seed_is_not_a_file(tmp_path: Path) -> None:
    HungUnits(tmp_path).keep(read(b""))
    assert not kept(tmp_path)


def test_a_folder_that_cannot_be_written_does_not_end_the_campaign(tmp_path: Path) -> None:
    (tmp_path / "hangs").write_text("a file")
    HungUnits(tmp_path).keep(Unit(SAT.encode()))
    assert number_of(tmp_path) == 0
