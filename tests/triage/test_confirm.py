"""What a fresh process said, weighed: a verdict is a finding only with something beside the accused answer."""

from typing import Any

import pytest
from chcfuzz.triage.confirm import Confirmation, Run, judge

WRONG_ANSWER, WRONG_MODEL, EXCEPTION = "wrong-answer", "wrong-model", "exception"


def said(status: str, *kinds: str, holds: bool = False) -> dict[str, Any]:
    """A made-up report with verdicts of these kinds."""
    verdicts = [{"oracle": "o", "kind": kind, "detail": f"told of {kind}", "evidence": ""} for kind in kinds]
    return {"status": status, "reason": "", "verdicts": verdicts, "model_holds": holds}


REFUTATION = "0: clause 0 |- (p 0)\n1: clause 1, from 0 |- false\n"


def weighed(
    kind: str,
    given: dict[str, Any],
    default: dict[str, Any],
    plain: dict[str, Any],
    refutation: str = "",
    evidence: str = "",
    clauses: tuple[str, ...] = (),
    second: tuple[dict[str, Any], ...] = (),
) -> Confirmation:
    beside = {"second": list(second), "refutation": refutation, "evidence": evidence, "clauses": list(clauses)}
    return judge(kind, {}, dict(zip(Run, (given, default, plain, plain), strict=True)), beside)


WRONG_UNSAT = said("unsat", "pass", WRONG_ANSWER)
SAT_WITH_MODEL = said("sat", "pass", "pass", "pass", holds=True)
SAT_WITHOUT = said("sat", "pass", "pass", "undecided")


@pytest.mark.parametrize(
    ("default", "plain", "words"),
    [
        (SAT_WITH_MODEL, SAT_WITH_MODEL, "default parameters"),
        (SAT_WITH_MODEL, WRONG_UNSAT, "default parameters"),
        (WRONG_UNSAT, SAT_WITH_MODEL, "inlining and slicing off"),
        (SAT_WITHOUT, SAT_WITH_MODEL, "inlining and slicing off"),
    ],
)
def test_an_unsat_is_wrong_if_another_run_has_a_model_that_holds(
    default: dict[str, Any], plain: dict[str, Any], words: str
) -> None:
    judged = weighed(WRONG_ANSWER, WRONG_UNSAT, default, plain)
    assert judged.confirmed
    assert words in (judged.witness or "")


@pytest.mark.parametrize("other", [WRONG_UNSAT, SAT_WITHOUT, said("unknown", "undecided")])
def test_an_unsat_stays_unconfirmed_without_such_a_model(other: dict[str, Any]) -> None:
    judged = weighed(WRONG_ANSWER, WRONG_UNSAT, other, other)
    assert judged.reproduced
    assert judged.witness is None
    assert not judged.confirmed


def test_an_unsat_that_has_a_refutation_is_not_wrong_whatever_was_expected() -> None:
    judged = weighed(WRONG_ANSWER, WRONG_UNSAT, SAT_WITH_MODEL, SAT_WITH_MODEL, refutation=REFUTATION)
    assert judged.reproduced
    assert not judged.confirmed


@pytest.mark.parametrize(
    ("clauses", "confirmed"), [((), True), (("unsat", "unknown"), True), (("unsat", "sat"), False)]
)
def test_cvc5_has_a_say_about_the_model_that_speaks_against_an_unsat(clauses: tuple[str, ...], confirmed: bool) -> None:
    judged = weighed(WRONG_ANSWER, WRONG_UNSAT, SAT_WITH_MODEL, SAT_WITH_MODEL, clauses=clauses)
    assert judged.confirmed is confirmed


def test_a_sat_is_wrong_if_the_system_has_a_refutation() -> None:
    given = said("sat", "pass", WRONG_ANSWER, "undecided")
    judged = weighed(WRONG_ANSWER, given, said("unsat"), said("unsat"), refutation=REFUTATION)
    assert judged.witness == "the system has a refutation of 2 steps"


@pytest.mark.parametrize(("answer", "confirmed"), [("sat", True), ("unknown", True), ("", True), ("unsat", False)])
def test_cvc5_has_a_say_about_a_wrong_model(answer: str, confirmed: bool) -> None:
    given = said("sat", "pass", WRONG_MODEL)
    assert weighed(WRONG_MODEL, given, SAT_WITH_MODEL, SAT_WITH_MODEL, evidence=answer).confirmed is confirmed


def test_a_sat_is_wrong_if_its_own_model_is() -> None:
    given = said("sat", "pass", WRONG_ANSWER, WRONG_MODEL)
    judged = weighed(WRONG_ANSWER, given, said("unsat", "pass"), said("unsat", "pass"))
    assert judged.confirmed


@pytest.mark.parametrize("model", ["pass", "undecided"])
def test_a_sat_whose_model_holds_is_not_called_wrong(model: str) -> None:
    given = said("sat", "pass", WRONG_ANSWER, model, holds=model == "pass")
    judged = weighed(WRONG_ANSWER, given, said("unsat", "pass"), said("unsat", "pass"))
    assert judged.reproduced
    assert not judged.confirmed


@pytest.mark.parametrize("kind", [WRONG_MODEL, EXCEPTION])
def test_what_carries_its_own_witness_is_confirmed_by_happening_again(kind: str) -> None:
    judged = weighed(kind, said("sat", "pass", kind), SAT_WITH_MODEL, SAT_WITH_MODEL)
    assert judged.confirmed
    assert judged.witness == f"told of {kind}"


@pytest.mark.parametrize("kind", [WRONG_ANSWER, WRONG_MODEL, EXCEPTION, "crash"])
def test_what_does_not_happen_again_is_no_finding(kind: str) -> None:
    judged = weighed(kind, SAT_WITH_MODEL, said("sat", "pass", kind, holds=True), SAT_WITH_MODEL)
    assert not judged.reproduced
    assert not judged.confirmed


def test_what_a_second_opinion_says_is_confirmed_by_its_saying_it_again() -> None:
    said_again = {"oracle": "cross", "kind": WRONG_ANSWER, "detail": "another one has a model", "evidence": ""}
    alone = said("unsat", "pass", "pass")
    assert weighed(WRONG_ANSWER, alone, alone, alone, second=(said_again,)).witness == "another one has a model"
    assert not weighed(WRONG_ANSWER, alone, alone, alone).reproduced
