"""Text for a terminal: what may move a cursor, ring a bell or begin a line is written as an escape sequence."""

import pytest
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.printable import counted, printable, printable_lines, shortened


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain: |a b| = 0, é ≤ ∞", "plain: |a b| = 0, é ≤ ∞"),
        ("|n\x1b]0;pwned\x07|", "|n\\x1b]0;pwned\\x07|"),
        ("two\nlines\r", "two\\nlines\\r"),
        ("\x9b2J \u202e \u2028 \udcff", "\\x9b2J \\u202e \\u2028 \\udcff"),
    ],
)
def test_characters_that_are_not_printable_are_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable(text).isprintable()


def test_a_message_of_several_lines_keeps_its_lines_and_tabs() -> None:
    assert printable_lines("a\tb\x1b[2J\n\nc") == "a\tb\\x1b[2J\n\nc"


def test_an_error_about_a_file_escapes_its_name() -> None:
    assert str(GrammarError("a\x1bb.smt2", 1, 2, "unexpected", ")")) == "a\\x1bb.smt2:1:2: unexpected, at `)`"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x = 1, y = 2", "x = 1, y = 2"),
        ("x = 1, y = 2, z = 3", "x = 1, y = ... (9 more characters)"),
        ("x = 1, longer = 2", "x = 1 ... (12 more characters)"),
        ("a" * 1300, "aaaaaaaaaaaa ... (1,288 more characters)"),
    ],
)
def test_a_long_text_ends_between_words(text: str, shown: str) -> None:
    assert shortened(text, 12) == shown


def test_a_noun_is_in_the_plural_unless_there_is_one() -> None:
    assert [counted(number, "formula") for number in (0, 1, 2)] == ["0 formulas", "1 formula", "2 formulas"]
    assert [counted(number, "unit", "is", "are") for number in (0, 1)] == ["0 units are", "1 unit is"]
