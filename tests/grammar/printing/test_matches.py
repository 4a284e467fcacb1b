"""Case distinctions are printed as `match`, and read back as the same terms."""

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.draw_problem import draw_problem
from chcfuzz.grammar.printing.dialects import print_for
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.reading.parse import problem

from tests.grammar.printing.test_dialects import cvc5_answer, z3_answer

LISTS = """(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)) (end (at Int)))))(declare-const l L)
(declare-const cons!hd Int)(declare-fun f (L) L)"""
CASES = "(assert (= 3 (ite ((_ is nil) l) 0 (ite ((_ is cons) l) (+ (hd l) (at l)) (at l)))))"


def test_a_case_distinction_becomes_a_match_with_variables_for_fields() -> None:
    stated = problem(LISTS + CASES)
    text = print_for(stated, "z3")
    assert "(match l ( (nil 0) ((cons hd! tl!) (+ hd! (at l))) ((end at!) at!)))" in text
    assert problem(text) == stated
    assert "match" not in print_for(stated, "smtlib")


@pytest.mark.parametrize(
    "formula",
    [
        CASES,
        "(assert (match (f l) ((nil true) ((cons h t) (match t ((nil (> h 2)) ((cons x y) (< x h)) ((end e) true))))"
        "((end e) (= e cons!hd)))))",
        "(assert (forall ((x L)) (match x ((nil true) ((cons a b) (= a 1)) ((end a) (exists ((x L)) (= (at x) a)))))))",
        "(assert (forall ((x L)) (ite ((_ is nil) x) true (ite ((_ is cons) x) (exists ((x L)) (= (hd x) 1)) true))))",
    ],
)
def test_the_text_is_the_same_problem_to_all_readers(formula: str) -> None:
    stated = problem(LISTS + formula)
    text = print_for(stated, "z3")
    assert "(match " in text
    assert print_problem(problem(text)) == print_problem(problem(print_problem(stated)))
    expected = z3_answer(print_problem(stated))
    assert z3_answer(text) == expected
    assert cvc5_answer(print_for(stated, "cvc5")) in (expected, "unknown")


@pytest.mark.parametrize(
    "formula",
    [
        "(assert (= 3 (ite ((_ is nil) l) 0 (hd l))))",  # two constructors are left
        "(assert (= 3 (ite ((_ is nil) l) 0 (ite ((_ is cons) (f l)) (hd l) (at l)))))",  # of two terms
        "(assert (= 3 (ite (= l nil) 0 (ite ((_ is cons) l) (hd l) (at l)))))",
    ],
)
def test_other_conditions_stay(formula: str) -> None:
    stated = problem(LISTS + formula)
    assert print_for(stated, "z3") == print_problem(stated)


def test_names_between_bars_stay_out_of_patterns_because_cvc5_refuses_them() -> None:
    pairs = "(declare-datatypes ((P 2)) ((par (A B) ((none) (both (one A) (two B))))))(declare-const p (P Int Bool))"
    stated = problem(f"{pairs}(assert (match p ((none true) ((both a b) b))))")
    text = print_for(stated, "cvc5")
    assert "|none<Int,Bool>|" in text
    assert cvc5_answer(text) == "sat"


def test_a_text_with_shared_terms_stays() -> None:
    sums = "(+ (hd l) (hd l))"
    for _ in range(9):
        sums = f"(+ {sums} {sums})"
    stated = problem(LISTS + f"(assert (= 3 (ite ((_ is nil) l) 0 (ite ((_ is cons) l) {sums} (at l)))))")
    assert print_for(stated, "z3") == print_problem(stated)


def test_drawn_matches_are_read_by_chcfuzz_as_the_same_problems() -> None:
    found = (draw_problem(Choices(b"", f"match {number}".encode())) for number in range(240))
    drawn = [each for each in found if each.theories.isdisjoint(("Strings", "Seq", "Sets"))]  # not in Bitwuzla
    texts = [print_for(each, "z3") for each in drawn]
    assert sum("(match " in text for text in texts) > 2
    assert [problem(text).formulas for text in texts] == [
        problem(print_for(each, "bitwuzla")).formulas for each in drawn
    ]
