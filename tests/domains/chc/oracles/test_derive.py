"""Refutations are found along Spacer's proof and by bounded search, each by itself; what is found is right."""

from pathlib import Path

import pytest
import z3
from chcfuzz.domains.chc.oracles import derive as derive_module
from chcfuzz.domains.chc.oracles.derive import SearchResult, check, derive, refutation_from_facts
from chcfuzz.domains.chc.oracles.refutation import Refutation, fault
from chcfuzz.domains.chc.oracles.refutation_text import parse_refutation, print_refutation
from chcfuzz.domains.chc.solvers import hyper_resolution
from chcfuzz.domains.chc.solvers.derivation import Derived
from chcfuzz.domains.chc.solvers.hyper_resolution import HyperResolutionAnswer
from chcfuzz.grammar.printing.witness import Fact
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.watchdog import Watchdog

CORPUS = Path(__file__).resolve().parents[4] / "corpus"
RLIMIT = 2_000_000
WATCHDOG = Watchdog(60)

COUNTER = """(declare-fun loop (Int) Bool)
(assert (loop 0))
(assert (forall ((x Int)) (=> (and (loop x) (< x 9)) (loop (+ x 1)))))
(assert (forall ((x Int)) (=> (and (loop x) (> x {})) false)))"""
SYSTEMS = {
    "linear": COUNTER.format(4),
    "two predicates": """(declare-fun even (Int) Bool)
    (declare-fun odd (Int) Bool)
    (assert (even 0))
    (assert (forall ((x Int)) (=> (even x) (odd (+ x 1)))))
    (assert (forall ((x Int)) (=> (odd x) (even (+ x 1)))))
    (assert (forall ((x Int)) (=> (and (odd x) (> x 4)) false)))""",
    "non-linear": """(declare-fun fib (Int Int) Bool)
    (assert (fib 0 1))
    (assert (fib 1 1))
    (assert (forall ((n Int) (a Int) (b Int)) (=> (and (>= n 0) (fib n a) (fib (+ n 1) b)) (fib (+ n 2) (+ a b)))))
    (assert (forall ((n Int) (a Int)) (=> (and (fib n a) (> a 4)) false)))""",
    "a query of two facts": """(declare-fun p (Int) Bool)
    (declare-fun q (Int) Bool)
    (assert (forall ((x Int)) (=> (> x 2) (p x))))
    (assert (forall ((x Int)) (=> (< x 5) (q x))))
    (assert (forall ((x Int)) (=> (and (p x) (q x) (p (+ x 7))) false)))""",
    "a disjunction": """(declare-fun p (Int) Bool)
    (assert (p 1))
    (assert (forall ((x Int)) (=> (or (and (p x) (> x 3)) (and (p (- x)) (p (- 2 (- 1))) (< x 0))) (p 3))))
    (assert (forall ((x Int)) (=> (or (and (p x) (< x 0)) (p (- x 5)) ) (> x 6))))""",
    "a formula as head": """(declare-fun p (Int) Bool)
    (assert (forall ((x Int)) (=> (> x 4) (p x))))
    (assert (forall ((x Int)) (=> (p x) (or (< x 7) (> x 8)))))""",
    "no variable": """(declare-fun p () Bool)
    (declare-fun q () Bool)
    (assert p)
    (assert (=> p q))
    (assert (=> (and q p) false))""",
    "existentials": """(declare-fun p (Int) Bool)
    (assert (p 1))
    (assert (p 7))
    (assert (forall ((x Int))
      (=> (and (exists ((y Int)) (and (p y) (> y 3))) (exists ((y Int)) (and (p y) (< y x)))) false)))""",
    "false alone": "(assert false)",
    "reals": """(declare-fun p (Real) Bool)
    (assert (forall ((x Real)) (=> (= (* 3.0 x) (- 1.0)) (p x))))
    (assert (forall ((x Real)) (=> (and (p x) (< x 0.0)) false)))""",
    "bit-vectors": """(declare-fun p ((_ BitVec 5) (_ BitVec 8)) Bool)
    (assert (forall ((x (_ BitVec 5)) (y (_ BitVec 8))) (=> (= y #xfe) (p x y))))
    (assert (forall ((x (_ BitVec 5)) (y (_ BitVec 8))) (=> (and (p x y) (bvslt y #x00) (bvugt x #b00111)) false)))""",
    "arrays": """(declare-fun p ((Array Int Bool) (Array (_ BitVec 1) (Array Int Real))) Bool)
    (assert (forall ((a (Array Int Bool)) (b (Array (_ BitVec 1) (Array Int Real))))
      (=> (and (not (select a 0)) (= (select (select b #b0) 3) 1.5)) (p (store a 3 true) b))))
    (assert (forall ((a (Array Int Bool)) (b (Array (_ BitVec 1) (Array Int Real))))
      (=> (and (p a b) (select a 3)) false)))""",
    "data types": """(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
    (declare-fun p (List Int) Bool)
    (assert (p nil 0))
    (assert (forall ((l List) (n Int)) (=> (p l n) (p (cons n l) (+ n 1)))))
    (assert (forall ((l List) (m Int) (n Int)) (=> (p l n) (not (= l (cons 2 (cons m (cons 0 nil))))))))""",
    "names like ours": """(declare-datatypes ((|a b| 0)) (((v!0) (v!!1 (false! Int) (v!1 |a b|)))))
    (declare-fun |p  q| (|a b| Int) Bool)
    (declare-fun false!!1 (Int) Bool)
    (declare-fun |r
    s| (Int) Bool)
    (assert (forall ((v!2 Int) (v!!0 Int)) (=> (= v!2 v!!0 3) (|p  q| (v!!1 v!2 v!0) v!!0))))
    (assert (forall ((l |a b|) (x Int)) (=> (and (|p  q| l x) (> x 2) ((_ is v!!1) l)) (|r
    s| x))))
    (assert (forall ((x Int)) (=> (|r
    s| x) false)))""",
}


def system(name: str) -> System:
    return parse(SYSTEMS[name], name)


def right(of: System, search: SearchResult) -> Refutation:
    """The refutation that was found, which is one."""
    assert search.refutation is not None, search
    assert fault(of, search.refutation) is None
    assert parse_refutation(of, print_refutation(of, search.refutation)) == search.refutation
    return search.refutation


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_refutation_is_found_along_spacers_proof(name: str) -> None:
    search = derive(system(name), RLIMIT, WATCHDOG)
    right(system(name), search)
    assert (search.status, search.message) == (Status.UNSAT, "along Spacer's proof")


def test_where_spacer_refuses_a_rule_the_bounded_search_finds_a_refutation() -> None:
    refused = parse(
        """(declare-fun p (Int) Bool)
        (assert (forall ((x Int)) (=> (or (> x 8) (exists ((y Int)) (and (> x y) (> y 5)))) (p x))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 8)) false)))"""
    )
    search = derive(refused, RLIMIT, WATCHDOG)
    assert len(right(refused, search)) == 2
    assert search.status is Status.ERROR
    assert search.message.startswith("with its transforms off, Spacer answers error cannot process EXISTS")
    assert search.message.endswith("; bounded search, depth 2")
    assert check(refused, RLIMIT, WATCHDOG).kind is VerdictKind.PASS


@pytest.mark.parametrize("text", [COUNTER.format(9), "(declare-fun p (Int) Bool) (assert (p 1))", "(assert true)"])
def test_what_is_sat_has_no_refutation(text: str) -> None:
    search = derive(parse(text), RLIMIT, WATCHDOG)
    assert search.refutation is None
    assert search.status is Status.SAT


def test_an_unsat_that_spacer_takes_back_is_a_wrong_answer() -> None:
    verdict = check(parse(COUNTER.format(9)), RLIMIT, WATCHDOG)
    assert (verdict.oracle, verdict.kind) == ("refutation", VerdictKind.WRONG_ANSWER)
    assert verdict.detail == "answers unsat, and sat with its transforms off"
    of_another = check(parse(COUNTER.format(9)), RLIMIT, WATCHDOG, tests_spacer=False)
    assert of_another.detail == "answers unsat, and Spacer sat with its transforms off"


def test_an_unsat_with_a_refutation_passes() -> None:
    verdict = check(system("false alone"), RLIMIT, WATCHDOG)
    assert (verdict.oracle, verdict.kind) == ("refutation", VerdictKind.PASS)
    assert verdict.detail == "1 step along Spacer's proof"


def test_an_unsat_without_a_refutation_is_undecided_with_a_reason() -> None:
    text = "(declare-fun p (Int) Bool) (assert (p (div 1 0))) (assert (=> (p 3) false))"
    verdict = check(parse(text), RLIMIT, WATCHDOG)
    assert verdict.kind is VerdictKind.UNDECIDED
    assert "has an unknown value" in verdict.detail
    assert len(verdict.detail.splitlines()) == 1


def test_values_that_are_no_terms_of_ours_give_no_refutation() -> None:
    irrational = parse(
        """(declare-fun p (Real) Bool)
        (assert (forall ((x Real)) (=> (and (= (* x x) 2.0) (> x 0.0)) (p x))))
        (assert (forall ((x Real)) (=> (p x) false)))"""
    )
    search = derive(irrational, RLIMIT, WATCHDOG)
    assert search.refutation is None
    assert "bounded search: no derivation of depth 2" in search.message


@pytest.mark.parametrize("rlimit", [1, 100, 1_000])
def test_a_resource_limit_ends_both_ways(rlimit: int) -> None:
    search = derive(parse(COUNTER.replace("9", "900").format(800)), rlimit, WATCHDOG)
    assert search.refutation is None
    assert search.status is Status.LIMIT
    assert "bounded search: limit reached at depth " in search.message


@pytest.mark.parametrize("sort", ["Unicode", "FiniteSet", "RegEx"])
def test_what_z3_refuses_to_read_is_no_exception(sort: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chcfuzz.grammar.reading.parse.without_taken_words", str)  # which gives the sort another name
    refused = parse(
        f"""(declare-datatypes (({sort} 0)) (((empty) (more (rest {sort})))))
        (declare-fun p ({sort}) Bool)
        (assert (p empty))
        (assert (forall ((s {sort})) (=> (p s) false)))"""
    )
    search = derive(refused, RLIMIT, WATCHDOG)
    assert search.refutation is None
    assert search.status is Status.ERROR
    assert len(search.message.splitlines()) == 1
    assert check(refused, RLIMIT, WATCHDOG).kind is VerdictKind.UNDECIDED


def test_a_deep_body_is_no_exception() -> None:
    body = "(= x x)"
    for number in range(3_000):
        body = f"(not (not {body}))" if number % 2 else f"(and {body} (< x 100))"
    deep = parse(
        f"""(declare-fun p (Int) Bool)
        (assert (p 0))
        (assert (forall ((x Int)) (=> (and (p x) {body}) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (> x 2)) false)))"""
    )
    right(deep, derive(deep, 10 * RLIMIT, WATCHDOG))


@pytest.mark.parametrize(
    ("derived", "message"),
    [
        ((Derived("(nothing 1)", ()), Derived(None, (0,))), ""),
        ((Derived("(loop", ()), Derived(None, (0,))), ""),
        ((Derived("(loop (div 1 0))", ()), Derived(None, (0,))), ""),
        ((Derived("(loop 0)", ()),), "the last step does not derive false"),
    ],
)
def test_a_proof_that_proves_nothing_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, derived: tuple[Derived, ...], message: str
) -> None:
    monkeypatch.setattr(hyper_resolution, "facts", lambda *_: HyperResolutionAnswer(Status.UNSAT, "", derived))
    safe = parse(COUNTER.format(9))
    search = derive(safe, RLIMIT, WATCHDOG)
    assert search.refutation is None
    assert search.message.startswith(f"along Spacer's proof: {message}")
    assert check(safe, RLIMIT, WATCHDOG).kind is VerdictKind.UNDECIDED


@pytest.mark.parametrize(
    ("derived", "message"),
    [
        ((Derived("(loop 7)", ()), Derived(None, (0,))), "(loop 7) follows from no clause and no fact"),
        ((Derived("(loop 0)", ()), Derived(None, (0,))), "false follows from no clause and (loop 0)"),
    ],
)
def test_a_wrong_step_of_spacers_proof_is_a_finding_whether_the_answer_is_right_or_not(
    monkeypatch: pytest.MonkeyPatch, derived: tuple[Derived, ...], message: str
) -> None:
    monkeypatch.setattr(hyper_resolution, "facts", lambda *_: HyperResolutionAnswer(Status.UNSAT, "", derived))
    for system, is_unsat in ((parse(COUNTER.format(9)), False), (parse(COUNTER.format(4)), True)):
        assert (derive(system, RLIMIT, WATCHDOG).refutation is not None) == is_unsat
        verdict = check(system, RLIMIT, WATCHDOG)
        assert verdict.kind is VerdictKind.WRONG_PROOF
        assert verdict.detail == f"in Spacer's own proof, its transforms off, {message}"
        assert verdict.judges == ("Z3", "cvc5")
        assert "(check-sat)" in verdict.evidence
        other = check(system, RLIMIT, WATCHDOG, tests_spacer=False)
        assert other.kind is (VerdictKind.PASS if is_unsat else VerdictKind.UNDECIDED)


def test_a_step_for_which_cvc5_finds_values_is_not_called_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    derived = (Derived("(loop 7)", ()), Derived(None, (0,)))
    monkeypatch.setattr(hyper_resolution, "facts", lambda *_: HyperResolutionAnswer(Status.UNSAT, "", derived))
    for said, kind, judges in (
        (["unsat", "sat"], VerdictKind.UNDECIDED, ()),
        (["unsat", "unknown"], VerdictKind.WRONG_PROOF, ("Z3",)),
        ([], VerdictKind.WRONG_PROOF, ("Z3",)),
    ):
        monkeypatch.setattr("chcfuzz.oracles.second_solver.answers", lambda _, said=said: said)
        verdict = check(parse(COUNTER.format(9)), RLIMIT, WATCHDOG)
        assert (verdict.kind, verdict.judges) == (kind, judges)


@pytest.mark.parametrize(
    "name", ["lia/bank-transfer-unsafe", "adt/peano-even-unsafe", "arrays/visited-set-unsafe", "bv/checksum-unsafe"]
)
def test_seeds_of_every_theory_have_refutations_both_ways(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = CORPUS / f"{name}.smt2"
    seed = parse(path.read_text(), name)
    right(seed, derive(seed, RLIMIT, WATCHDOG))
    monkeypatch.setattr(hyper_resolution, "facts", lambda *_: HyperResolutionAnswer(Status.UNKNOWN, "gives up"))
    right(seed, derive(seed, RLIMIT, WATCHDOG))


@pytest.mark.parametrize(
    ("text", "rlimit", "status"), [(COUNTER.format(9), RLIMIT, Status.SAT), (COUNTER.format(4), 1, Status.LIMIT)]
)
def test_who_is_in_a_hurry_searches_on_only_where_spacer_has_not_decided(
    monkeypatch: pytest.MonkeyPatch, text: str, rlimit: int, status: Status
) -> None:
    monkeypatch.setattr("chcfuzz.domains.chc.oracles.derive.bounded_search", lambda *_: pytest.fail("searched on"))
    search = derive(parse(text), rlimit, WATCHDOG, thorough=False)
    assert (search.refutation, search.status) == (None, status)


def test_without_a_proof_spacer_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hyper_resolution, "facts", lambda *_: pytest.fail("Spacer is queried"))
    search = derive(system("linear"), RLIMIT, WATCHDOG, along_proof=False)
    right(system("linear"), search)
    assert (search.status, search.message) == (Status.UNKNOWN, "bounded search, depth 8")


FACTS = tuple(Fact(system("linear").predicates[0], (number,)) for number in range(6))


def test_a_refutation_is_found_along_given_facts_without_those_that_do_not_follow() -> None:
    given = (Fact(FACTS[0].predicate, (20,)), *FACTS, FACTS[0])
    found = refutation_from_facts(system("linear"), given, RLIMIT, WATCHDOG)
    assert found is not None
    assert fault(system("linear"), found) is None
    assert [step.fact for step in found] == [*FACTS, None]
    assert refutation_from_facts(system("linear"), FACTS[1:], RLIMIT, WATCHDOG) is None
    assert refutation_from_facts(system("linear"), FACTS[:4], RLIMIT, WATCHDOG) is None


def test_an_error_of_z3_along_given_facts_is_no_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise z3.Z3Exception("it breaks")

    monkeypatch.setattr(derive_module, "find_step", fail)
    assert refutation_from_facts(system("linear"), FACTS, RLIMIT, WATCHDOG) is None
