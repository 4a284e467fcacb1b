"""Theories and operators that a solver does not have, found in the text of a problem.

Z3 reads `(Set Int)` as an array, and cvc5 names the symbols of the script instead of an operator that it does not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from chcfuzz.grammar.theory import Theory, derived, theories


def missing(text: str, reader: str) -> str:
    """Return the first theory or operator of a script that a reader of `printing.dialects` lacks; or nothing."""
    pattern, names = _words(reader)
    found = pattern.search(text)
    return names[found[1]] if found else ""


@derived
def _words(reader: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return the pattern of applications and sorts that a reader lacks, and what is missing, by the word."""
    names = dict(pair for theory in theories() for pair in _of_theory(theory, reader))
    return re.compile(rf"\((?:as )?({'|'.join(map(re.escape, names))}) "), names


def _of_theory(theory: Theory, reader: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a theory that a reader lacks, with the name of the theory if it lacks a sort of it."""
    sorts = [kind.name for kind in theory.kinds if kind.readers is not None and reader not in kind.readers]
    if sorts:
        for name in (*sorts, *theory.qualified, *(each.name for each in theory.operators)):
            yield name, theory.name
    for each in theory.operators:
        if not sorts and each.readers is not None and reader not in each.readers:
            yield each.name, each.name
