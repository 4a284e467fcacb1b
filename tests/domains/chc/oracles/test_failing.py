"""Clauses that fail under a model: at which values, and who confirms it."""

from collections.abc import Mapping

import pytest
from chcfuzz.domains.chc.oracles import model
from chcfuzz.domains.chc.oracles.failing import Failing, Query, confirm, cvc5_query, z3_query
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.oracles.verdict import EVALUATOR, Verdict, VerdictKind
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.watchdog import Watchdog

RLIMIT = 1_000_000
WATCHDOG = Watchdog(60)
QUERY = z3_query(RLIMIT, WATCHDOG)
LISTS = "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))"
LENGTH = f"""{LISTS}(declare-fun p (L) Bool)
(assert (p nil))
(assert (forall ((l L)) (=> (p l) (p (cons 1 l)))))
(assert (forall ((l L)) (=> (and (p l) ((_ is cons) l)) (<= (head l) 0))))"""


def looked_at(text: str, definitions: str, number: int, solver: str) -> Failing:
    system = parse(text)
    query = {"Z3": z3_query(RLIMIT, WATCHDOG), "cvc5": cvc5_query(system)}[solver]
    return confirm(system, TextModel(definitions), number, query, z3_query(RLIMIT, WATCHDOG))


@pytest.fixture(params=["Z3", "cvc5"])
def solver(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_clause_that_fails_does_so_at_values_that_are_evaluated(solver: str) -> None:
    found = looked_at("(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (p x) (> x 1))))", "", 0, solver)
    assert found.answer == "unsat"
    found = looked_at(LENGTH, "(define-fun p ((l L)) Bool (or (= l nil) (= l (cons 1 nil))))", 1, solver)
    assert (found.answer, found.where, found.holds) == ("sat", "l = (cons 1 nil)", False)
    assert found.judges(solver) == ("our evaluator", solver)


@pytest.mark.parametrize(
    ("definition", "number"),
    [
        ("(define-fun p ((l L)) Bool (or (= l nil) (exists ((x Int) (t L)) (= l (cons x t)))))", 2),
        (
            """(define-fun p ((l L)) Bool
            (or (= l nil) (exists ((x Int) (t L)) (and (= l (cons x t)) (exists ((x Int)) (= t (cons x nil)))))))""",
            2,
        ),
        ("(define-fun p ((l L)) Bool (forall ((x Int)) (or (> x 3) (distinct l nil))))", 0),
    ],
    ids=["exists in a body", "exists in exists", "forall in a head"],
)
def test_an_existential_variable_of_the_model_has_a_value(definition: str, number: int, solver: str) -> None:
    found = looked_at(LENGTH, definition, number, solver)
    assert (found.answer, found.holds) == ("sat", False), found


def test_an_existential_variable_of_the_clause_has_a_value(solver: str) -> None:
    text = "(declare-fun p (Int) Bool)(assert (=> (exists ((y Int)) (and (p y) (> y 7))) false))"
    found = looked_at(text, "(define-fun p ((x Int)) Bool (and (> x 5) (exists ((y Int)) (= x (* 2 y)))))", 0, solver)
    assert (found.answer, found.holds) == ("sat", False), found
    assert found.where.startswith("y = ")


def test_universal_quantifiers_are_judged_by_the_solver_alone() -> None:
    text = "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (p x) (> x 7))))"
    found = looked_at(text, "(define-fun p ((x Int)) Bool (forall ((y Int)) (>= (* y y) (* x 0))))", 0, "Z3")
    assert (found.answer, found.holds, found.open_term) == ("sat", None, "")
    assert found.judges("Z3") == ("Z3",)


@pytest.mark.parametrize(
    ("definition", "number", "name"),
    [
        ("(define-fun p ((l L)) Bool (>= (head l) 0))", 0, "head"),
        ("(define-fun p ((l L)) Bool (= 1 (div 1 0)))", 0, "div"),
        ("(define-fun p ((l L)) Bool (= 1 (rem 1 0)))", 0, "mod"),
    ],
)
def test_what_smt_lib_leaves_open_is_named(definition: str, number: int, name: str) -> None:
    found = looked_at(LENGTH, definition, number, "Z3")
    assert (found.answer, found.holds, found.open_term) == ("sat", None, name)


def test_a_clause_that_fails_whatever_is_left_open_fails(solver: str) -> None:
    found = looked_at(LENGTH, "(define-fun p ((l L)) Bool (distinct (head l) (head l)))", 0, solver)
    assert (found.answer, found.open_term) == ("sat", "")
    assert found.judges(solver)[-1] == solver


def test_values_at_which_our_evaluator_finds_the_clause_true_are_reported() -> None:
    system = parse(LENGTH)
    lies: Query = lambda _script: ("sat", {"l": "nil"})  # noqa: E731
    found = confirm(system, TextModel("(define-fun p ((l L)) Bool true)"), 1, lies, lies)
    assert found.holds is True


def test_values_that_cannot_be_read_leave_it_to_the_solver() -> None:
    unread: list[tuple[str, Mapping[str, str] | None]] = [("sat", None), ("sat", {"l": "(_ as-array k)"})]
    for result in unread:
        found = confirm(parse(LENGTH), TextModel("(define-fun p ((l L)) Bool true)"), 2, lambda _, s=result: s, QUERY)  # type: ignore[misc]
        assert (found.where, found.holds, found.open_term) == ("", None, "head")


def test_a_model_that_we_do_not_read_is_judged_by_the_solver_alone() -> None:
    text = "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (p x) (> x 7))))"
    definitions = """(define-fun k ((x Int)) Bool (> x 5))
    (define-fun p ((x Int)) Bool (select (_ as-array k) x))"""
    found = looked_at(text, definitions, 0, "Z3")
    assert (found.answer, found.where[:4], found.holds) == ("sat", "x = ", None)
    assert found.judges("Z3") == ("Z3",)


# The verdicts ------------------------------------------------------------------------------------------


def verdict(definitions: str) -> Verdict:
    return model.check_text(parse(LENGTH), definitions, WATCHDOG)


def test_a_verdict_names_its_judges() -> None:
    found = verdict("(define-fun p ((l L)) Bool (or (= l nil) (exists ((x Int) (t L)) (= l (cons x t)))))")
    assert found.kind is VerdictKind.WRONG_MODEL
    assert found.judges == (EVALUATOR, "Z3")


def test_a_clause_that_depends_on_what_is_left_open_does_not_hide_one_that_fails() -> None:
    found = verdict("(define-fun p ((l L)) Bool (and (>= (head l) 0) (distinct l (cons 1 (cons 1 nil)))))")
    assert found.kind is VerdictKind.WRONG_MODEL
    assert found.detail.startswith("clause 2 is false under the model at l = (cons 1 nil)")


def test_a_model_that_is_wrong_only_in_one_reading_is_undecided() -> None:
    found = verdict("(define-fun p ((l L)) Bool (and (>= (head l) 0) (or (= l nil) (<= (head l) 0))))")
    assert found.kind is VerdictKind.UNDECIDED
    assert "depends on a value of head that SMT-LIB leaves open" in found.detail


def test_an_error_of_z3_is_an_answer_without_values() -> None:
    answer, values = QUERY("(assert (no-such-function 1))")
    assert answer.startswith("an error: ")
    assert values == {}


@pytest.mark.parametrize(
    ("printed", "answer", "values"),
    [
        ("sat\n((define-fun x () Int 7))\n", "sat", {"x": "7"}),
        ("sat\n", "sat", None),
        ("sat\n((define-fun x () Int (no-such-function 1)))\n", "sat", None),
        ("unknown\n((define-fun x () Int 7))\n", "unknown", None),
        ("unsat\n", "unsat", None),
        ("", "unknown", None),
    ],
)
def test_values_of_cvc5_are_read_from_its_answer_sat_alone(
    monkeypatch: pytest.MonkeyPatch, printed: str, answer: str, values: Mapping[str, str] | None
) -> None:
    monkeypatch.setattr("chcfuzz.oracles.second_solver.output", lambda _: printed)
    assert cvc5_query(parse(LENGTH))("a script") == (answer, values)
