"""Other forms of a problem: the formulas stay, and the text reads back in its form."""

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.interpolation import Interpolation
from chcfuzz.grammar.parse import checks, problem
from chcfuzz.grammar.printer import print_problem
from chcfuzz.grammar.problem import Problem
from chcfuzz.mutators.families.smt_shape import MUTATIONS

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
