"""Models are changed so that equalities of arrays and data types become true, which they rarely are in drawn models."""

import pytest
from chcfuzz.domains.parts.drawing import drawn_question_problem
from chcfuzz.domains.parts.oracles.violating_values import neighbours
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation.values import UNDETERMINED
from chcfuzz.grammar.models.structures import Evaluation
from chcfuzz.grammar.reading.parse import parse_term, problem
from chcfuzz.grammar.small_formulas.assignments import ModelJudgement, is_model, structure_of, turned_to_equalities
from chcfuzz.grammar.small_formulas.templates import THEORIES
from chcfuzz.grammar.terms import subterms

ARRAYS = "(declare-const a (Array Int Int))(declare-const b (Array Int Int))(declare-const i Int)"
VALUES = {"a": "((as const (Array Int Int)) 0)", "b": "((as const (Array Int Int)) 1)", "i": "2"}


@pytest.mark.parametrize(
    ("formulas", "is_true"),
    [
        ("(assert (= a (store b i 3)))", True),
        ("(assert (= (store b i 3) a))", True),
        ("(assert (or (< i 0) (= a b)))", True),
        ("(assert (= i 2))(assert (= (select a i) i))", False),  # `i` would change, and the first one would be false
    ],
)
def test_a_constant_gets_the_value_of_the_other_side_if_more_formulas_become_true(formulas: str, is_true: bool) -> None:
    found = problem(ARRAYS + formulas)
    model = {name: parse_term(text, (), found) for name, text in VALUES.items()}
    assert not is_model(found, model)
    turned = turned_to_equalities(found, model)
    assert is_model(found, turned) is is_true
    assert (turned != model) is is_true


@pytest.mark.parametrize("theory", THEORIES)
def test_plans_give_drawn_formulas_the_values_that_a_strict_evaluation_gives_them(theory: str) -> None:
    for number in range(6):
        drawn = drawn_question_problem(Choices(b"", b"plan %d" % number), "simplify", theory)
        for values in neighbours(drawn, drawn.functions, 8):
            judgement, strict = ModelJudgement(drawn, values), Evaluation(structure_of(drawn, values))
            for term in subterms(drawn.formula):
                value = strict.value(term)
                assert judgement.value(term) == (None if value is UNDETERMINED else value)
