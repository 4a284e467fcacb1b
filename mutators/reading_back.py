"""The guard of printed mutants: the grammar must read each text that chcfuzz writes for a solver."""

from __future__ import annotations

from difflib import unified_diff

from chcfuzz.domains.protocol import Roots
from chcfuzz.grammar.errors import GrammarError

_STATES = ("(assert", "(declare-", "(define-")  # a text without any of these states an empty problem


class ReadBackError(Exception):
    """A printed mutant that the grammar refuses, or reads as another problem: a bug of a row or of the printer."""


def read_back(text: str, roots: Roots) -> None:
    """Raise `ReadBackError` unless the grammar reads a printed mutant, and prints the result as the same text.

    The texts are compared and not the problems, because a problem may have a term that no text states: the negation of
    the numeral 5 is printed as `(- 5)`, which states the numeral -5. A mutant may have lost all clauses and
    predicates; its text is not read, because a file that states nothing is refused.
    """
    if not any(word in text for word in _STATES):
        return
    try:
        again = roots.print(roots.parse(text, "mutant").with_header((), ()))
    except GrammarError as error:
        raise ReadBackError(f"the grammar does not read the text of the mutant: {error}") from error
    if again != text:
        changes = list(unified_diff(text.splitlines(), again.splitlines(), n=0, lineterm=""))[3:]
        raise ReadBackError(f"the text of the mutant is read as another problem: {' '.join(changes[:2])[:1000]}")
