"""Questions as the child process gets them."""

import pytest
from chcfuzz.domains.parts.part_solver import query_of
from chcfuzz.domains.parts.question import PartProblem
from chcfuzz.domains.parts.question_text import read

FORMULA = "(declare-const x Int)(declare-const y Int)(assert (< 0 x))(assert (< x y))"


@pytest.mark.parametrize(
    ("question", "model"),
    [
        ("(project (x) ((x 1) (y 2)))", (("x", "1"), ("y", "2"))),
        ("(simplify () ((x 1) (y 2)))", ()),
        ("(tactic (simplify) ((x 1) (y 2)))", ()),
    ],
)
def test_only_a_part_that_needs_a_model_gets_it(question: str, model: tuple[tuple[str, str], ...]) -> None:
    problem = read(f'(set-info :chcfuzz-part "{question}")\n{FORMULA}')
    assert isinstance(problem, PartProblem)
    assert problem.question.model
    assert query_of(problem).model == model
