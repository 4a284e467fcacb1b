"""Theories and operators that a solver does not have, or has under other names, found in the text of a problem.

Z3 reads `(Set Int)` as an array, and cvc5 names the symbols of the script instead of an operator that it does not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from chcfuzz.grammar.printing.dialects import QUOTED, print_for
from chcfuzz.grammar.reading.parse import problem
from chcfuzz.grammar.theory import Theory, derived, theories


def missing(text: str, reader: str) -> str:
    """Return the first theory or operator of a script that a reader of `printing.dialects` lacks; or nothing."""
    pattern, names = _words(reader)
    found = pattern.search(text)
    return names[found[1]] if found else ""


def in_own_words(text: str, reader: str) -> str:
    """Return a script in the reader's words, if `has_other_words`."""
    return print_for(problem(text), reader) if has_other_words(text, reader) else text


def has_other_words(text: str, reader: str) -> bool:
    """Return whether a script has words of a theory whose sorts the reader knows under other names."""
    return _renamed(reader).search(text) is not None


def in_our_words(text: str, reader: str) -> str:
    """Return a model of a reader with our names for the sorts and operators that it knows under others."""
    pattern, names = _names(reader)
    return pattern.sub(lambda found: names.get(found[0], found[0]), text) if pattern.search(text) else text


@derived
def _names(reader: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern of the beginnings of a reader's own sorts and applications, and ours by these."""
    renamed = [theory for theory in theories() if any(reader in kind.names for kind in theory.kinds)]
    rows = [row for theory in renamed for row in (*theory.kinds, *theory.operators) if reader in row.names]
    names = {f"({row.names[reader]} ": f"({row.name} " for row in rows}
    return re.compile("|".join((QUOTED, *map(re.escape, names)))), names


@derived
def _renamed(reader: str) -> re.Pattern[str]:
    """Return the pattern of the words of theories whose sorts have another name in the reader."""
    renamed = (theory for theory in theories() if any(reader in kind.names for kind in theory.kinds))
    return _pattern(word for theory in renamed for word in _words_of(theory))


def _pattern(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"\((?:as )?({'|'.join(map(re.escape, words)) or '(?!)'}) ")


def _words_of(theory: Theory) -> Iterator[str]:
    yield from (kind.name for kind in theory.kinds)
    yield from (*theory.qualified, *(each.name for each in theory.operators))


@derived
def _words(reader: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return the pattern of applications and sorts that a reader lacks, and what is missing, by the word."""
    names = dict(pair for theory in theories() for pair in _of_theory(theory, reader))
    return _pattern(names), names


def _of_theory(theory: Theory, reader: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a theory that a reader lacks, with the name of the theory if it lacks a sort of it."""
    sorts = [kind.name for kind in theory.kinds if kind.readers is not None and reader not in kind.readers]
    if sorts:
        yield from ((name, theory.name) for name in _words_of(theory))
    for each in theory.operators:
        if not sorts and each.readers is not None and reader not in each.readers:
            yield each.name, each.name
