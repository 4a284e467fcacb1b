"""Errors that a user can cause. Every other exception is a bug of chcfuzz."""

from __future__ import annotations

import enum

from chcfuzz.grammar.printable import printable


class Refusal(enum.Enum):
    """Reason for which a text is refused, whatever the message is; the values are in signatures of findings."""

    CHARACTER = "unexpected character"
    UNEXPECTED = "unexpected here"
    END = "the text ends inside a bracket"
    UNKNOWN = "unknown"  # a name without a meaning
    ILL_SORTED = "ill-sorted"  # an operator or function on terms of other sorts
    OTHER = "refused"


class ChcfuzzError(Exception):
    """Bad input from outside. `str()` is one line: the offending value, and what to do about it."""


class SortError(ChcfuzzError):
    """An ill-sorted term, such as `(+ true 1)`."""

    refusal = Refusal.OTHER


class OperandError(SortError):
    """An operator or a function on terms of sorts that it does not take."""

    refusal = Refusal.ILL_SORTED


class LimitError(SortError):
    """A term or a sort that SMT-LIB allows, but that exceeds a limit of chcfuzz: too wide, too long or too large."""


class DepthError(LimitError):
    """A term whose quantifiers would be nested too deep."""


class GrammarError(ChcfuzzError):
    """A text that is not a problem in the supported language.

    `line` and `column` count from 1 and point at `text`, the offending piece (at most 60 characters). `refusal` is the
    reason in `what` as a value.
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
        self.refusal = Refusal.OTHER

    def of(self, name: str) -> GrammarError:
        """Return the same error for the same text under another name."""
        return GrammarError(name, self.line, self.column, self.what, self.text).because(self.refusal)

    def because(self, refusal: Refusal) -> GrammarError:
        """Set the reason as a value, and return the error."""
        self.refusal = refusal
        return self
