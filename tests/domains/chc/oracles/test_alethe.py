"""Alethe proofs as Golem prints them: right, wrong and undecided steps, and names for terms."""

import pytest
from chcfuzz.domains.chc.oracles import alethe, proof
from chcfuzz.domains.chc.solvers.derivation import derivation_in
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.oracles.second_solver import answers
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.faults import FaultClass
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.trace import NOTHING
from chcfuzz.triage.examine.old_messages import fault_in

WATCHDOG = Watchdog(60)
COUNTING = parse("""(set-logic HORN)
(declare-datatypes ((Light 0)) (((red) (green))))
(declare-fun loop (Int) Bool)
(declare-fun |a b| (Int Light) Bool)
(assert (loop 0))
(assert (forall ((x Int)) (=> (loop x) (|a b| (+ x 1) red))))
(assert (forall ((x Int) (z Light)) (=> (and (|a b| x z) (> x 0)) false)))
(check-sat)
""")
RIGHT = """unsat
(assume t0 (! (loop 0) :named @a0))
(assume t1 (! (forall ((x Int)) (=> (loop x) (|a b| (+ x 1) red))) :named @a1))
(assume t2 (! (forall ((x Int) (z Light)) (=> (and (|a b| x z) (> x 0)) false)) :named @a2))
(step t3 (cl (or (not @a1) (! (=> @a0 (|a b| 1 red)) :named @i))) :rule forall_inst :args (0))
(step t4 (cl (not @a1) @i) :rule or :premises (t3))
(step t5 (cl @i) :rule resolution :premises (t4 t1))
(step t6 (cl (|a b| 1 red)) :rule resolution :premises (t5 t0))
(step t7 (cl (or (not @a2) (=> (and (|a b| 1 red) (> 1 0)) false))) :rule forall_inst :args (1 red))
(step t8 (cl) :rule resolution :premises (t7 t2 t6))
"""


def checked(text: str, rlimit: int = proof.RLIMIT) -> alethe.CheckedProof:
    return alethe.check(COUNTING, text, rlimit, WATCHDOG)


def test_a_right_proof_passes_with_its_steps_counted() -> None:
    assert checked(RIGHT) == alethe.CheckedProof(9)


def test_the_oracle_reads_it_from_the_output_of_the_solver() -> None:
    def verdict(text: str) -> tuple[VerdictKind, str]:
        outcome = Outcome(Status.UNSAT, "", NOTHING, 0, 0.0, extra=derivation_in(text))
        found = proof.check(COUNTING, outcome, WATCHDOG)
        return found.kind, found.detail

    assert verdict(RIGHT) == (VerdictKind.PASS, "9 steps of an Alethe proof")
    wrong = RIGHT.replace("(cl (|a b| 1 red))", "(cl (|a b| 2 red))")
    assert verdict(wrong) == (VerdictKind.WRONG_PROOF, "step t6 (resolution) does not follow from what it names")
    assert verdict(RIGHT.replace("(loop 0)", "(loop 7)"))[0] is VerdictKind.UNDECIDED


@pytest.mark.parametrize(
    ("right", "wrong", "steps", "complaint"),
    [
        ("(cl (|a b| 1 red)) ", "(cl (|a b| 1 green)) ", 6, "t6 (resolution) does not follow from what it names"),
        (":premises (t4 t1)", ":premises (t4)", 5, "t5 (resolution) does not follow from what it names"),
        ("(cl (not @a1) @i)", "(cl @i)", 4, "t4 (or) does not follow from what it names"),
        (
            " :rule resolution :premises (t5 t0)",
            " :premises (t0)",
            6,
            "t6 (no rule) does not follow from what it names",
        ),
        ("(cl @i) ", "(cl @j) ", 5, "t5 (resolution) names @j, which nothing declares"),
    ],
)
def test_a_wrong_step_has_evidence_that_any_solver_reads(right: str, wrong: str, steps: int, complaint: str) -> None:
    assert right in RIGHT
    found = checked(RIGHT.replace(right, wrong))
    assert (found.steps, found.wrong, found.message) == (steps, True, f"step {complaint}")
    assert found.fault == fault_in("wrong-proof", found.message), "as older versions classified it"
    lines = found.evidence.splitlines()
    assert (lines[0].startswith("; Step t"), lines[-1]) == (True, "(check-sat)")
    if "names @j" not in complaint:
        assert answers(found.evidence) == ("sat",)


@pytest.mark.parametrize(
    ("right", "wrong", "steps", "complaint", "fault"),
    [
        (
            *(":premises (t5 t0)", ":premises (t5 t7)", 6),
            *("step t6 follows from t7, which is not before it", FaultClass.ALETHE_ORDER),
        ),
        ("(step t8 (cl)", "(step t8 (cl (loop 0))", 9, "the last step is not the empty clause", FaultClass.STEP),
    ],
)
def test_a_proof_that_is_none_is_wrong(right: str, wrong: str, steps: int, complaint: str, fault: str) -> None:
    assert right in RIGHT
    assert checked(RIGHT.replace(right, wrong)) == alethe.CheckedProof(steps, complaint, wrong=True, fault=fault)


@pytest.mark.parametrize(
    ("right", "wrong", "steps", "complaint"),
    [
        ("(loop 0) :named", "(loop 1) :named", 0, "assumption t0 is not found among the clauses"),
        ("(loop 0) :named", "(pool 0) :named", 0, "assumption t0: "),
        (":premises (t5 t0)", ":premises", 6, "step t6 cannot be read"),
        ("(cl @i) ", "(cl (+ 1 true)) ", 5, "step t5 (resolution): Z3 raises: "),
    ],
)
def test_a_step_that_cannot_be_read_is_undecided(right: str, wrong: str, steps: int, complaint: str) -> None:
    assert right in RIGHT
    found = checked(RIGHT.replace(right, wrong))
    assert (found.steps, found.wrong, found.evidence) == (steps, False, "")
    assert found.message.startswith(complaint), found.message


def test_a_query_that_is_not_enough_time_for_is_undecided() -> None:
    found = checked(RIGHT.replace(":premises (t4 t1)", ":premises (t4)"), rlimit=1)
    assert (found.wrong, found.message) == (False, "Z3 does not decide whether step t3 (forall_inst) follows")


def test_terms_that_become_too_long_without_names_are_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name in the term of another doubles the text each time."""
    doubled = "".join(
        f"(step d{n} (cl (! (or @d{n - 1} @d{n - 1} (not (loop 1)) (loop 1)) :named @d{n})) :rule x)\n"
        for n in range(1, 12)
    ).replace("@d0", "@a0")
    text = RIGHT.replace("(step t3", f"{doubled}(step t3")
    assert checked(text) == alethe.CheckedProof(20)
    monkeypatch.setattr(alethe, "_MOST_EXPANDED", 10_000)
    assert checked(text).message == "its terms are longer than 10000 characters without names"


@pytest.mark.parametrize("empty", ["(cl)", "(cl false)"])
def test_a_proof_ends_with_the_empty_clause_or_false(empty: str) -> None:
    assert checked(RIGHT.replace("(step t8 (cl)", f"(step t8 {empty}")) == alethe.CheckedProof(9)
