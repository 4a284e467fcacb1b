"""Text fit for a terminal, a log and a table: nothing in it can move a cursor or begin a line."""

from __future__ import annotations

MOST_SHOWN = 240  # characters of a verdict's detail, which has a value for each variable of a clause


def printable(text: str) -> str:
    """Return the text on one line, each character that is not printable written as its escape sequence."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def shortened(text: str, most: int = MOST_SHOWN) -> str:
    """Return a text for one line of output: a longer one ends between words, with the number of missing characters."""
    if len(text) <= most:
        return text
    kept = (text[:most].rpartition(" ")[0] or text[:most]).rstrip(",;")
    return f"{kept} ... ({len(text) - len(kept):,} more characters)"


def printable_lines(text: str) -> str:
    """Return a message of one or several lines, each as `printable` has it; tabs stay."""
    return "\n".join("\t".join(map(printable, line.split("\t"))) for line in text.split("\n"))


def clock(seconds: float) -> str:
    """Return a duration as text: 42 s, 3:07 min, 5:03 h, 2 d 4 h."""
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02} min"
    if whole < 2 * 86400:
        return f"{whole // 3600}:{whole % 3600 // 60:02} h"
    return f"{whole // 86400} d {whole % 86400 // 3600} h"


def counted(number: int, what: str, one: str = "", more: str = "") -> str:
    """Return a number, its noun in the plural unless the number is 1, and the verb for `one` or `more`, if given."""
    verb = one if number == 1 else more
    return f"{number} {what}{'' if number == 1 else 's'}{verb and f' {verb}'}"
