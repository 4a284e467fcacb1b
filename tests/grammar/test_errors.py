"""Every error that this room raises, as its user sees it."""

import pytest
from chcfuzz.grammar.errors import ChcfuzzError, GrammarError, SortError
from chcfuzz.grammar.horn import NotHornError, read
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.terms import TRUE, Atom, Predicate, apply, implication, integer, negation


def test_a_grammar_error_names_file_line_column_and_the_offending_text() -> None:
    with pytest.raises(GrammarError) as caught:
        parse("(set-logic HORN)\n(assert (=> true q))", "some.smt2")
    assert str(caught.value) == "some.smt2:2:18: unknown symbol, at `q`"
    assert (caught.value.line, caught.value.column, caught.value.text) == (2, 18, "q")


def test_a_grammar_error_shows_long_and_unprintable_text_on_one_short_line() -> None:
    error = GrammarError("f", 1, 2, "unexpected here", "a\n\tb\x00\ud800" + "c" * 1000)
    assert str(error) == "f:1:2: unexpected here, at `a b\\x00\\ud800" + "c" * 44 + "...`"
    assert str(GrammarError("f", 1, 2, "empty", "")) == "f:1:2: empty"


def test_a_sort_error_names_the_operator_and_the_sorts() -> None:
    with pytest.raises(SortError) as caught:
        apply("+", integer(1), TRUE)
    assert str(caught.value) == "+ is not defined on (Int Bool)"


def test_an_error_about_horn_shape_names_the_term() -> None:
    p = Atom(Predicate("p"))
    with pytest.raises(NotHornError) as caught:
        read(implication(apply("or", TRUE, negation(p)), p))
    assert str(caught.value) == "a predicate in a body must not be negated"
    assert caught.value.term is p


def test_all_errors_from_outside_are_one_family() -> None:
    assert issubclass(GrammarError, ChcfuzzError)
    assert issubclass(SortError, ChcfuzzError)
