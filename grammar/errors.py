"""Errors that a user can cause. Every other exception is a bug of chcfuzz."""

from __future__ import annotations

from chcfuzz.grammar.printable import printable


class ChcfuzzError(Exception):
    """Bad input from outside. `str()` is one line: the offending value, and what to do about it."""


class SortError(ChcfuzzError):
    """An ill-sorted term, such as `(+ true 1)`."""


class LimitError(SortError):
    """A term or a sort that SMT-LIB allows, but that exceeds a limit of chcfuzz: too wide, too long or too large."""


class DepthError(LimitError):
    """A term whose quantifiers would be nested too deep."""


class GrammarError(ChcfuzzError):
    """A text that is not a problem in the supported language.

    `line` and `column` count from 1 and point at `text`, the offending piece (at most 60 characters).
    """

    def __init__(self, name: str, line: int, column: int, what: str, text: str) -> None:
        shown = printable(" ".join(text[:200].split()))
        shown = shown if len(shown) <= 60 else shown[:57] + "..."
        super().__init__(f"{printable(name)}:{line}:{column}: {what}" + (f", at `{shown}`" if shown else ""))
        self.name = name
        self.line = line
        self.column = column
        self.what = what
        self.text = shown

    def of(self, name: str) -> GrammarError:
        """Return the same error for the same text under another name."""
        return GrammarError(name, self.line, self.column, self.what, self.text)
