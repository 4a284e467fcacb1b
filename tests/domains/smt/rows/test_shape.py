"""Other forms of a problem: the formulas stay, and the text reads back in its form."""

import pytest
from chcfuzz.domains.smt.rows.shape import MUTATIONS
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.grammar.printing.dialects import print_for
from chcfuzz.grammar.printing.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.parse import checks, problem

ROWS = {row.id.partition(".")[2]: row for row in MUTATIONS}
GIVEN = problem("""(declare-fun d (Int) Int)(declare-const p0 Int)
(assert (forall ((x Int)) (=> (> (d x) p0) (> (d (+ x 1)) (* 2 (+ x p0))))))
(assert (= (d 0) (+ p0 1)))
(assert (< (+ p0 1) (d p0)))""")


def drawn(name: str, given: Problem = GIVEN, draws: int = 60) -> list[Problem]:
    """Return the different problems that a row makes of one; each is read back from its text."""
    found = {}
    for number in range(draws):
        made = ROWS[name].rewrite(given, Choices(b"", str(number).encode()))
        if made is not None:
            assert ROWS[name].applies(given)
            assert made != given
            assert made.formulas == given.formulas
            found[print_problem(made)] = made
            assert problem(print_problem(made)) == made.in_its_form
    return list(found.values())


@pytest.mark.parametrize(
    ("name", "kinds"),
    [("levels", {"push", "again", "aside"}), ("checks", {"twice", "between"}), ("assumptions", {"assume"})],
)
def test_the_last_check_is_about_the_problem(name: str, kinds: set[str]) -> None:
    made = drawn(name)
    assert {each.form.checks.kind for each in made} == kinds
    assert len(made) > 2
    for each in made:
        assert checks(print_problem(each))[-1].formulas == GIVEN.formulas
    assert not drawn(name, problem("(declare-const x Int)"))


def test_the_logic_is_another_one_that_contains_the_problem() -> None:
    made = drawn("logic", draws=200)
    logics = {each.form.logic for each in made}
    assert {"ALL", "UFLIA", "UFDTLIRA", "AUFNIRA"} <= logics
    assert not {None, "LIA", "QF_UFLIA", "UFLRA"} & logics  # the text sets none
    assert None in {each.form.logic for each in drawn("logic", made[0])}


def test_switches_of_smtlib_are_set_and_left_out() -> None:
    once = drawn("options")
    assert {each.form.options for each in once} == {
        (("produce-proofs", "true"),),
        (("produce-unsat-assumptions", "true"),),
        (("produce-unsat-cores", "true"),),
    }
    assert {len(each.form.options) for each in drawn("options", once[0])} == {0, 2}


def test_a_row_for_levels_takes_the_place_of_those_of_a_text() -> None:
    text = "(declare-const p Bool)(push 1)(assert (not p))(check-sat)(pop 1)(assert p)(assert true)(check-sat)"
    made = drawn("checks", problem(text))
    assert {each.form.checks.kind for each in made} == {"twice", "between"}
    assert not any("(not p)" in print_problem(each) for each in made)


def test_groups_of_assertions_are_not_restated() -> None:
    grouped = Interpolation.of(problem("(declare-const p Bool)(assert p)(assert (! (not p) :named n))"), (0, 1))
    for name in ("levels", "checks", "assumptions"):
        assert not ROWS[name].applies(grouped)
        assert ROWS[name].rewrite(grouped, Choices(b"")) is None


def test_a_term_becomes_a_call_of_a_defined_function() -> None:
    texts = [print_problem(made) for made in drawn("define")]
    assert len(texts) > 10
    assert all(text.count("(define-fun d!1 (") == 1 and text.count("d!1") > 1 for text in texts)
    assert any("(define-fun d!1 ((p0!1 Int)) Int (+ p0!1 1))" in text for text in texts)
    assert any(text.count("(d!1 p0)") == 2 for text in texts)  # both sums


def test_definitions_use_each_other_and_are_expanded() -> None:
    (*_, once) = drawn("define")
    twice = [made for made in drawn("define", once) if len(made.in_its_form.form.definitions) == 2]
    assert twice
    assert {len(made.form.definitions) for made in drawn("expand", twice[0])} == {1}
    assert drawn("expand", once) == [GIVEN]
    assert not drawn("expand")


LISTS = """(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))(declare-const l L)
(assert (= (ite ((_ is cons) l) (head (tail l)) 3) 2))"""


def test_case_distinctions_are_written_as_match_and_back() -> None:
    given = problem(LISTS)
    (matched,) = drawn("match", given)
    assert "(= (match l ( ((cons head! tail!) (head tail!)) (nil 3))) 2)" in print_problem(matched)
    assert not ROWS["match"].applies(matched)
    (back,) = drawn("testers", matched)
    assert back == given
    assert not drawn("testers", given)


SHARED = """(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))(declare-const l L)(declare-const n Int)
(assert (exists ((m Int)) (and (> (+ m n) 3) (< (+ m n) (* 2 (- n 1))) (= n (- n 1)))))
(assert (= (ite ((_ is nil) l) (- n 1) (head l)) (- n 1)))"""


def test_terms_with_several_places_get_names_and_lose_them() -> None:
    given = problem(SHARED)
    (named,) = drawn("let", given)
    text = print_problem(named)
    assert text.count("(let (") == 2
    assert "(exists ((m Int))\n    (let ((a!1 (+ m n)) (a!2 (- n 1))) (and" in text
    assert drawn("let", named) == [given]
    assert not ROWS["let"].applies(problem("(declare-const n Int)(assert (= n (+ n 1)))(assert (= n (+ n 1)))"))
    assert "let" not in print_for(named, "smtlib")


def test_a_match_is_printed_without_let() -> None:
    (named,) = drawn("let", problem(SHARED))
    (both,) = drawn("match", named)
    text = print_problem(both)
    assert (text.count("(let ("), text.count("(match ")) == (1, 1)


def test_a_term_becomes_a_case_distinction_that_is_a_match() -> None:
    given = problem(LISTS)
    texts = set()
    for number in range(60):
        made = ROWS["distinguish"].rewrite(given, Choices(b"", str(number).encode()))
        assert made is not None
        assert problem(print_problem(made)) == made.in_its_form
        texts.add(print_problem(made).partition("(assert ")[2].partition(")\n(check-sat)")[0])
    assert "(= (match l ( (nil (match l ( ((cons head! tail!) (head tail!)) (nil 3))))" in "".join(texts)
    assert all("(match " in text for text in texts)


def test_other_readers_get_testers() -> None:
    (matched,) = drawn("match", problem(LISTS))
    for reader in ("smtlib", "princess", "bitwuzla"):
        assert "(match " not in print_for(matched, reader)
        assert "chcfuzz-cases" not in print_for(matched, reader)
    assert "(match " in print_for(matched, "cvc5")
