"""Logics: their features by their names, the logics that contain a problem, and the logic that a text states."""

import pytest
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.logics import KNOWN, beyond, containing, features, features_of, stated_logic
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.reading.parse import left_out, parse_term, problem
from chcfuzz.grammar.reading.problem_script import ProblemScript

VECTORS = "(set-logic QF_BV)(declare-const a (_ BitVec 8))(assert (bvult a #x05))"
NUMBERS = "(declare-const x Int)(declare-const y Int)(declare-fun f (Int) Int)"


def stated(formula: str, logic: str = "ALL") -> Problem:
    return problem(f"(set-logic {logic}){NUMBERS}(assert {formula})")


@pytest.mark.parametrize(
    ("logic", "found"),
    [
        ("QF_BV", {"BV"}),
        ("QF_AUFLIA", {"Arrays", "UF", "LIA", "sums of variables"}),
        ("UFNRA", {"quantifiers", "UF", "LRA", "sums of variables", "products of variables"}),
        ("QF_IDL", {"LIA"}),
        ("UFDTLIRA", {"quantifiers", "UF", "ADT", "LIA", "LRA", "sums of variables"}),
        ("QF_UF", {"UF"}),
        ("QF_ABVFP", {"Arrays", "BV", "FP"}),
        ("ALL", None),
        ("HORN", None),
        ("QF_NOSUCH", None),
        (None, None),
    ],
)
def test_the_name_of_a_logic_says_its_features(logic: str | None, found: set[str] | None) -> None:
    assert features_of(logic) == found


@pytest.mark.parametrize(
    ("formula", "kinds"),
    [
        ("(< x y)", set()),
        ("(< (- x y) 3)", set()),
        ("(< (+ x y) 3)", {"sums of variables"}),
        ("(< (* 2 x) 3)", {"sums of variables"}),
        ("(< (* x y) 3)", {"sums of variables", "products of variables"}),
        ("(= (mod x 3) 1)", {"sums of variables"}),
        ("(= (div x y) 1)", {"sums of variables", "products of variables"}),
        ("(exists ((z Int)) (< z x))", {"quantifiers"}),
    ],
)
def test_a_problem_has_the_features_of_its_formulas(formula: str, kinds: set[str]) -> None:
    assert features(stated(formula)) == kinds | {"LIA", "UF"}


def test_known_logics_contain_the_problems_that_have_no_other_features() -> None:
    found = containing(stated("(< (- x y) 3)"))
    assert {"QF_UFIDL", "QF_UFLIA", "QF_UFNIA", "AUFLIRA"} <= set(found) <= set(KNOWN)
    assert not {"QF_LIA", "QF_UFLRA", "QF_UF", "QF_BV"} & set(found)
    assert "QF_UFIDL" not in containing(stated("(< (+ x y) 3)"))


@pytest.mark.parametrize("line", ["(set-logic QF_BV)\n", "(set-logic ALL)\n", ""])
def test_a_problem_is_printed_in_the_logic_of_its_text(line: str) -> None:
    read = problem(VECTORS.replace("(set-logic QF_BV)", line))
    assert print_problem(read).startswith(f"{line}(declare-fun a ")
    assert problem(print_problem(read)) == read


def test_a_problem_that_leaves_its_logic_is_printed_in_all() -> None:
    read = problem(VECTORS)
    larger = read.with_assertions([*read.assertions, Assertion(parse_term("(exists ((x Int)) (> x 0))", (), read))])
    assert (stated_logic(read), stated_logic(larger)) == ("QF_BV", "ALL")


def test_a_text_that_has_more_than_its_logic_keeps_it() -> None:
    read = stated("(< (* x y) 3)", "QF_LIA")
    assert read.form.beyond == {"UF", "products of variables"} == beyond("QF_LIA", read)
    assert stated_logic(read) == "QF_LIA"
    quantified = read.with_assertions([Assertion(parse_term("(exists ((z Int)) (> z 0))", (), read))])
    assert stated_logic(quantified) == "ALL"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("(set-logic QF_BV)(declare-const x Int)(assert (> x 0))", "QF_BV.*integers|integers.*QF_BV"),
        ("(set-logic QF_LIA)(declare-const x (Array Int Int))(assert (= x x))", "arrays"),
        ("(set-logic QF_UF)(declare-datatypes ((P 0)) (((p))))(declare-const x P)(assert (= x p))", "data types"),
        ("(set-logic QF_BV)(set-logic QF_BV)(declare-const p Bool)(assert p)", "a second logic"),
    ],
)
def test_a_logic_that_contradicts_the_text_is_refused_by_name(text: str, what: str) -> None:
    with pytest.raises(GrammarError, match=what):
        problem(text)


def test_a_logic_behind_a_check_is_named_and_left_out() -> None:
    text = "(declare-const x Int)(assert (> x 0))(check-sat)(set-logic QF_LIA)(check-sat)"
    assert problem(text).form.logic is None
    (found,) = left_out(ProblemScript("a"), text)
    assert (found.command, found.matters) == ("(set-logic QF_LIA)", True)


def test_a_reset_forgets_the_logic() -> None:
    assert problem(f"(set-logic QF_LIA)(reset){VECTORS}").form.logic == "QF_BV"


def test_numerals_are_reals_in_a_logic_without_integers() -> None:
    script = "(declare-const x Real)(assert (< (/ (- 0 3) 1) (- x 7)))(check-sat)"
    for logic in ("QF_LRA", "UFNRA", "QF_RDL"):
        found = problem(f"(set-logic {logic}){script}")
        assert "(/ (- 0.0 3.0) 1.0)" in print_problem(found)
        assert problem(print_problem(found)) == found
    for logic in ("QF_LIRA", "ALL"):
        assert "(to_real (- 0 3))" in print_problem(problem(f"(set-logic {logic}){script}"))
    assert "to_real" in print_problem(problem(f"(set-logic QF_LRA){script}(reset){script}"))
    assert "to_real" not in print_problem(problem(f"(set-logic QF_LRA){script}(reset-assertions){script}"))


def test_floating_point_has_the_sorts_of_bit_vectors_and_reals() -> None:
    text = (
        "(set-logic QF_FP)(declare-const b (_ BitVec 16))(declare-const r Real)(assert (fp.isNaN ((_ to_fp 5 11) b)))"
    )
    assert stated_logic(problem(text)) == "QF_FP"
    with pytest.raises(GrammarError, match="this logic does not have integers"):
        problem(text.replace("Real", "Int"))
