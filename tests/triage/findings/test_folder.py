"""The text of a finding has a status only with a ground, and never the answer that a contradiction accuses."""

from dataclasses import replace

import pytest
from chcfuzz.execution.reports import RunReport, UnitReport
from chcfuzz.mutators.chain import with_status
from chcfuzz.solvers.outcome import Status
from chcfuzz.triage.examine.conclusion import End, Witness
from chcfuzz.triage.examine.messages import Described
from chcfuzz.triage.findings.folder import files

from tests.triage.findings.test_confirmation_queue import concluded, seen

BACKED = with_status("(set-logic HORN)\n(check-sat)\n", "sat", "the answers of one and two for the seed")


def mutant(end: End, answer: str, witness: Witness | None = None) -> list[str]:
    made = concluded(seen(), end, witness=witness)
    described = Described(UnitReport("5.4.0.0", BACKED, BACKED, BACKED, (), "equivalent", "sat", ()), None)
    given = RunReport(status=answer)
    return files(replace(made, described=described, given=given))["mutant.smt2"].decode().splitlines()


@pytest.mark.parametrize(("answer", "is_stated"), [("sat", False), ("unsat", True)])
def test_a_contradiction_does_not_state_the_accused_answer(answer: str, is_stated: bool) -> None:
    assert ("(set-info :status sat)" in mutant(End.CONTRADICTION, answer)) is is_stated


def test_a_witness_states_the_right_answer_and_is_its_ground() -> None:
    lines = mutant(End.CONFIRMED, "sat", Witness(Status.UNSAT, "a refutation\nof two steps", "its text", ""))
    assert lines[1:3] == ["; The ground of the status: a refutation of two steps.", "(set-info :status unsat)"]
