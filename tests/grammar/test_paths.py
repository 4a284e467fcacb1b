"""Paths lead to subterms."""

from chcfuzz.grammar.paths import at, path_of, replace_at
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.terms import TRUE

from tests.grammar.test_terms import Z, term


def test_a_replaced_subterm_leaves_the_rest_shared() -> None:
    before = term("(and (< x y) (< y (+ x 1)))")
    after = replace_at(before, (1, 1, 0), Z)
    assert print_term(after) == "(and (< x y) (< y (+ z 1)))"
    assert after.children[0] is before.children[0]
    assert at(after, (1, 1, 0)) is Z
    assert replace_at(before, (), TRUE) is TRUE


def test_a_link_is_a_path_that_shares_its_beginning() -> None:
    assert path_of(None) == ()
    link = ((None, 1), 4)
    assert [path_of(link), path_of((link, 0)), path_of((link, 2))] == [(1, 4), (1, 4, 0), (1, 4, 2)]
