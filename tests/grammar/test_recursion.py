"""Recursive functions: read, printed and evaluated, as definitions and as the assertions that they are."""

from dataclasses import replace

import pytest
from chcfuzz.domains.smt.oracles import model as smt_model
from chcfuzz.domains.smt.rows.names import MUTATIONS
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.dialects import print_for
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Assertion
from chcfuzz.grammar.reading.parse import parse_term, problem
from chcfuzz.oracles.verdict import VerdictKind

FACTORIAL = "(define-fun-rec fact ((n Int)) Int (ite (<= n 0) 1 (* n (fact (- n 1)))))"
PARITY = """(define-funs-rec ((even ((n Int)) Bool) (odd ((x Int)) Bool))
((or (= n 0) (odd (- n 1))) (and (not (= x 0)) (even (- x 1)))))"""
TEXT = f"""(declare-const x Int){FACTORIAL}(declare-const z Int)(define-fun g ((y Int)) Int (+ (fact y) 1))
(assert (! (= (g x) 7) :named seven))(assert (= z (fact 5)))(check-sat)"""


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"(declare-const x Int){PARITY}(assert (even x))(push 1)(assert (odd 2))(check-sat)(pop 1)(check-sat)",
        f"{FACTORIAL}{PARITY}(assert (even (fact 2)))(check-sat)(get-value ((fact 3)))",
        "(define-fun-rec c () Int 5)(assert (= c 6))(check-sat-assuming (false))",
        f"(push 1){FACTORIAL}(assert (= (fact 1) 1))(check-sat)(pop 1){FACTORIAL}(assert (= (fact 2) 2))(check-sat)",
    ],
)
def test_recursive_functions_are_printed_as_they_are_read(text: str) -> None:
    stated = problem(text)
    printed = print_problem(stated)
    assert problem(printed) == stated
    assert printed.count("define-fun-rec") + printed.count("define-funs-rec") == max(
        1, text.count("define-fun-rec") + text.count("define-funs-rec") - text.count("(pop 1)" + FACTORIAL)
    )


def test_functions_that_call_each_other_are_defined_together() -> None:
    printed = print_problem(problem(f"(declare-const x Int){PARITY}{FACTORIAL}(assert (even (fact x)))"))
    assert "(define-funs-rec ((even ((n Int)) Bool) (odd ((x!1 Int)) Bool)) (" in printed
    assert "(define-fun-rec fact" in printed


def test_an_assertion_of_another_form_is_no_definition() -> None:
    stated = problem(TEXT)
    (number,) = stated.recursive
    for formula in ("(= (fact x) 1)", "(forall ((n Int)) (> (fact n) 0))", "(forall ((n Int)) (= (fact 1) n))"):
        changed = replace(stated.assertions[number], formula=parse_term(formula, (), stated))
        other = replace(stated, assertions=(changed, *stated.assertions[1:]))
        assert "(declare-fun fact (Int) Int)" in print_problem(other)
        assert problem(print_problem(other)) == other.in_its_form
    twice = replace(stated, assertions=(*stated.assertions, stated.assertions[number]))
    assert "define-fun-rec" not in print_problem(twice)


def test_rows_may_change_the_body_and_the_name() -> None:
    stated = problem(TEXT)
    rename = next(row for row in MUTATIONS if row.id == "smt_names.rename-function")
    seen = set()
    for seed in range(12):
        renamed = rename.rewrite(stated, Choices(b"", bytes([seed])))
        assert renamed is not None
        assert len(renamed.recursive) == 1
        assert problem(print_problem(renamed)) == renamed.in_its_form
        seen |= {each.function.name for each in renamed.recursive.values()}
    assert len(seen) > 1
    moved = replace(stated, assertions=stated.assertions[::-1])
    assert (
        problem(print_problem(moved))
        == moved.in_its_form
        == stated.with_assertions([stated.assertions[0], *stated.assertions[:0:-1]])
    )


@pytest.mark.parametrize(
    ("x", "z", "kind"),
    [
        ("3", "120", VerdictKind.UNDECIDED),  # whether the function exists at all arguments is open
        ("4", "120", VerdictKind.WRONG_MODEL),
        ("3", "121", VerdictKind.WRONG_MODEL),
        ("100000", "120", VerdictKind.UNDECIDED),  # beyond the bound
    ],
)
def test_calls_are_evaluated_by_the_definition_within_a_bound(x: str, z: str, kind: VerdictKind) -> None:
    model = f"(define-fun x () Int {x})(define-fun z () Int {z})(define-fun fact ((n Int)) Int 6)"
    assert smt_model.check_text(problem(TEXT), model).kind is kind


def test_a_function_that_is_defined_by_itself_alone_is_open() -> None:
    loop = problem("(define-fun-rec f ((n Int)) Int (+ 1 (f n)))(assert (= (f 0) 3))(check-sat)")
    assert smt_model.check_text(loop, "").kind is VerdictKind.UNDECIDED


def test_a_function_over_few_values_is_decided() -> None:
    stated = problem(
        """(declare-const x (_ BitVec 3))(define-fun-rec d ((n (_ BitVec 3))) (_ BitVec 3)
        (ite (bvule n #b001) n (d (bvlshr n #b001))))(assert (= (d x) #b001))(check-sat)"""
    )
    kinds = [smt_model.check_text(stated, f"(define-fun x () (_ BitVec 3) {x})").kind for x in ("#b110", "#b000")]
    assert kinds == [VerdictKind.PASS, VerdictKind.WRONG_MODEL]


def test_a_reader_without_recursive_functions_gets_an_assertion() -> None:
    stated = problem(f"{FACTORIAL}(assert (= (fact 1) 1))")
    assert "define-fun-rec" in print_for(stated, "cvc5")
    assert "(assert (forall ((n Int))\n    (= (fact n)" in print_for(stated, "bitwuzla")


def test_an_assertion_is_no_definition_by_default() -> None:
    assert not any(each.is_definition for each in problem("(assert true)").assertions)
    assert Assertion(parse_term("true")) == problem("(assert true)(declare-const x Int)").assertions[0]
