"""Features of an interpolating solver's answer: its status, the class of its refusal, the form of its interpolants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chcfuzz.grammar.theory import operator_names
from chcfuzz.solvers.command_trace import error_class
from chcfuzz.solvers.model_text import symbols_of
from chcfuzz.solvers.outcome import Status

_MOST_SCANNED = 100_000  # characters of a formula
_WORDS = frozenset((*operator_names(is_smt=False), "forall", "exists", "let", "as", "true", "false"))


def features_of(status: Status, reason: str, interpolants: Sequence[str]) -> Iterator[str]:
    """Yield the features of an outcome; sizes, depths and numbers of symbols count by powers of two."""
    yield f"status {status.value}"
    if reason:
        yield f"reason {error_class(reason)}"
    for text in interpolants:
        yield from _of_formula(text)
    if len(interpolants) > 1:
        yield f"different {len(set(interpolants)).bit_length()} of {len(interpolants).bit_length()}"


def _of_formula(text: str) -> Iterator[str]:
    text = text[:_MOST_SCANNED]
    symbols = symbols_of(text)
    names = {symbol for symbol in symbols if symbol not in _WORDS and not symbol[0].isdecimal() and symbol[0] != "#"}
    used = sorted(set(symbols) & _WORDS)
    yield f"size {len(symbols).bit_length()}"
    yield f"depth {_depth(text).bit_length()}"
    yield f"names {len(names).bit_length()}"
    yield from (f"operator {word}" for word in used)
    if len(symbols) < len(used) + 3:
        yield f"form {' '.join(used)} of {len(symbols)}"


def _depth(text: str) -> int:
    depth = most = 0
    for character in text:
        if character == "(":
            depth += 1
            most = max(most, depth)
        elif character == ")":
            depth -= 1
    return most
