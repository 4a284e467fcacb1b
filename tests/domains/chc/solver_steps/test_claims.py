"""The options that end claims about steps."""

import pytest
from chcfuzz.domains.chc.rows.parameters import parameters
from chcfuzz.domains.chc.solver_steps.claims import ENDED, EndedClaim, ended
from chcfuzz.domains.chc.solver_steps.judge_worker import reports
from chcfuzz.domains.chc.solver_steps.observation import ObservedRun

P = "(declare-fun p (Int) Bool)(assert (p 0))(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))"
WRONG = "obligation p 1 (= p_0_n 4)\nobligation p 0 (= p_0_n 3) of 1\nlemma p 0 (= p_0_n 1)"


def judgements(text: str, *parameters: tuple[str, str]) -> list[str]:
    run = ObservedRun(text=text, parameters=parameters, status="unknown", steps=WRONG)
    return [step.judgement for step in reports(run)]


@pytest.mark.parametrize("row", ENDED, ids=lambda row: f"{row.option} {row.claim.value}")
def test_an_option_that_ends_a_claim_is_one_that_mutants_set(row: EndedClaim) -> None:
    values = {each.name: (*each.values, each.default) for each in parameters()}
    assert row.values.issubset(values[row.option])
    assert row.source.rpartition(":")[2].isdecimal()
    assert row.claim in ended({row.option: next(iter(row.values))})


def test_other_options_and_values_end_no_claim() -> None:
    assert ended({"fp.spacer.global": "false", "fp.spacer.weak_abs": "true"}) == {}


def test_an_ended_claim_is_not_checked_and_the_others_are() -> None:
    assert judgements(P) == ["open", "wrong", "wrong"]
    assert judgements(P, ("fp.spacer.global", "true")) == ["open", "open", "wrong"]


def test_an_option_in_the_script_counts_and_a_parameter_is_stronger() -> None:
    text = f"(set-option :fp.spacer.global true){P}"
    assert judgements(text) == ["open", "open", "wrong"]
    assert judgements(text, ("fp.spacer.global", "false")) == ["open", "wrong", "wrong"]
