"""Derivations that a solver gives: right, wrong, and undecided steps."""

import pytest
from chcfuzz.domains.chc.oracles import proof
from chcfuzz.domains.chc.solvers.derivation import derivation_in
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.oracles.second_solver import answers
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.trace import NOTHING

WATCHDOG = Watchdog(60)
COUNTING = parse("""(set-logic HORN)
(declare-fun loop (Int) Bool)
(declare-fun |a b| (Int Bool) Bool)
(assert (loop 0))
(assert (forall ((x Int) (y Int)) (=> (and (loop x) (= y (+ x 1))) (loop y))))
(assert (forall ((x Int) (z Bool)) (=> (and (loop x) (or (exists ((w Int)) (= x (* 2 w))) z)) (|a b| x z))))
(assert (forall ((x Int)) (=> (and (|a b| x true) (loop 0)) (<= x 1))))
(check-sat)
""")


def checked(text: str) -> tuple[VerdictKind, str]:
    given = derivation_in(text)
    assert given is not None
    verdict = proof.check(COUNTING, Outcome(Status.UNSAT, "", NOTHING, 0, 0.0, extra=given), WATCHDOG)
    for answer in answers(verdict.evidence) if verdict.evidence else ():
        assert answer == "unsat"
    return verdict.kind, verdict.detail


RIGHT = """0: false -> 1, 4
1: (|a b| 2 true) -> 2
2: (loop 2) -> 3
3: (loop 1) -> 4
4: (loop 0)
"""


def test_a_right_derivation_passes_with_its_steps_counted() -> None:
    assert checked(RIGHT) == (VerdictKind.PASS, "5 steps along the solver's derivation")


def test_the_same_as_golem_writes_it() -> None:
    text = "0:\ttrue\n1:\t(loop 0) ->  0\n2:\t(loop 1) ->  1\n3:\t(loop 2) ->  2\n"
    assert checked(f"{text}4:\t(|a b| 2 true) ->  3\n5:\tfalse ->  4 1\n\n")[0] is VerdictKind.PASS


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        ("2: (loop 2) -> 3", "2: (loop 2) -> 4", "(loop 2) follows from no clause and (loop 0)"),
        ("4: (loop 0)", "4: (loop 7)", "(loop 7) follows from no clause and no fact"),
        ("0: false -> 1, 4", "0: false -> 1", "false follows from no clause and (|a b| 2 true)"),
        ("(|a b| 2 true)", "(|a b| 3 true)", "(|a b| 3 true) follows from no clause and (loop 2)"),
        ("3: (loop 1) -> 4", "3: (loop 1) -> 2", "follows from itself"),
        ("3: (loop 1) -> 4", "3: (loop 1) -> 9", "there is no step 9"),
    ],
)
def test_a_wrong_step_is_a_wrong_proof_that_any_solver_shows(right: str, wrong: str, complaint: str) -> None:
    assert right in RIGHT
    kind, words = checked(RIGHT.replace(right, wrong))
    assert (kind, complaint in words) == (VerdictKind.WRONG_PROOF, True), words


@pytest.mark.parametrize("fact", ["(loop)", "(pool 2)", "(loop x)", "(loop 2.5)", "(loop (+ 1"])
def test_a_fact_that_cannot_be_read_is_undecided(fact: str) -> None:
    assert checked(RIGHT.replace("(loop 2)", fact))[0] is VerdictKind.UNDECIDED


def test_a_step_that_is_not_needed_is_not_checked() -> None:
    assert checked(f"{RIGHT}5: (loop 99)\n")[0] is VerdictKind.PASS


def test_without_a_derivation_there_is_nothing_to_check() -> None:
    assert derivation_in("(\n(define-fun p () Bool true)\n)\n") is None
    assert derivation_in(RIGHT.replace("0: false", "0: (loop 3)")) is None, "nothing of it derives false"
    outcome = Outcome(Status.UNSAT, "", NOTHING, 0, 0.0)
    assert proof.check(COUNTING, outcome, WATCHDOG).kind is VerdictKind.UNDECIDED


def test_a_query_that_is_not_enough_time_for_is_undecided() -> None:
    given = derivation_in(RIGHT.replace("4: (loop 0)", "4: (loop 7)"))
    outcome = Outcome(Status.UNSAT, "", NOTHING, 0, 0.0, extra=given)
    assert proof.check(COUNTING, outcome, WATCHDOG, rlimit=1).kind is VerdictKind.UNDECIDED


def test_a_clause_named_without_values_of_variables_that_it_does_not_use_is_searched() -> None:
    """As Golem's intermediate format has it."""
    system = parse("""(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 1))
(assert (forall ((unused Bool)) (=> (and (p 1) true) false)))
(check-sat)
""")
    lines = ["0\t (p 1)", "1\t (p 1)", "2\t (p 1)"]
    lines += [
        "3\t (forall ((unused Bool)) (=> (and (p 1) true) false))",
        "4\t (=> (p 1) false)",
        "5\t false  :premises 2",
    ]
    given = derivation_in("\n".join(lines))
    assert given is not None
    assert [step.values for step in given.steps] == [(), ()]
    verdict = proof.check(system, Outcome(Status.UNSAT, "", NOTHING, 0, 0.0, extra=given), WATCHDOG)
    assert (verdict.kind, verdict.detail) == (VerdictKind.PASS, "2 steps along the solver's derivation")


def test_a_derivation_with_a_number_that_python_does_not_convert_is_not_read() -> None:
    assert derivation_in(RIGHT.replace("4: (loop 0)", f"{'4' * 5000}: (loop 0)")) is None


def test_a_derivation_with_more_steps_than_the_limit_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "MOST_STEPS", 5)
    assert checked(RIGHT)[0] is VerdictKind.PASS
    monkeypatch.setattr(proof, "MOST_STEPS", 4)
    assert checked(RIGHT) == (VerdictKind.UNDECIDED, "5 steps, more than 4")
