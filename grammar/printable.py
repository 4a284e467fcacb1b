"""Text fit for a terminal, a log and a table: nothing in it can move a cursor or begin a line."""

from __future__ import annotations


def printable(text: str) -> str:
    """Return the text on one line, each character that is not printable written as its escape sequence."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def printable_lines(text: str) -> str:
    """Return a message of one or several lines, each as `printable` has it; tabs stay."""
    return "\n".join("\t".join(map(printable, line.split("\t"))) for line in text.split("\n"))


def counted(number: int, what: str) -> str:
    """Return a number and its noun, in the plural unless the number is 1."""
    return f"{number} {what}{'' if number == 1 else 's'}"
