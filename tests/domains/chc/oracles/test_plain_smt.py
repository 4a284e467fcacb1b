"""The clauses as plain SMT: cvc5 refutes them, and never a system that has a model."""

from pathlib import Path

import pytest
from chcfuzz.domains.chc.oracles import plain_smt
from chcfuzz.domains.chc.oracles.refutation import DerivationStep
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.oracles.verdict import VerdictKind

CORPUS = Path(__file__).resolve().parents[4] / "corpus"
STEP = DerivationStep(0, (), (), None)
SYSTEM = """(declare-fun |a p| (Int (Array Int Int)) Bool)(declare-fun q () Bool)
    (assert (|a p| 0 ((as const (Array Int Int)) (- 1))))
    (assert (forall ((x Int) (a (Array Int Int))) (=> (|a p| x a) (|a p| (+ x 1) (store a x x)))))
    (assert (forall ((x Int) (a (Array Int Int))) (=> (and (|a p| x a) (> x 2)) q)))
    (assert (=> q {}))"""


@pytest.mark.parametrize(("head", "kind"), [("false", VerdictKind.WRONG_ANSWER), ("true", VerdictKind.UNDECIDED)])
def test_cvc5_contradicts_the_answer_sat_to_clauses_that_it_refutes(head: str, kind: VerdictKind) -> None:
    assert plain_smt.check(parse(SYSTEM.format(head))).kind is kind


@pytest.mark.slow
def test_cvc5_refutes_no_system_that_is_known_to_be_satisfiable() -> None:
    systems = [parse(path.read_text(), path.name) for path in sorted(CORPUS.rglob("*.smt2"))]
    refuted = dict.fromkeys(("sat", "unsat"), 0)
    for status in refuted:
        chosen = [system for system in systems if system.status == status][::6]
        refuted[status] = sum(plain_smt.ask(system).is_unsat for system in chosen)
    assert refuted["sat"] == 0
    assert refuted["unsat"] > 10


@pytest.mark.parametrize(
    ("result", "kind", "detail"),
    [
        (
            plain_smt.PlainSmtResult(True, (STEP, STEP)),
            VerdictKind.WRONG_ANSWER,
            "answers sat, but cvc5's instantiations give a refutation of 2 steps",
        ),
        (
            plain_smt.PlainSmtResult(True),
            VerdictKind.DISAGREEMENT,
            "answers sat, cvc5 answers unsat to the clauses as plain SMT",
        ),
        (plain_smt.PlainSmtResult(False), VerdictKind.UNDECIDED, ""),
    ],
)
def test_only_a_refutation_is_a_witness(
    monkeypatch: pytest.MonkeyPatch, result: plain_smt.PlainSmtResult, kind: VerdictKind, detail: str
) -> None:
    monkeypatch.setattr(plain_smt, "ask", lambda _: result)
    found = plain_smt.check(parse(SYSTEM.format("true")))
    assert (found.oracle, found.kind, found.detail) == ("plain-smt", kind, detail)
