"""The text of a mutant is read back as the same problem; else it is an internal error, and the solver does not run."""

import pytest
from chcfuzz.domains.chc.roots import ChcRoots
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.terms import Apply, integer
from chcfuzz.mutators.reading_back import ReadBackError, read_back

TEXT = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 3))(assert (=> (p 4) false))"


def printed(text: str) -> str:
    roots = ChcRoots()
    return roots.print(roots.parse(text, "test"))


def test_a_text_that_means_what_it_says_passes() -> None:
    read_back(printed(TEXT), ChcRoots())


def test_a_term_that_no_text_states_passes() -> None:
    stated = parse(TEXT)
    negated = Apply("-", (integer(5),), integer(5).sort)
    clause = stated.clauses[0]
    changed = stated.with_formula(0, clause.formula.rebuild([negated]))
    text = ChcRoots().print(changed)
    assert parse(text) != changed
    read_back(text, ChcRoots())


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("(p 3)", "(p 3", "the grammar does not read the text of the mutant: mutant:"),
        ("(p 3)", "(q 3)", "mutant:3:10: unknown operator, at `q`"),
        ("(p 3)", "(p 03)", r"is read as another problem: -\(assert \(p 03\)\) \+\(assert \(p 3\)\)"),
        ("(declare-fun p", "(declare-fun exp", "unknown"),
    ],
)
def test_another_text_is_an_error_that_shows_the_difference(right: str, wrong: str, message: str) -> None:
    with pytest.raises(ReadBackError, match=message):
        read_back(printed(TEXT).replace(right, wrong), ChcRoots())


def test_a_name_that_the_grammar_changes_is_an_error() -> None:
    with pytest.raises(ReadBackError, match=r"exp"):
        read_back(printed(TEXT).replace("(p ", "(exp ").replace("fun p", "fun exp"), ChcRoots())


def test_an_empty_system_is_a_mutant_but_no_file() -> None:
    empty = "(set-logic HORN)\n(check-sat)\n"
    with pytest.raises(GrammarError):
        parse(empty)
    read_back(empty, ChcRoots())
