"""Refusals of theories that are not supported, by the theory's name instead of the first word of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from chcfuzz.grammar.errors import GrammarError, Refusal

_UNKNOWN = (Refusal.UNKNOWN, Refusal.UNEXPECTED, Refusal.ILL_SORTED, Refusal.CHARACTER)
# Words of the theories, as SMT-LIB, Z3, cvc5 and Bitwuzla spell them.
_THEORIES = (
    ("complements of sets and universes", re.compile(r"set\.(complement|universe)\b")),
    ("bags, relations and tables", re.compile(r"(\(_ )?(bag\b|(rel|table)\.)|Bag\b|Relation\b|Table\b")),
    ("finite fields", re.compile(r"(\(_ )?(ff\.|FiniteField)|#f[0-9]+m")),
    ("operators on the bits of integers", re.compile(r"p?iand\b")),
    ("tuples", re.compile(r"(\(_ )?tuple\b|Tuple\b|UnitTuple\b|Nullable\b|nullable\.")),
    ("separation logic", re.compile(r"sep(\.|\b)|pto\b|wand\b")),
    ("transcendental functions", re.compile(r"(real\.)?(pi|sin|cos|tan|exp|sqrt|a?(sin|cos|tan)h?)\b")),
    ("higher-order functions", re.compile(r"->|@$|_ map")),
)

# Theories with more operators in some solver.
_OPERATORS_OF = (
    ("strings", re.compile(r"(\(_ )?(str|re)\.")),
    ("sequences", re.compile(r"(\(_ )?seq\.")),
    ("sets", re.compile(r"(\(_ )?set\.")),
)


@contextmanager
def in_plain_words() -> Iterator[None]:
    """Raise the `GrammarError` of a block with the name of the theory that the refused text belongs to."""
    try:
        yield
    except GrammarError as error:
        what = _refused(error)
        if what is None:
            raise
        raise GrammarError(error.name, error.line, error.column, what, error.text) from None


def _refused(error: GrammarError) -> str | None:
    if error.refusal not in _UNKNOWN:
        return None
    theory = next((theory for theory, words in _THEORIES if words.match(error.text)), None)
    if theory is not None:
        return f"{theory} are not supported" if theory.endswith("s") else f"{theory} is not supported"
    known = next((theory for theory, words in _OPERATORS_OF if words.match(error.text)), None)
    return f"this operator of {known} is not supported" if known and error.refusal is Refusal.UNKNOWN else None
