"""Clauses with less or more room: text before, text after, what is declined, and that one implies the other."""

from collections import Counter

import pytest
import z3
from chcfuzz.domains.chc.rows import monotone
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import implication, negation
from chcfuzz.mutators.mutation import Mutation, Promise
from chcfuzz.mutators.rewriting.model_converter import no_facts, no_meanings

ROWS = {row.id.partition(".")[2]: row for row in monotone.MUTATIONS}
HEAD = "(set-logic HORN)(declare-fun p (Int) Bool)"
X, XY = "(forall ((x Int)) ", "(forall ((x Int) (y Int)) "

CASES = [
    # row, choices, clauses before, clauses after
    ("drop-clause", b"", ["(p 0)", "(p 1)"], ["(p 1)"]),
    ("drop-clause", b"\x01", ["(p 0)", "(p 1)"], ["(p 0)"]),
    ("specialize", b"", [XY + "(=> (< x y) (p y)))"], ["(forall ((y Int)) (=> (< y y) (p y)))"]),
    ("specialize", b"\x01", [XY + "(=> (< x y) (p y)))"], [X + "(=> (< x x) (p x)))"]),
    ("specialize", b"", [X + "(=> (< (- x) 7) (p x)))"], ["(=> (< (- 7) 7) (p 7))"]),
    ("add-conjunct", b"\x00\x00\x00\x01", [X + "(=> (p x) (p 0)))"], [X + "(=> (and (= x 0) (p x)) (p 0)))"]),
    ("add-conjunct", b"", ["(p 7)"], ["(=> (= false false) (p 7))"]),
    ("add-conjunct", b"", [X + "(not (and (p x) (< x 3))))"], [X + "(not (and (= x x) (and (p x) (< x 3)))))"]),
    ("strengthen", b"", [X + "(=> (p x) (p 0)))"], [X + "(=> (and (p x) (= x x)) (p 0)))"]),
    ("strengthen", b"\x00\x01", [X + "(=> (or (p x) (< x 3)) (p 0)))"], [X + "(=> (< x 3) (p 0)))"]),
    ("strengthen", b"\x01", [X + "(=> (<= x 3) (p 0)))"], [X + "(=> (= x 3) (p 0)))"]),
    ("strengthen", b"\x02", [X + "(=> (<= x 3) (p 0)))"], [X + "(=> (< x 3) (p 0)))"]),
    ("strengthen", b"\x03\x01", [X + "(=> (<= x 3) (p 0)))"], [X + "(=> (<= x (+ 3 (- 2))) (p 0)))"]),
    ("strengthen", b"\x01\x01", [X + "(=> (distinct x 3) (p 0)))"], [X + "(=> (> x 3) (p 0)))"]),
    ("strengthen", b"\x01\x01", [X + "(=> (not (< x 3)) (p 0)))"], [X + "(=> (not (<= x 3)) (p 0)))"]),
    ("strengthen", b"\x00\x01", [X + "(=> (=> (< x 3) (p x)) (p 0)))"], [X + "(=> (p x) (p 0)))"]),
    ("drop-conjunct", b"", [X + "(=> (p x) (p 0)))"], [X + "(=> true (p 0)))"]),
    ("drop-conjunct", b"\x01", [X + "(=> (and (p x) (< x 3)) (p 0)))"], [X + "(=> (p x) (p 0)))"]),
    ("generalize", b"", [X + "(=> (< x 3) (p 0)))"], ["(forall ((x Int) (g Bool)) (=> g (p 0)))"]),
    ("generalize", b"\x01", [X + "(=> (< x 3) (p 0)))"], ["(forall ((x Int) (g Int)) (=> (< g 3) (p 0)))"]),
    ("generalize", b"\x03", [X + "(=> (< x 3) (p 0)))"], ["(forall ((x Int) (g Int)) (=> (< x 3) (p g)))"]),
    ("generalize", b"", ["(p 7)"], ["(forall ((g Int)) (p g))"]),
    ("add-clause", b"", ["(p 7)"], ["(forall ((v0 Int)) (p v0))", "(p 7)"]),
    ("add-clause", b"\x01", ["(p 7)"], ["(forall ((v0 Int)) (=> (p v0) false))", "(p 7)"]),
    ("add-clause", b"\x01\x01", ["(p 7)"], ["(forall ((v0 Int)) (=> (p v0) (p v0)))", "(p 7)"]),
    ("weaken", b"\x00\x01", [X + "(=> (and (p x) (< x 3)) (p 0)))"], [X + "(=> (< x 3) (p 0)))"]),
    ("weaken", b"\x01", [X + "(=> (= x 3) (p 0)))"], [X + "(=> (<= x 3) (p 0)))"]),
    ("weaken", b"\x01", [X + "(=> (> x 3) (p 0)))"], [X + "(=> (>= x 3) (p 0)))"]),
    ("weaken", b"\x02", [X + "(=> (> x 3) (p 0)))"], [X + "(=> (distinct x 3) (p 0)))"]),
    ("weaken", b"\x03\x02", [X + "(=> (> x 3) (p 0)))"], [X + "(=> (> x (+ 3 (- 16))) (p 0)))"]),
    ("weaken", b"\x01\x01", [X + "(=> (not (<= x 3)) (p 0)))"], [X + "(=> (not (= x 3)) (p 0)))"]),
]

DECLINED = [
    # row, status, clauses
    ("drop-clause", "sat", []),
    ("drop-clause", "unsat", ["(p 0)"]),
    ("specialize", "sat", ["(p 0)", "(exists ((x Int)) (< x 3))"]),
    ("specialize", "unsat", [X + "(p x))"]),
    ("add-conjunct", "sat", []),
    ("add-conjunct", "unsat", [X + "(=> (p x) (p 0)))"]),
    ("strengthen", "sat", ["(p 0)", "(=> true (p 0))"]),
    ("strengthen", "unsat", [X + "(=> (p x) (p 0)))"]),
    ("drop-conjunct", "unsat", ["(p 0)", "(=> true (p 0))"]),
    ("drop-conjunct", "sat", [X + "(=> (p x) (p 0)))"]),
    ("generalize", "unsat", ["false"]),
    ("generalize", "sat", ["(p 0)"]),
    ("add-clause", "sat", ["(p 0)"]),
    ("weaken", "unsat", ["(p 0)", "(=> true (p 0))"]),
    ("weaken", "sat", [X + "(=> (p x) (p 0)))"]),
]


def system(clauses: list[str], status: str = "") -> System:
    info = f"(set-info :status {status})" if status else ""
    return parse(info + HEAD + "".join(f"(assert {clause})" for clause in clauses))


@pytest.mark.parametrize(("row", "choices", "before", "after"), CASES)
def test_each_row_makes_this_of_that(row: str, choices: bytes, before: list[str], after: list[str]) -> None:
    for status in ("", "sat" if ROWS[row].promise is Promise.SAT_PRESERVING else "unsat"):
        given = system(before, status)
        assert ROWS[row].applies(given)
        result = ROWS[row].rewrite(given, Choices(choices))
        assert result == system(after, status), result and print_system(result)


@pytest.mark.parametrize(("row", "status", "before"), DECLINED)
def test_what_does_not_fit_is_declined(row: str, status: str, before: list[str]) -> None:
    assert not ROWS[row].applies(system(before, status))
    assert ROWS[row].rewrite(system(before, status), Choices(b"")) is None


def test_a_system_without_predicates_gets_no_clause() -> None:
    without = parse("(set-logic HORN)(assert (not (= 1 1)))")
    assert not ROWS["add-clause"].applies(without)
    assert ROWS["add-clause"].rewrite(without, Choices(b"")) is None


def test_every_row_has_a_case_and_is_declined_somewhere() -> None:
    assert {row for row, *_ in CASES} == set(ROWS)
    assert {row for row, *_ in DECLINED} | {"add-clause"} == set(ROWS)


# Promises ------------------------------------------------------------------------------------

WRITTEN = """(set-logic HORN)
(declare-fun p (Int Bool) Bool)
(declare-fun |q r| (Real) Bool)
(declare-fun none () Bool)
(assert (! (forall ((x Int) (b Bool)) (or (not (or (< x 3) (or b (> x 7)) (= x 5))) (p x b))) :named first))
(assert (forall ((x Int) (y Int) (b Bool)) (not (and (p x b) (and (< y x) (or b (or b (< x y)))) (not (p y b))))))
(assert (forall ((x Int) (u Real)) (=> (and (exists ((b Bool) (y Int)) (and (p y b) (< y x))) (<= u 0.5)) (|q r| u))))
(assert (forall ((x Int)) (=> (not (forall ((x Int)) (=> (p x true) (< x 3)))) (not (exists ((z Int)) (> z x))) none)))
(assert (forall ((x Int)) (forall ((y Int)) (=> none (distinct x y 4) (p (div x y) (ite (= x y) false none2))))))
(assert (forall ((x Int) (u Real)) (=> (|q r| u) (p x (> u 1.0)) (or (< x 3) (> x 100)))))
""".replace("none2", "true")


def implies(declared: System, clauses: tuple[Clause, ...], others: tuple[Clause, ...]) -> str:
    """Return Z3's answer whether the clauses imply the new ones among the others."""
    old, new = Counter(clauses) - Counter(others), Counter(others) - Counter(clauses)
    claims = []
    for clause in new:
        twin = [each for each in old if each.name == clause.name] if len(old) == 1 else []
        claims.append(negation(implication(twin[0].formula, clause.formula)) if twin else negation(clause.formula))
    answers = []
    for claim in claims:
        solver = z3.Solver(ctx=z3.Context())
        solver.set("rlimit", 300_000)
        solver.from_string(
            print_system(declared.with_clauses([Clause(claim)]))
            .replace("(set-logic HORN)", "")
            .replace("(check-sat)", "")
        )
        answers.append(str(solver.check()))
    return "sat" if "sat" in answers else "unknown" if "unknown" in answers else "unsat"


@pytest.mark.parametrize("row", monotone.MUTATIONS, ids=lambda row: row.id)
def test_what_a_row_promises_holds_clause_by_clause(row: Mutation, small_seeds: dict[str, System]) -> None:
    """Old clauses imply the new ones, or the new ones the old: whatever predicates mean, and what is left open."""
    says: Counter[str] = Counter()
    for name, seed in {"written": parse(WRITTEN), **small_seeds}.items():
        if not row.applies(seed):
            continue
        for number in range(25 if name == "written" else 1):
            after = row.rewrite(seed, Choices(b"", f"{name} {number}".encode()))
            if after is None:
                continue
            assert parse(print_system(after)) == after
            less, more = (seed, after) if row.promise is Promise.SAT_PRESERVING else (after, seed)
            answer = implies(seed, less.clauses, more.clauses)
            assert answer != "sat", f"{name}\n{print_system(seed)}\n{print_system(after)}"
            says[answer] += 1
    assert says["unsat"] >= 25
    assert says["unknown"] <= says.total() // (
        5 if row.id.endswith("generalize") else 20
    )  # new variables to instantiate


def test_what_is_not_promised_does_not_go_on() -> None:
    for row in monotone.MUTATIONS:
        keeps_sat = row.promise is Promise.SAT_PRESERVING
        assert (row.converter.facts is no_facts) == keeps_sat
        assert (row.converter.meanings is no_meanings) == (not keeps_sat)
