"""The text of questions: it reads back as itself, and a question that makes no sense is one line."""

import pytest
from chcfuzz.domains.parts.domain import DOMAIN
from chcfuzz.domains.parts.drawing import drawn_question_problem
from chcfuzz.domains.parts.question import PARTS, PartProblem
from chcfuzz.domains.parts.question_text import print_question, printed, read
from chcfuzz.domains.parts.roots import BUILT_IN
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import GrammarError

DECLARED = """(declare-const x Int)
(declare-const y Int)
(declare-const z Real)
(declare-fun f (Int) Int)
(assert (< x y))
"""
MODEL = "((x 1) (y 2) (z 0.5) (f 0))"


def stated(question: str, more: str = "") -> str:
    return f'(set-info :chcfuzz-part "{question}")\n{DECLARED}{more}'


@pytest.mark.parametrize("text", BUILT_IN)
def test_built_in_questions_read_back(text: str) -> None:
    problem = DOMAIN.roots.parse(text, "built-in")
    assert DOMAIN.roots.parse(DOMAIN.roots.print(problem), "again") == problem
    assert problem.is_askable


@pytest.mark.parametrize("part", PARTS)
def test_drawn_questions_to_every_part_read_back(part: str) -> None:
    for number in range(8):
        problem = drawn_question_problem(Choices(b"", b"%d" % number), part)
        assert read(printed(problem)) == problem, printed(problem)


def test_quoted_names_and_negative_numbers_are_kept() -> None:
    question = "(project (|a b|) ((|a b| (- 3)) (y 2)))"
    declared = "(declare-const |a b| Int)(declare-const y Int)(assert (< |a b| y))"
    problem = read(f'(set-info :chcfuzz-part "{question}"){declared}')
    assert isinstance(problem, PartProblem)
    assert print_question(problem.question) == question
    assert read(printed(problem)) == problem


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (f"(project (z) {MODEL})", "not free in the formula, at `z`"),
        (f"(project (w) {MODEL})", "not declared, at `w`"),
        (f"(project (x x) {MODEL})", "named twice, at `x`"),
        (f"(project (f) {MODEL})", "only constants can be eliminated, at `f`"),
        (f"(project () {MODEL})", "needs at least 1 subject"),
        ("(project (x))", "needs a model, as in"),
        ("(project (x) ((x 3) (y 2) (z 0.5) (f 0)))", "assertion 1 is false in the model of the question"),
        ("(project (x) ((x 3)))", "the model lacks a value, at `y`"),
        ("(project (x) ((x 1) (x 2) (y 2) (z 0.5) (f 0)))", "two values for a symbol, at `x`"),
        ("(project (x) ((x 1.5) (y 2) (z 0.5) (f 0)))", "the value of x has sort Real, not Int"),
        ("(project (x) ((x y) (y 2) (z 0.5) (f 0)))", "the value of x is not a value"),
        ("(projects (x))", "no part has this name; there are project, witness,"),
        ("(simplify () () ((nothing true)))", "simplify has no such option, at `nothing`"),
        ("(simplify () () ((som maybe)))", "som is one of true, false, at `maybe`"),
        ("(tactic (nothing))", "tactic has no such name; see docs/parts.md, at `nothing`"),
        ("(implicant (x))", "implicant takes no subjects"),
        ("(simplify", "the question is not read"),
        ("simplify", "a question is (PART"),
    ],
)
def test_a_question_that_makes_no_sense_is_an_error_in_one_line(question: str, message: str) -> None:
    with pytest.raises(GrammarError) as raised:
        read(stated(question))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_projection_of_a_quantified_formula_is_misuse() -> None:
    with pytest.raises(GrammarError, match="project takes no quantifiers"):
        read(stated(f"(project (x) {MODEL})", "(assert (exists ((u Int)) (< u x)))"))


def test_an_smt_problem_without_a_question_becomes_several() -> None:
    found = DOMAIN.roots.parse_all(DECLARED, "plain")
    assert {each.question.part for each in found} >= {"project", "witness", "simplify", "tactic", "eliminate"}
    assert all(each.is_askable for each in found)
