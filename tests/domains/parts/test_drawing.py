"""Drawn questions are ones that their part takes."""

import pytest
from chcfuzz.domains.parts.drawing import drawn_question_problem
from chcfuzz.domains.parts.question import PartProblem, PartQuestion, fitted
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading import parse


@pytest.mark.parametrize("part", ["optimum", "pareto"])
@pytest.mark.parametrize("theory", ["arrays", "data", "vectors", "reals"])
def test_objectives_are_numbers_or_bit_vectors(part: str, theory: str) -> None:
    drawn = [drawn_question_problem(Choices(b"", b"%d" % number), part, theory) for number in range(20)]
    asked = [each for each in drawn if each.question.part == part]
    assert asked
    assert {str(each.result) for problem in asked for each in problem.eliminated} <= {"Int", "Real", "(_ BitVec 4)"}


def test_a_question_loses_objectives_that_do_not_fit() -> None:
    problem: Problem = parse.problem(
        "(declare-const i Int)(declare-const a (Array Int Int))(assert (= (select a i) i))(check-sat)", "file"
    )
    for part, kept in (("optimum", ("i",)), ("eliminate", ("i", "a"))):
        question = fitted(PartQuestion(part, ("i", "a", "gone")), problem)
        assert question.subjects == kept
        assert PartProblem.of(problem, question).is_askable
