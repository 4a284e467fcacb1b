"""Literals have values, and the smallest one of a data type needs none of its own."""

from chcfuzz.grammar.drawing.literals import literal
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import has_sort
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.theories.datatypes import shortest

from tests.grammar.drawing.test_draw import FOREST, PAIR, SORTS, TREE, stream


def test_the_shortest_constructor_needs_no_value_of_its_own_data_type() -> None:
    assert shortest(TREE).name == "leaf"
    assert shortest(FOREST).name == "none"
    assert shortest(PAIR).name == "pair"
    inside = parse(
        "(set-logic HORN)(declare-datatypes ((A 0) (B 0)) (((a (b (Array Int B)))) ((c (d A)) (e))))(assert true)"
    )
    assert [shortest(datatype.sort).name for datatype in inside.datatypes[0]] == ["a", "e"]


def test_a_literal_has_a_value() -> None:
    for sort in SORTS:
        for number in range(20):
            value = evaluate(literal(sort, stream(number)), {})
            assert has_sort(value, sort)
