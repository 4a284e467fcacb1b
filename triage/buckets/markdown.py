"""Markdown of reports: names from a system and messages of a solver are neither markup nor terminal commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chcfuzz.grammar.printable import printable

_BACKQUOTES, _TAG, _LINK = re.compile("`+"), re.compile(r"<(?=[A-Za-z/!?])"), re.compile(r"\]\(")
_MAX_LISTED = 10


class CodeLine(str):
    """A line of a code block, which Markdown does not interpret."""

    __slots__ = ()


def rendered(lines: Sequence[str]) -> str:
    """Return lines as one text, in which all but code lines are escaped."""
    return "\n".join(printable(line) if isinstance(line, CodeLine) else _inline(line) for line in lines)


def _inline(line: str) -> str:
    """Return a line in which names from a system are neither HTML nor links, and do not begin a line."""
    return _LINK.sub(r"]\\(", _TAG.sub(r"\\<", printable(line)))


def block(language: str, text: str) -> Iterator[str]:
    """Yield a code block, whose fence is longer than any run of backquotes inside."""
    fence = "`" * max(3, 1 + max(map(len, _BACKQUOTES.findall(text)), default=0))
    lines = (f"{fence}{language}", *text.rstrip("\n").split("\n"), fence)
    yield from map(CodeLine, lines)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a table, unless it does not have rows."""
    if rows:
        yield from (f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


def listed(names: Sequence[str]) -> str:
    """Return names as code, separated by commas; the first ones of many."""
    shown = ", ".join(f"`{name}`" for name in names[:_MAX_LISTED])
    return shown + (f" and {len(names) - _MAX_LISTED} more" if len(names) > _MAX_LISTED else "")


def sentence(text: str) -> str:
    """Return a text that begins with a capital letter and ends with one full stop."""
    return f"{text[:1].upper()}{text[1:]}".rstrip(".") + "."
