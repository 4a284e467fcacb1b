"""The confirming process: its messages survive its death, and each death belongs to a unit."""

from dataclasses import replace

import pytest
from chcfuzz.execution.child_process import ChildProcess
from chcfuzz.execution.seed_answers import Ground, SeedAnswer
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators.recipe import Recipe, decode, encode
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.z3_parameters import with_transforms_off
from chcfuzz.triage.examine import confirm as confirm_module
from chcfuzz.triage.examine.confirm import ConfirmError, confirm
from chcfuzz.triage.examine.suspicion import Suspicion

from tests.campaign.conftest import doubled
from tests.fuzz_targets.solvers import MARK
from tests.triage.examine.test_examination import SAT

PARAMETERS = (("fp.spacer.ctp", "false"), *with_transforms_off(), ("fp.spacer.q3", "false"))


def solving(solver: str | None) -> Solving:
    module = "tests.quality.planted" if solver in ("PlantedSpacer", "ForgetfulSpacer") else "tests.fuzz_targets.solvers"
    return Solving(solver=solver and f"{module}:{solver}", rlimit=100_000)


WRONG = Suspicion(doubled(seed=SAT), "wrong-answer", "answer", "unsat", "sat", seed=SeedAnswer("sat", Ground.DECLARED))


@pytest.mark.slow
def test_a_fresh_process_reproduces_a_wrong_answer_and_finds_a_witness() -> None:
    found = confirm(WRONG, solving("PlantedSpacer"))
    assert found.end == "confirmed"
    assert found.unit == WRONG.unit
    assert found.signature.parts_at == "boolean.dup-and"
    assert found.given is not None
    assert found.given.status == "unsat"
    assert found.description.expected == "sat"
    assert found.conclusion.witness is not None
    assert found.conclusion.witness.status is Status.SAT
    assert found.deaths == ()


@pytest.mark.slow
def test_the_known_answer_of_a_seed_without_status_reaches_the_process() -> None:
    silent = SAT.replace("(set-info :status sat)\n", "")
    seen = replace(WRONG, unit=doubled(seed=silent), seed=SeedAnswer("sat", Ground.ANSWER))
    found = confirm(seen, solving("PlantedSpacer"))
    assert (found.end, found.description.expected) == ("confirmed", "sat")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("solver", "seed", "needed"),
    [
        ("PlainDyingSpacer", SAT, with_transforms_off()),  # dies of the three, under any others
        ("DyingSpacer", SAT.replace("inv", MARK), ()),
    ],
)
def test_a_second_death_confirms_a_crash_and_unneeded_parameters_are_removed(
    solver: str, seed: str, needed: tuple[tuple[str, str], ...]
) -> None:
    found = confirm(Suspicion(encode(Recipe(seed, (), PARAMETERS)), "crash"), solving(solver))
    assert found.end == "confirmed"
    assert found.conclusion.words == "it dies of signal 11"
    assert decode(found.unit) == Recipe(seed, (), needed)
    assert found.description.parameters == needed


def test_a_death_that_does_not_occur_again_has_vanished() -> None:
    assert confirm(Suspicion(SAT.encode(), "crash"), solving(None)).end == "vanished"


@pytest.mark.slow
def test_a_death_of_another_run_is_a_suspicion_of_its_own_and_loses_nothing() -> None:
    found = confirm(Suspicion(SAT.encode(), "wrong-model", "model", "sat"), solving("PlainDyingSpacer"))
    assert found.end == "confirmed"
    assert "is false under the model" in found.conclusion.words
    (death,) = found.deaths
    assert (death.kind, dict(decode(death.unit).parameters)) == ("crash", dict(with_transforms_off()))


def test_a_unit_that_kills_the_fresh_process_is_a_crash_whatever_was_suspected() -> None:
    unit = SAT.replace("inv", MARK).encode()
    found = confirm(replace(WRONG, unit=unit), solving("DyingSpacer"))
    assert found.end == "vanished"
    assert [(death.kind, death.unit) for death in found.deaths] == [("crash", unit)]


@pytest.mark.slow
def test_a_solver_that_ignores_its_limits_is_ended() -> None:
    unit = SAT.replace("inv", MARK).encode()
    found = confirm(replace(WRONG, unit=unit), replace(solving("DeafSpacer"), wall_seconds=0.01))
    assert (found.end, found.conclusion.words) == ("vanished", "the solver ignores its limits on it")


def test_a_process_that_fails_for_another_reason_leads_to_one_line() -> None:
    with pytest.raises(ConfirmError) as caught:
        confirm(WRONG, Solving(solver="tests.quality.planted:NoSuchSpacer"))
    assert "\n" not in str(caught.value)
    assert "NoSuchSpacer" in str(caught.value)


def test_a_process_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirm_module, "_SECONDS", 0.01)
    with pytest.raises(ConfirmError, match="no end after"):
        confirm(WRONG, solving("PlantedSpacer"))


def test_a_process_that_is_ended_from_outside_is_not_a_crash() -> None:
    with pytest.raises(ConfirmError, match=r"was killed by signal 9 \(Killed\), from outside"):
        confirm(WRONG, solving("PlantedSpacer"), register=ChildProcess.kill)


@pytest.mark.slow
@pytest.mark.parametrize("noise", ["{}\n", '{"type":"finished","run":"given"}\n', "{" * 99, "\0\n"])
def test_the_output_of_a_solver_cannot_be_taken_for_a_message(noise: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOISE", noise.replace("\0", "}"))
    assert confirm(Suspicion(SAT.encode(), "wrong-model", "model", "sat"), solving("NoisySpacer")).end == "vanished"
