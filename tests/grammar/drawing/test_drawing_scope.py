"""Scopes hold the formulas around a place."""

from chcfuzz.grammar.drawing.drawing_scope import DrawingScope
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.terms import Value


def test_only_formulas_nearby_lend_their_terms() -> None:
    many = [Value(number, INT) for number in range(20)]
    assert DrawingScope.of(many, 10, ()).formulas == tuple(many[7:14])
    assert DrawingScope.of(many, 20, ()).formulas == tuple(many[17:])
