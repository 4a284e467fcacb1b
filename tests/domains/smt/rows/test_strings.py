"""Identities of strings, sequences and regular expressions: equal for all small values, by the evaluator."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from chcfuzz.domains.smt.rows import strings as smt_strings
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation import languages
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.languages import Language
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.reading.parse import parse_term, problem
from chcfuzz.grammar.sorts import INT, Sort
from chcfuzz.grammar.terms import Term, Variable, free_variables
from chcfuzz.grammar.theories.sequences import sequence
from chcfuzz.grammar.theories.strings import STRING

from tests.domains.smt.rows.cases import results

X, Y, N = Variable("x", STRING), Variable("y", STRING), Variable("n", INT)
S = Variable("s", sequence(INT))
VALUES: dict[Sort, tuple[Any, ...]] = {
    STRING: ("", "a", "ab", "ba", "aab", "0", "-1", "07", "\U0002ffff", "x"),
    INT: (-1, 0, 1, 2, 7, 196607, 196608),
    sequence(INT): ((), (1,), (1, 2), (2, 1, 1)),
}
DRAWS = 40


def check(term: Term, other: Term) -> None:
    """Compare two terms for all small values of their variables; two languages by their words."""
    used = free_variables(term)
    assert set(free_variables(other)) <= set(used)
    for values in product(*(VALUES[each.sort] for each in used)):
        assignment = dict(zip(used, values, strict=True))
        before, after = (evaluate(each, assignment) for each in (term, other))
        same = languages.are_equal(before, after) if isinstance(before, Language) else before == after  # type: ignore[arg-type]
        assert same is True, (print_term(term), print_term(other), assignment)


def draws(rewrite: Callable[[Term, Choices], Term], text: str) -> list[Term]:
    """Return the different terms that a rewrite draws, each checked."""
    term = parse_term(text, [X, Y, N, S])
    found = list(dict.fromkeys(rewrite(term, Choices(b"", str(number).encode())) for number in range(DRAWS)))
    for other in found:
        check(term, other)
    return found


@pytest.mark.parametrize("text", ["x", "s", "(str.++ x y)", "(seq.extract s 1 n)", '(str.replace x "a" y)', '"ab"'])
def test_a_split_string_is_the_same(text: str) -> None:
    assert len(draws(smt_strings.same, text)) > 8


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("(= x y)", 6),
        ('(= x "ab")', 7),
        ("(str.contains x y)", 3),
        ("(str.prefixof x y)", 2),
        ("(str.suffixof x y)", 1),
        ("(str.< x y)", 2),
        ("(str.<= x y)", 2),
        ('(str.in_re x (re.* (re.union (str.to_re "a") (str.to_re "ab"))))', 3),
        ("(str.in_re x (re.++ re.allchar (str.to_re y)))", 3),
    ],
)
def test_a_comparison_is_its_definition(text: str, forms: int) -> None:
    assert len(draws(smt_strings.defined, text)) == forms


@pytest.mark.parametrize("text", ["(str.len x)", "(str.len (str.++ x y))", "(str.indexof x y 1)", "(str.to_int x)",
                                  "(seq.len (seq.++ s s))", "(str.to_code x)"])  # fmt: skip
def test_a_number_that_goes_through_a_string_is_the_same(text: str) -> None:
    assert len(draws(smt_strings.through_text, text)) >= 2


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("(str.substr x n 2)", 3),
        ("(str.substr x (- n 1) n)", 3),
        ("(seq.extract s n n)", 3),
        ("(str.at x n)", 2),
        ("(seq.at s n)", 2),
        ("(str.indexof x y n)", 2),
        ('(str.indexof x "" n)', 2),
        ("(seq.indexof s (seq.extract s 1 1) n)", 2),
    ],
)
def test_a_part_of_a_text_with_its_cases_by_position_is_the_same(text: str, forms: int) -> None:
    assert len(draws(smt_strings.by_position, text)) == forms


@pytest.mark.parametrize(
    "text",
    [
        '(re.union (str.to_re "a") re.allchar)',
        '(re.inter (re.* (str.to_re "ab")) (re.range "a" "b") re.all)',
        '(re.diff re.all (str.to_re "a") (str.to_re x))',
        "(re.comp (str.to_re x))",
        '(re.* (re.range "a" "b"))',
        "(re.+ (str.to_re x))",
        "(re.opt re.allchar)",
        "((_ re.loop 1 3) (str.to_re x))",
        '((_ re.loop 3 1) (str.to_re "a"))',
        '(str.to_re "abc")',
        "(str.to_re (str.++ x y))",
        "re.none",
    ],
)
def test_a_regular_expression_in_another_form_has_the_same_words(text: str) -> None:
    assert len(draws(smt_strings.same_language, text)) > 5


def test_rows_rewrite_problems_as_text() -> None:
    found = results(smt_strings.MUTATIONS, "smt_strings.same", '(declare-const w String)(assert (= w "a"))')
    assert any("str.substr" in text for text in found)
    found = results(
        smt_strings.MUTATIONS, "smt_strings.through-text", "(declare-const w String)(assert (< (str.len w) 9))"
    )
    assert any("str.from_int" in text for text in found)


def test_numbers_without_strings_are_left_alone() -> None:
    assert not any(row.applies(problem("(declare-const n Int)(assert (< n 3))")) for row in smt_strings.MUTATIONS)
