"""Witnesses: a checked one counts unless another solver contradicts it."""

import pytest
from chcfuzz.domains.chc.domain import DOMAIN
from chcfuzz.domains.chc.oracles import derive
from chcfuzz.domains.chc.oracles.derive import SearchResult
from chcfuzz.domains.chc.oracles.refutation_text import parse_refutation
from chcfuzz.domains.chc.witness_search import model_witness, refutation_witness
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.oracles import second_solver
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog

REFUTED = parse("(declare-fun p (Int) Bool)(assert (p 0))(assert (=> (p 0) false))")
REFUTATION = parse_refutation(REFUTED, "0: clause 0 |- (p 0)\n1: clause 1, from 0 |- false\n")
SATISFIED = parse("(declare-fun p (Int) Bool)(assert (p 0))(assert (=> (p 1) false))")
MODEL = "(define-fun p ((x Int)) Bool (= x 0))"


def test_cvc5_confirms_a_right_witness() -> None:
    found = refutation_witness(REFUTED, REFUTATION, "found")
    assert found is not None
    assert (found.status, found.cvc5) == (Status.UNSAT, ("unsat", "unsat"))
    model = model_witness(SATISFIED, MODEL, "found", Watchdog(20))
    assert model is not None
    assert (model.status, model.cvc5) == (Status.SAT, ("unsat", "unsat"))


def test_a_witness_that_cvc5_contradicts_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_solver, "answers", lambda _script: ("unsat", "sat"))
    assert refutation_witness(REFUTED, REFUTATION, "found") is None
    assert model_witness(SATISFIED, MODEL, "found", Watchdog(20)) is None


def test_a_witness_that_cvc5_cannot_decide_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_solver, "answers", lambda _script: ("unsat", "unknown"))
    assert refutation_witness(REFUTED, REFUTATION, "found") is not None
    assert model_witness(SATISFIED, MODEL, "found", Watchdog(20)) is not None


@pytest.mark.parametrize(("status", "is_found"), [(Status.UNKNOWN, True), (Status.UNSAT, True), (Status.SAT, False)])
def test_a_reduction_queries_cvc5_unless_spacer_answers_sat_without_its_transforms(
    monkeypatch: pytest.MonkeyPatch, status: Status, is_found: bool
) -> None:
    monkeypatch.setattr(derive, "derive", lambda *_: SearchResult(None, "no refutation was found", status))
    found = DOMAIN.refute(REFUTED, 1_000_000, Watchdog(20))
    assert (found is not None) == is_found
    if found is not None:
        assert found.words == "the system has a refutation of 2 steps"
