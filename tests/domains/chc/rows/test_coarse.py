"""Many clauses changed at once: text before, text after, systems of either status, and promises on decided systems."""

import pytest
from chcfuzz.domains.chc.rows import coarse
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.mutators.mutation import Promise

from tests.mutators.judge import Draw, Judgment, carries_model, carries_refutation, draw, fixpoint, promise

ROWS = {row.id.partition(".")[2]: row for row in coarse.MUTATIONS}
HEAD = "(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(declare-fun r (Int) Bool)"
X = "(forall ((x Int)) "
CHAIN = ["(q 0)", X + "(=> (q x) (p x)))", X + "(=> (and (p x) (< x 3)) (r x)))", X + "(=> (r x) false))"]

CASES = [
    # row, choices, clauses before, clauses after
    ("some-clauses", b"", CHAIN, [CHAIN[0]]),
    ("some-clauses", b"\x02\x01\x01\x01", CHAIN, CHAIN[1:]),
    ("conditions", b"", ["(p 7)", "(q 7)"], ["(=> (= false false) (p 7))", "(=> (= false false) (q 7))"]),
    ("false-head", b"", CHAIN, [CHAIN[0], X + "(=> (q x) false))", *CHAIN[2:]]),
    ("false-head", b"\x01", CHAIN, [*CHAIN[:2], X + "(=> (and (p x) (< x 3)) false))", CHAIN[3]]),
    ("true-predicate", b"", CHAIN, [X + "(=> (and true (< x 3)) (r x)))", CHAIN[3]]),
    ("true-predicate", b"\x02", CHAIN, [X + "(=> true false))"]),
    (
        "true-predicate",
        b"",
        [*CHAIN, X + "(=> (q x) (> x 0)))"],
        [CHAIN[0], X + "(=> (and true (< x 3)) (r x)))", CHAIN[3], X + "(=> (q x) (> x 0)))"],
    ),
]

DECLINED = [
    ("some-clauses", ["(p 0)"]),
    ("conditions", ["(p 0)"]),
    ("false-head", ["(p 0)", X + "(=> (p x) false))"]),
    ("true-predicate", ["(p 0)"]),
]

COUNTS = """(set-logic HORN)(declare-fun p ((_ BitVec 2)) Bool)(declare-fun x (Bool) Bool)
    (assert (p #b00))
    (assert (forall ((n (_ BitVec 2))) (=> (and (p n) (bvult n #b10)) (p (bvadd n #b01)))))
    (assert (forall ((b Bool)) (=> (p #b01) (x b))))
    (assert (forall ((n (_ BitVec 2))) (=> (and (p n) (x true)) (not (= n #b11)))))"""
SYSTEMS = {"safe": parse(COUNTS), "unsafe": parse(COUNTS.replace("#b11", "#b10"))}


def system(clauses: list[str], status: str = "") -> System:
    info = f"(set-info :status {status})" if status else ""
    return parse(info + HEAD + "".join(f"(assert {clause})" for clause in clauses))


@pytest.mark.parametrize(("row", "choices", "before", "after"), CASES)
def test_each_row_makes_this_of_that(row: str, choices: bytes, before: list[str], after: list[str]) -> None:
    for status in ("", "sat", "unsat"):
        given = system(before, status)
        assert ROWS[row].applies(given)
        result = ROWS[row].rewrite(given, Choices(choices))
        assert result == system(after, status), result and print_system(result)


@pytest.mark.parametrize(("row", "before"), DECLINED)
def test_systems_that_do_not_fit_are_declined(row: str, before: list[str]) -> None:
    assert not ROWS[row].applies(system(before))
    assert ROWS[row].rewrite(system(before), Choices(b"")) is None


def test_every_row_has_a_case_and_is_declined_somewhere() -> None:
    assert {row for row, *_ in CASES} == set(ROWS)
    assert {row for row, *_ in DECLINED} == set(ROWS)


def drawn(row: str) -> list[Draw]:
    found = (draw(ROWS[row], name, seed, number) for name, seed in SYSTEMS.items() for number in range(8))
    return [each for each in found if each is not None]


@pytest.mark.parametrize("row", ROWS)
def test_one_answer_and_its_witnesses_are_kept_and_the_other_may_change(row: str) -> None:
    draws = drawn(row)
    results = [result for each in draws for result in (promise(each), carries_model(each), carries_refutation(each))]
    assert Judgment.BROKEN not in results
    assert results.count(Judgment.KEPT) >= len(draws) / 2
    lost = ("unsafe", "sat") if ROWS[row].promise is Promise.SAT_PRESERVING else ("safe", "unsat")
    assert lost in {(each.name, fixpoint(each.after)) for each in draws}
