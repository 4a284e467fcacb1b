"""Text to nested lists of tokens: the tokens of `smtlib.lark`, found by one regular expression.

A token knows its number in the text. Its line and column are computed when an error needs them.
"""

from __future__ import annotations

import re
from typing import Any

from lark import Token

Parts = list[Any]  # tokens, and lists of such parts

PART = r"[A-Za-z0-9~!@$%^&*_+=<>.?/-]"
_PIECES = re.compile(
    r"[ \t\r\n\f]*("
    r"[()]"
    rf"|(?:[A-Za-z~!@$%^&*_+=<>.?/]|-(?![0-9])){PART}*"
    rf"|-?[0-9]+(?:\.[0-9]*)?(?!{PART})"
    r"|\|[^|\\]*\|"
    rf"|:{PART}+"
    r'|"(?:[^"]|"")*"'
    r"|#x[0-9A-Fa-f]+|#b[01]+"
    r"|;[^\n]*"
    r"|)"  # where no token begins, the piece is empty
)
_END = "\n)"  # ends a comment, and closes a bracket that no text opens
_EXIT = ["exit"]  # the text behind this command is not read
_MOST_TYPES = 1 << 14
_FIRST = {"|": "QUOTED", '"': "STRING", ":": "KEYWORD", ";": "COMMENT"}


class UnusualTextError(Exception):
    """A text that is not a script, or that only lark's parser reads."""


class LazyToken(Token):
    """A token that computes its place in the text on demand."""

    __slots__ = ("number", "text")
    number: int
    text: str
    __hash__ = str.__hash__
    __eq__ = str.__eq__  # lark's compares types, too, and is slow

    @property
    def start_pos(self) -> int:  # type: ignore[override]
        """The position in the text."""
        pieces = _PIECES.finditer(self.text)
        for _ in range(self.number):
            next(pieces)
        return next(pieces).start(1)

    @property
    def line(self) -> int:  # type: ignore[override]
        """The line in the text, from 1."""
        return self.text.count("\n", 0, self.start_pos) + 1

    @property
    def column(self) -> int:  # type: ignore[override]
        """The column in the line, from 1."""
        found = self.start_pos
        return found - self.text.rfind("\n", 0, found)

    def update(self, type: str | None = None, value: str | None = None) -> LazyToken:
        """Return a token of another type or text at the same place."""
        return token(str(self) if value is None else value, type or self.type, self.number, self.text)


def token(word: str, kind: str, number: int, text: str) -> LazyToken:
    """Return the token of this number in a text."""
    made = str.__new__(LazyToken, word)
    made.type, made.number, made.text = kind, number, text
    return made


class _Types(dict[str, str]):
    """Types of tokens by their text."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_TYPES:
            self.clear()
        found = self[word] = _type_of(word)
        return found


def _type_of(word: str) -> str:
    first = word[0]
    if first == "#":
        return "HEXADECIMAL" if word[1] == "x" else "BINARY"
    if first.isdigit() or (first == "-" and word[1:2].isdigit()):
        return "DECIMAL" if "." in word else "NUMERAL"
    return _FIRST.get(first, "SYMBOL")


_TYPES = _Types()


def pieces(text: str) -> list[str]:
    """Return the tokens of a text without comments; where no token begins, there is an empty piece, as at the end."""
    return [piece for piece in _PIECES.findall(text.strip()) if not piece.startswith(";")]


def brackets(text: str) -> Parts:
    """Return the tokens of a text without comments, as nested lists; raises `UnusualTextError`."""
    types, new = _TYPES, str.__new__
    pieces = _PIECES.findall(text + _END)
    here: Parts = []
    around: list[Parts] = []
    for number, word in enumerate(pieces):
        if word == "(":
            around.append(here)
            here = []
            around[-1].append(here)
        elif word == ")":
            if not around:
                break
            inner, here = here, around.pop()
            if inner == _EXIT and not around:
                return here
        elif not word:
            break
        elif (kind := types[word]) != "COMMENT":
            made = new(LazyToken, word)
            made.type = kind
            made.number = number
            made.text = text
            here.append(made)
    if around or number != len(pieces) - 2:  # the last piece is empty
        raise UnusualTextError
    return here
