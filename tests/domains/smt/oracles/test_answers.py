"""Answers and models of several SMT solvers, compared."""

import pytest
from chcfuzz.domains.smt.oracles import answers as smt_answers
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.oracles.verdict import Verdict, VerdictKind
from chcfuzz.solvers.model_text import TextModel
from chcfuzz.solvers.outcome import Outcome, Status
from chcfuzz.tracing.trace import NOTHING

SAT, UNSAT, UNKNOWN = Status.SAT, Status.UNSAT, Status.UNKNOWN
PROBLEM = parse.problem("(declare-const x Int)(assert (> x 3))(assert (< x 9))(check-sat)")
RIGHT, WRONG = "(define-fun x () Int 5)", "(define-fun x () Int 12)"
DIVISION = parse.problem("(declare-const x Int)(assert (= (div x 0) 7))(check-sat)")


def outcome(status: Status, model: str | None = None, reason: str = "") -> Outcome:
    return Outcome(status, reason, NOTHING, 0, 0.0, None if model is None else TextModel(model))


def together(first: Outcome, *others: Outcome) -> Outcome:
    names = ("cvc5", "bitwuzla")[: len(others)]
    return Outcome(
        first.status, first.reason, NOTHING, 0, 0.0, first.model, others=tuple(zip(names, others, strict=True))
    )


def no_promise(_project: str) -> None:
    return None


def again(_problem: Problem) -> Outcome:
    raise AssertionError("there is nothing to close")


def findings(solved: Outcome, problem: Problem = PROBLEM, expected: str | None = None) -> list[Verdict]:
    verdicts = smt_answers.check(problem, lambda _project: expected, solved, "z3", again)
    return [verdict for verdict in verdicts if verdict.kind.is_finding]


def accused(verdict: Verdict) -> str:
    return dict(verdict.accuses).get("solver", "z3")


def test_solvers_that_agree_are_no_finding() -> None:
    solved = together(outcome(SAT, RIGHT), outcome(SAT, "(define-fun x () Int 4)"), outcome(UNKNOWN))
    assert findings(solved) == []
    (own, *_) = smt_answers.check(PROBLEM, lambda _project: "sat", solved, "z3", again)
    assert (own.oracle, own.kind) == ("model", VerdictKind.PASS)


def test_a_right_model_convicts_every_answer_unsat() -> None:
    found = findings(together(outcome(UNSAT), outcome(SAT, RIGHT), outcome(UNSAT)))
    assert [(accused(each), each.kind, each.seen) for each in found] == [
        ("z3", VerdictKind.WRONG_ANSWER, ""),
        ("bitwuzla", VerdictKind.WRONG_ANSWER, "unsat"),
    ]
    assert found[0].detail == "answers unsat, cvc5 sat with a model under which every assertion is true"


def test_a_wrong_model_of_any_solver_is_a_finding_about_it() -> None:
    (own,) = findings(together(outcome(SAT, WRONG), outcome(SAT, RIGHT)))
    assert (accused(own), own.kind, own.detail) == (
        "z3",
        VerdictKind.WRONG_MODEL,
        "assertion 2 is false under the model",
    )
    (other,) = findings(together(outcome(SAT, RIGHT), outcome(SAT, WRONG)))
    assert (accused(other), other.kind, other.seen) == ("cvc5", VerdictKind.WRONG_MODEL, "sat")
    assert "(assert (not (< x 9)))" in other.evidence


def test_without_a_right_model_the_solver_with_a_wrong_one_is_suspected() -> None:
    found = findings(together(outcome(UNSAT), outcome(SAT, WRONG), outcome(UNSAT)))
    assert [(accused(each), each.kind) for each in found] == [
        ("cvc5", VerdictKind.DISAGREEMENT),
        ("cvc5", VerdictKind.WRONG_MODEL),
    ]
    assert found[0].detail.startswith("the answers differ: z3 unsat, cvc5 sat, bitwuzla unsat; its model is wrong: ")


def test_the_answer_of_the_solver_under_test_is_suspected_before_its_wrong_model() -> None:
    found = findings(together(outcome(SAT, WRONG), outcome(UNSAT), outcome(UNSAT)))
    assert [(accused(each), each.kind) for each in found] == [
        ("z3", VerdictKind.DISAGREEMENT),
        ("z3", VerdictKind.WRONG_MODEL),
    ]


@pytest.mark.parametrize(
    ("first", "others", "suspect"),
    [(UNSAT, (SAT, SAT), "z3"), (UNSAT, (SAT, UNSAT), "cvc5"), (SAT, (UNSAT,), "z3"), (UNSAT, (SAT,), "cvc5")],
)
def test_without_models_the_smaller_side_is_suspected(first: Status, others: tuple[Status, ...], suspect: str) -> None:
    (found,) = findings(together(outcome(first), *map(outcome, others)))
    assert (accused(found), found.kind) == (suspect, VerdictKind.DISAGREEMENT)


def test_solvers_may_differ_in_what_smt_lib_leaves_open() -> None:
    closed = []

    def solve(problem: Problem) -> Outcome:
        closed.append(problem)
        return together(outcome(UNSAT), outcome(UNSAT))

    solved = together(outcome(SAT), outcome(UNSAT))
    (verdict,) = (
        each for each in smt_answers.check(DIVISION, no_promise, solved, "z3", solve) if each.oracle == "answers"
    )
    assert verdict.kind is VerdictKind.UNDECIDED
    assert verdict.detail.endswith("they do not differ once div has a value wherever SMT-LIB leaves it open")
    assert "ite" in str(closed[0].formulas[0])


@pytest.mark.parametrize(
    ("first", "second", "kinds"),
    [
        (outcome(SAT), UNKNOWN, [VerdictKind.DISAGREEMENT]),  # sat with a value by zero, and unsat for every one
        (outcome(SAT, "(define-fun x () Int 0)"), UNKNOWN, [VerdictKind.WRONG_ANSWER]),
        (outcome(UNKNOWN), UNKNOWN, []),
        (outcome(UNKNOWN), SAT, []),
    ],
)
def test_an_answer_unsat_is_also_about_the_problem_with_fixed_values(
    first: Outcome, second: Status, kinds: list[VerdictKind]
) -> None:
    stated = parse.problem("(declare-const x Int)(assert (= (div 5 x) 0))(assert (< (* x x) 1))(check-sat)")
    found = smt_answers.check(
        stated, no_promise, together(outcome(SAT), outcome(UNSAT)), "z3", lambda _: together(first, outcome(second))
    )
    assert [verdict.kind for verdict in found if verdict.kind.is_finding] == kinds


def test_a_model_that_needs_a_value_by_zero_of_its_own_convicts_nobody() -> None:
    model = "(define-fun x () Int 1)(define-fun div0 ((x!0 Int) (x!1 Int)) Int 7)"
    solved = together(outcome(SAT, model), outcome(UNSAT))
    found = smt_answers.check(DIVISION, no_promise, solved, "z3", lambda _: together(outcome(UNSAT), outcome(UNSAT)))
    assert [verdict.kind for verdict in found] == [VerdictKind.UNDECIDED, VerdictKind.PASS]


def test_a_model_that_holds_whatever_is_open_convicts_without_fixed_values() -> None:
    stated = parse.problem("(declare-const x Int)(assert (or (= x 3) (= (div 5 x) 7)))(check-sat)")
    (found,) = findings(together(outcome(SAT, "(define-fun x () Int 3)"), outcome(UNSAT)), stated)
    assert (accused(found), found.kind) == ("cvc5", VerdictKind.WRONG_ANSWER)


def test_an_answer_of_another_solver_that_breaks_the_promise_is_its_own() -> None:
    (found,) = findings(together(outcome(UNKNOWN), outcome(UNSAT)), expected="sat")
    assert (accused(found), found.kind, found.oracle) == ("cvc5", VerdictKind.WRONG_ANSWER, "answer")


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("Fatal failure within cvc5::internal::theory::arith", VerdictKind.EXCEPTION),
        ("ASSERTION VIOLATION", VerdictKind.EXCEPTION),
        ("cannot handle this option", None),
    ],
)
def test_internal_errors_are_findings_and_refusals_are_not(reason: str, kind: VerdictKind | None) -> None:
    found = findings(together(outcome(UNKNOWN), outcome(Status.ERROR, reason=reason)))
    assert [(accused(each), each.kind) for each in found] == ([] if kind is None else [("cvc5", kind)])


def test_a_death_is_that_of_the_solver_that_died() -> None:
    (found,) = findings(together(outcome(SAT, RIGHT), outcome(Status.CRASH, reason="dies of signal 6 (Aborted)")))
    assert (accused(found), found.kind, found.detail) == ("cvc5", VerdictKind.CRASH, "it dies of signal 6 (Aborted)")
