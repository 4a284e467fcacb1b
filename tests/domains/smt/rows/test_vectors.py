"""Identities of bit-vectors: equal for all values of all small widths, by the evaluator."""

import pytest
from chcfuzz.domains.smt.rows import vectors as smt_vectors
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.sorts import bitvec
from chcfuzz.grammar.terms import Variable

from tests.mutators.rewriting.test_vector_definitions import check

WIDTHS = (1, 2, 3)
DRAWS = 60


@pytest.mark.parametrize("width", WIDTHS)
def test_a_neutral_element_changes_no_value(width: int) -> None:
    x = Variable("x", bitvec(width))
    drawn = {smt_vectors.same(x, Choices(b"", str(number).encode())) for number in range(DRAWS)}
    assert len(drawn) > DRAWS / 3
    for other in drawn:
        check(x, other)
