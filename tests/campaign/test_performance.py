"""A mutant that costs a hundred times as much as its seed is a finding, if a flag enables it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker.target import Target
from chcfuzz.mutators.recipe import Recipe, Step, encode

from tests.campaign.conftest import doubled, looked_into
from tests.quality.planted import repeats_a_member
from tests.quality.test_planted_bug import SEEDS

MakeOptions = Callable[..., Options]
DEAR = "--solver=tests.quality.planted:CostlySpacer"
SAT, MORE_SAT = SEEDS.values()
UNSAT = SAT.replace("(> y 3)", "(= y 0)").replace("sat)", "unsat)", 1)
PARAMETERS = (("fp.spacer.ctp", "false"),)


def found(options: Options, session: Session, *units: bytes) -> list[Path]:
    """Return the finding folders after these units."""
    target = Target(options, session)
    options.findings.mkdir(exist_ok=True)
    for unit in units:
        target.test_one_input(unit)
    looked_into(options.findings, session)
    return sorted(path for path in options.findings.iterdir() if not path.name.startswith("."))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [SAT, UNSAT, MORE_SAT])
def test_a_dear_mutant_is_kept_and_its_record_says_what_it_costs(
    options: MakeOptions, session: Session, seed: str
) -> None:
    (folder,) = found(options(DEAR, "--performance"), session, doubled(seed=seed))
    assert folder.name.startswith("performance-default-")
    record = json.loads((folder / "record.json").read_text())
    assert record["kind"] == "performance"
    assert record["scope"]["severity"] == "cost"
    assert not record["scope"]["maintainers"]
    cost = record["runs"]["given"]["cost"]
    assert record["witness"].startswith(f"costs {cost} resource units, its seed ")
    assert session.findings.kinds() == ["performance"]


def test_it_is_no_finding_unless_one_asks(options: MakeOptions, session: Session) -> None:
    assert found(options(DEAR), session, doubled(seed=SAT), doubled(seed=UNSAT)) == []


def test_spacer_itself_is_not_dear_there(options: MakeOptions, session: Session) -> None:
    assert found(options("--performance"), session, doubled(seed=SAT), doubled(seed=UNSAT)) == []


def test_a_seed_is_not_dearer_than_itself(options: MakeOptions, session: Session) -> None:
    assert found(options(DEAR, "--performance"), session, SAT.encode(), UNSAT.encode()) == []
    written = SAT.replace("(= y 0)", "(= y 0) (= y 0)")
    assert repeats_a_member(written)
    assert found(options(DEAR, "--performance"), session, written.encode()) == []


def test_under_other_parameters_a_cost_says_nothing_about_the_mutation(options: MakeOptions, session: Session) -> None:
    assert found(options(DEAR, "--performance"), session, doubled(seed=SAT, parameters=PARAMETERS)) == []


def test_a_mutant_that_has_other_models_than_its_seed_is_not_compared(options: MakeOptions, session: Session) -> None:
    steps = (Step("names.rename-predicate", b"\0\1\2\3"), Step("boolean.dup-and", b"\0\0\0\0"))
    assert found(options(DEAR, "--performance"), session, encode(Recipe(SAT, steps))) == []


def test_mutants_may_cost_more_than_the_limit_factor_allows_otherwise(options: MakeOptions) -> None:
    assert options("--performance", "--limit-factor=30").limit_factor == 0
    assert options("--limit-factor=30").limit_factor == 30
