"""Two seeds in one system: what of either is there, names, promises, and where the second one comes from."""

import pytest
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.domains.chc.rows import fusion_seeds
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System, as_system
from chcfuzz.mutators.mutation import Move
from chcfuzz.mutators.seeds import read_seed

from tests.mutators.judge import Draw, Judgment, carries_model, carries_refutation, fixpoint, promise

EVERY = {row.id.partition(".")[2]: row for row in fusion_seeds.MUTATIONS}
DECLARED = {"both-sat": "sat", "both-unsat": "unsat"}  # of the other seed
ROWS = {name: row for name, row in EVERY.items() if name not in DECLARED}
COUNTS = """(set-logic HORN)(declare-fun p ((_ BitVec 2)) Bool)(declare-fun x (Bool) Bool)
    (assert (p #b00))
    (assert (forall ((n (_ BitVec 2))) (=> (and (p n) (bvult n #b10)) (p (bvadd n #b01)))))
    (assert (forall ((b Bool)) (=> (p #b01) (x b))))
    (assert (forall ((n (_ BitVec 2))) (=> (and (p n) (x true)) (not (= n #b11)))))"""
SAFE = parse(COUNTS)
UNSAFE = parse(COUNTS.replace("#b11", "#b10"))
OTHERS = {
    "sat": """(set-logic HORN)(declare-fun p (Bool (_ BitVec 2)) Bool)(declare-fun q (Bool) Bool)
    (assert (forall ((x (_ BitVec 2))) (p false x)))
    (assert (forall ((n Bool) (x (_ BitVec 2))) (=> (and (p n x) (q n)) (p (not n) (bvmul x #b10)))))
    (assert (forall ((b Bool)) (=> (p b #b01) (q b))))
    (assert (forall ((p Bool)) (=> (and (q p) (not p)) (q p))))
    (assert (forall ((b Bool)) (=> (and (p b #b11) (q b) b) false)))
    (check-sat)
""",
    "unsat": """(set-logic HORN)(declare-fun r (Bool Bool) Bool)
    (assert (forall ((a Bool)) (r a false)))
    (assert (forall ((a Bool) (b Bool)) (=> (or (r a b) (and a b)) (r (not a) a))))
    (assert (forall ((a Bool)) (not (and (r a true) (r true a)))))
    (check-sat)
""",
    "pairs": """(set-logic HORN)(declare-datatypes ((pair 0)) (((pair (first Bool) (second Bool)))))
    (declare-fun r (pair) Bool)
    (assert (r (pair true false)))
    (assert (forall ((a pair)) (=> (r a) (r (pair (second a) (first a))))))
    (assert (forall ((a pair)) (=> (and (r a) (= (first a) (second a))) false)))
    (check-sat)
""",
}


def fused(name: str, system: System, other: str, number: int) -> Draw | None:
    row, key = EVERY[name], bytes([number, 7])
    after = row.rewrite(system, Choices(other.encode(), key))
    return None if after is None else Draw(row, "fused", Move(system, after, row, other.encode(), key))


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("other", OTHERS)
def test_the_promise_is_kept_and_witnesses_are_converted_for_every_other_answer(name: str, other: str) -> None:
    kept, drawn = 0, 0
    for system in (SAFE, UNSAFE):
        for number in range(12):
            found = fused(name, system, OTHERS[other], number)
            assert found is not None
            assert parse(print_system(found.after)) == found.after
            result = [promise(found), carries_model(found), carries_refutation(found)]
            assert Judgment.BROKEN not in result, str(found)
            kept += result.count(Judgment.KEPT)
            drawn += 1
    assert kept >= drawn / 2


@pytest.mark.parametrize(("name", "status"), DECLARED.items())
def test_two_seeds_of_one_status_have_that_status_together(name: str, status: str) -> None:
    system = {"sat": SAFE, "unsat": UNSAFE}[status]
    declaring = OTHERS[status].replace("(set-logic HORN)", f"(set-logic HORN)(set-info :status {status})")
    for number in range(8):
        found = fused(name, system, declaring, number)
        assert found is not None
        assert fixpoint(found.after) == status
        assert Judgment.BROKEN not in (promise(found), carries_model(found), carries_refutation(found))
    for other in (OTHERS[status], declaring.replace(f":status {status}", ":status unknown")):
        assert fused(name, system, other, 1) is None, "its status is not declared"
    lost = "unsat" if status == "sat" else "sat"
    assert fused(name, parse(f"(set-info :status {lost}){COUNTS}"), declaring, 1) is None


def test_the_result_has_the_clauses_of_both() -> None:
    found = fused("side-by-side", SAFE, OTHERS["sat"], 1)
    assert found is not None
    assert [clause for clause in found.after.clauses if clause in SAFE.clauses] == list(SAFE.clauses)
    assert len(found.after.clauses) == len(SAFE.clauses) + 5
    assert [predicate.name for predicate in found.after.predicates] == ["p", "x", "p!1", "q"]


@pytest.mark.parametrize("name", ROWS)
def test_clauses_of_one_name_do_not_clash(name: str) -> None:
    named = COUNTS.replace("(assert (p #b00))", "(assert (! (p #b00) :named start))")
    found = fused(name, parse(named), named, 1)
    assert found is not None
    assert parse(print_system(found.after)) == found.after


def test_one_after_the_other_is_unsat_where_both_are() -> None:
    for system, other, answer in (
        (UNSAFE, "unsat", "unsat"),
        (UNSAFE, "sat", "sat"),
        (SAFE, "unsat", "sat"),
        (SAFE, "sat", "sat"),
    ):
        for number in range(8):
            found = fused("one-after-the-other", system, OTHERS[other], number)
            assert found is not None
            assert fixpoint(found.after) == answer


def test_both_at_once_takes_rules_of_the_other_along_and_has_no_more_predicates() -> None:
    along = 0
    for number in range(24):
        found = fused("both-at-once", SAFE, OTHERS["unsat"], number)
        assert found is not None
        assert len(found.after.predicates) == len(SAFE.predicates)
        assert len(found.after.clauses) == len(SAFE.clauses)
        (pair,) = set(found.after.predicates) - set(SAFE.predicates)
        assert len(pair.parameters) == 3
        along += "(not (and" in print_system(found.after) or "false)" in print_system(found.after)
    assert along > 6


def test_a_guard_has_no_variable_that_an_inner_quantifier_hides() -> None:
    before = parse(
        """(set-logic HORN)(declare-fun p (Bool) Bool)
        (assert (forall ((x (_ BitVec 2))) (forall ((x Bool)) (=> (p x) false))))"""
    )
    for number in range(20):
        after = fused("guarding", before, OTHERS["sat"], number).after
        assert parse(print_system(after)).predicates == after.predicates


@pytest.mark.parametrize("name", ROWS)
def test_bytes_that_are_no_system_stand_for_a_built_in_one(name: str) -> None:
    for number in range(8):
        found = fused(name, SAFE, "(set-logic HORN", number)
        assert found is not None
        again = [fused(name, SAFE, text, 0) for text in BUILT_IN]
        assert any(draw is not None for draw in again)


@pytest.mark.parametrize("name", ROWS)
def test_data_types_of_one_name_are_declined_and_the_same_ones_shared(name: str) -> None:
    pairs = as_system(read_seed(OTHERS["pairs"]))
    shared = fused(name, pairs, OTHERS["pairs"], 3)
    assert shared is not None
    assert shared.after.datatypes == pairs.datatypes
    assert parse(print_system(shared.after)) == shared.after
    clash = parse(COUNTS.replace("(x Bool", "(pair Bool").replace(" x ", " pair ").replace("(x ", "(pair "))
    assert any(predicate.name == "pair" for predicate in clash.predicates)
    assert fused(name, clash, OTHERS["pairs"], 3) is None


@pytest.mark.parametrize("name", ROWS)
def test_a_selector_with_the_name_of_a_predicate_is_declined_even_if_the_name_is_reserved(name: str) -> None:
    before = parse("(declare-fun |par| (Bool) Bool)(assert (|par| true))(assert (=> (|par| false) false))")
    assert ROWS[name].rewrite(before, Choices(OTHERS["pairs"].replace("first", "|par|").encode(), b"\7")) is None


def test_where_nothing_can_be_expected_no_row_applies() -> None:
    sat, unsat = (
        parse(text.replace("(set-logic HORN)", f"(set-logic HORN)(set-info :status {status})"))
        for status, text in (("sat", COUNTS), ("unsat", COUNTS))
    )
    assert [row.applies(sat) for row in ROWS.values()] == [False, True, True, True]
    assert [row.applies(unsat) for row in ROWS.values()] == [True, False, False, False]
    assert fused("side-by-side", sat, OTHERS["sat"], 0) is None
