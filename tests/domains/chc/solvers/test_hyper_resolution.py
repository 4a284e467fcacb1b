"""Facts of Spacer's proof of false, and none without a proof."""

import subprocess
import sys

import pytest
import z3
from chcfuzz.domains.chc.solvers.derivation import Derived
from chcfuzz.domains.chc.solvers.hyper_resolution import HyperResolutionAnswer, facts
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog

RLIMIT = 1_000_000
WATCHDOG = Watchdog(60)
COUNTER = """(declare-fun loop (Int) Bool)
(assert (loop 0))
(assert (forall ((x Int)) (=> (and (loop x) (< x 9)) (loop (+ x 1)))))
(assert (forall ((x Int)) (=> (and (loop x) (> x {})) false)))"""


def answer(text: str, rlimit: int = RLIMIT) -> HyperResolutionAnswer:
    return facts(parse(text), rlimit, WATCHDOG)


def test_the_facts_stand_in_the_order_of_their_derivation() -> None:
    result = answer(COUNTER.format(1))
    assert result == HyperResolutionAnswer(
        Status.UNSAT,
        "",
        (Derived("(loop 0)", ()), Derived("(loop 1)", (0,)), Derived("(loop 2)", (1,)), Derived(None, (2,))),
    )


def test_a_fact_may_follow_from_several() -> None:
    result = answer(
        """(declare-fun p (Int) Bool)
        (declare-fun q (Int Int) Bool)
        (assert (p 1))
        (assert (p 2))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y) (< x y)) (q x y))))
        (assert (forall ((x Int) (y Int)) (=> (q x y) false)))"""
    )
    *given, both, last = result.derived
    assert {step.fact for step in given} == {"(p 1)", "(p 2)"}
    assert both.fact == "(q 1 2)"
    assert sorted(both.premises) == [0, 1]
    assert last == Derived(None, (2,))


def test_facts_behind_a_disjunction_are_premises() -> None:
    result = answer(
        """(declare-fun p (Int) Bool)
        (assert (p 1))
        (assert (forall ((x Int)) (=> (or (and (p x) (< x 0)) (p (- x 5))) (> x 6))))"""
    )
    assert result.derived == (Derived("(p 1)", ()), Derived(None, (0,)))


def test_what_is_sat_has_no_facts() -> None:
    assert answer(COUNTER.format(9)) == HyperResolutionAnswer(Status.SAT, "")
    assert answer("(declare-fun p (Int) Bool) (assert (p 0))") == HyperResolutionAnswer(Status.SAT, "")
    assert answer("(declare-fun p (Int) Bool)") == HyperResolutionAnswer(Status.SAT, "")


def test_a_clause_of_false_alone_is_derived_from_nothing() -> None:
    assert answer("(assert false)") == HyperResolutionAnswer(Status.UNSAT, "", (Derived(None, ()),))


def test_a_query_with_a_formula_as_head_derives_false() -> None:
    result = answer("(declare-fun p (Int) Bool) (assert (p 3)) (assert (forall ((x Int)) (=> (p x) (> x 3))))")
    assert result.derived == (Derived("(p 3)", ()), Derived(None, (0,)))


def test_names_like_its_own_and_names_in_bars_are_kept_apart() -> None:
    result = answer(
        """(declare-datatypes ((List 0)) (((false!!1) (cons (head Int) (tail List)))))
        (declare-fun false! (Int) Bool)
        (declare-fun |two  words
        | (List) Bool)
        (assert (false! 1))
        (assert (forall ((x Int)) (=> (false! x) (|two  words
        | (cons x false!!1)))))
        (assert (forall ((l List)) (=> (|two  words
        | l) false)))"""
    )
    assert [step.fact for step in result.derived] == [
        "(false! 1)",
        "(|two  words\n        | (cons 1 false!!1))",
        None,
    ]


def test_a_limit_is_an_answer() -> None:
    result = answer(COUNTER.replace("9", "900").format(800), rlimit=1_000)
    assert (result.status, result.derived) == (Status.LIMIT, ())
    assert result.reason


def test_what_spacer_refuses_is_an_answer_on_one_line() -> None:
    result = answer("(declare-fun p (Int) Bool) (assert (p (div 1 0))) (assert (forall ((x Int)) (=> (p x) false)))")
    assert (result.status, result.derived) == (Status.ERROR, ())
    assert result.reason.startswith("Uninterpreted 'div' in")
    assert len(result.reason.splitlines()) == 1


def test_what_z3_does_not_read_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chcfuzz.grammar.reading.parse.without_taken_words", str)  # which gives the sort another name
    result = answer("(declare-datatypes ((RegEx 0)) (((empty)))) (declare-fun p (RegEx) Bool) (assert (p empty))")
    assert (result.status, result.derived) == (Status.ERROR, ())
    assert "RegEx" in result.reason


@pytest.mark.slow
def test_a_body_as_deep_as_python_has_frames_is_no_exception() -> None:
    body = "(= x x)"
    for number in range(3_000):
        body = f"(not (not {body}))" if number % 2 else f"(and {body} (< x 100))"
    query = f"(assert (forall ((x Int)) (=> (and (p x) {body}) false)))"
    result = answer(f"(declare-fun p (Int) Bool) (assert (p 0)) {query}")
    assert result.derived == (Derived("(p 0)", ()), Derived(None, (0,)))


@pytest.mark.parametrize("proof", ["true", "(forall ((x Int)) (> x 0))", "(> 1 2)"])
def test_a_proof_of_something_else_gives_no_facts(monkeypatch: pytest.MonkeyPatch, proof: str) -> None:
    def other(solver: z3.Fixedpoint) -> z3.ExprRef:
        return z3.parse_smt2_string(f"(assert (and {proof} {proof}))", ctx=solver.ctx)[0]

    monkeypatch.setattr(z3.Fixedpoint, "get_answer", other)
    assert answer(COUNTER.format(1)) == HyperResolutionAnswer(Status.UNSAT, "")


@pytest.mark.parametrize("version", ["4.13.4", "4.8.14"])
def test_older_releases_give_the_same_facts_and_keep_the_limit(version: str) -> None:
    program = f"""
from chcfuzz.solvers import z3_release
z3_release.activate({version!r})
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.domains.chc.solvers.hyper_resolution import facts
from chcfuzz.solvers.watchdog import Watchdog
result = facts(parse({COUNTER.format(1)!r}), {RLIMIT}, Watchdog(60))
print(result.status.value, *(step.fact for step in result.derived))
print(facts(parse({COUNTER.replace("9", "900").format(800)!r}), 1_000, Watchdog(60)).status.value)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["unsat (loop 0) (loop 1) (loop 2) None", "limit"]
