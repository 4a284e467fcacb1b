"""Campaigns read back the texts of some mutants, and with --self-check those of all."""

from collections.abc import Callable
from itertools import count

import pytest
from chcfuzz.campaign.options import Options
from chcfuzz.campaign.session.counters import Counter
from chcfuzz.campaign.session.session import Session
from chcfuzz.campaign.worker import executor
from chcfuzz.campaign.worker.internal_errors import FOLDER
from chcfuzz.campaign.worker.target import Target
from chcfuzz.mutators.chain import Mutant
from chcfuzz.mutators.recipe import digest

from tests.campaign.conftest import SAT

MakeOptions = Callable[..., Options]


def target(options: Options, session: Session) -> Target:
    options.findings.mkdir()
    return Target(options, session)


def test_a_misprinted_mutant_is_an_internal_error_with_its_recipe_and_is_not_solved(
    options: MakeOptions, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = target(options("--self-check"), session)
    monkeypatch.setattr(Mutant, "text", property(lambda mutant: mutant.script().replace("forall", "exists")))
    made.test_one_input(SAT.encode())
    folder = options().findings / FOLDER / digest(SAT.encode())
    assert (folder / "recipe").read_bytes() == SAT.encode()
    assert "ReadBackError: the grammar does not read the text of the mutant" in (folder / "traceback").read_text()
    totals = session.counters.totals()
    assert (totals[Counter.OWN_ERRORS], totals[Counter.SAT], totals[Counter.UNSAT]) == (1, 0, 0)
    assert not list(options().findings.glob("*-*/record.json"))


def test_without_the_flag_the_unit_decides_and_one_in_200_is_read_back(
    options: MakeOptions, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = target(options(), session)
    checked: list[str] = []
    monkeypatch.setattr(executor, "read_back", lambda text, _roots: checked.append(text))
    units = (f"; {number}\n{SAT}".encode() for number in count())
    chosen = next(unit for unit in units if int(digest(unit)[:8], 16) % 200 == 0)
    for unit in (SAT.encode(), chosen, *(next(units) for _ in range(3))):
        made.context.caches.outcomes.clear()
        made.test_one_input(unit)
    assert len(checked) == 1
