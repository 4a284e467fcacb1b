"""Text from outside, made fit for a terminal, a log and a table: nothing in it can move a cursor or begin a line."""

from __future__ import annotations


def printable(text: str) -> str:
    """Return the text on one line, each character that is not printable written as its escape sequence."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
