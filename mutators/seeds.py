"""Seed texts: each is parsed once and kept, for as long as it is used."""

from __future__ import annotations

import functools
import importlib.util
from collections import OrderedDict
from pathlib import Path

from chcfuzz.domains.protocol import Roots
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.reading.sexpr import tokens
from chcfuzz.mutators.roots import active

_MOST_CHARACTERS = 1 << 26  # of all texts that are kept
_FEWEST = 1 << 13  # characters that each text counts as at least: a problem takes more memory than its text


def own_seeds() -> Path:
    """Return the folder of the project's seeds, in a clone or as installed."""
    found = importlib.util.find_spec("chcfuzz.corpus")
    assert found is not None
    assert found.submodule_search_locations is not None
    return Path(next(iter(found.submodule_search_locations)))


class _Texts:
    """The problems that texts of a domain state, or the errors that refuse them, bounded by the length of the texts."""

    def __init__(self, roots: Roots) -> None:
        self._roots = roots
        self._known: OrderedDict[str, BaseProblem | GrammarError] = OrderedDict()
        self._size = 0

    def read(self, text: str) -> BaseProblem | GrammarError:
        """Return the problem that a text states, or the error that refuses it."""
        found = self._known.get(text)
        if found is not None:
            self._known.move_to_end(text)
            return found
        try:
            found = self._roots.parse(text, "seed")
        except GrammarError as error:
            found = error
        self._keep(text, found)
        return found

    def printed(self, problem: BaseProblem, text: str) -> str:
        """Return the canonical text of the problem that a text states.

        If both have the same tokens, the canonical text is not parsed again. Otherwise they may differ: a definition
        that is expanded in `(minus 5)` leaves `(- 5)`, which is read as a numeral.
        """
        found = self._roots.print(problem)
        if found not in self._known and tokens(found) == tokens(text):
            self._keep(found, problem)
        return found

    def _keep(self, text: str, found: BaseProblem | GrammarError) -> None:
        self._known[text] = found
        self._size += max(len(text), _FEWEST)
        while self._size > _MOST_CHARACTERS and len(self._known) > 1:
            gone, _ = self._known.popitem(last=False)
            self._size -= max(len(gone), _FEWEST)

    @functools.cached_property
    def built_in(self) -> frozenset[str]:
        """The built-in seeds, as they are written and as they are printed."""
        return frozenset((*self._roots.built_in, *map(canonical_seed, self._roots.built_in)))


@functools.cache
def _texts(roots: Roots) -> _Texts:
    return _Texts(roots)


def canonical_seed(text: str) -> str:
    """Return the canonical text of the problem that a text states; a text that states none is returned as it is."""
    problem = read_seed(text)
    return text if problem is None else _texts(active()).printed(problem, text)


def is_built_in(text: str) -> bool:
    """Return whether a text is a built-in seed, as it is written or as it is printed."""
    return text in _texts(active()).built_in


def read_seed(text: str, roots: Roots | None = None) -> BaseProblem | None:
    """Return the problem that a text states, as these roots read it; None if it states none."""
    found = _texts(roots or active()).read(text)
    return None if isinstance(found, GrammarError) else found


def refusal(text: str, name: str) -> GrammarError | None:
    """Return the error that refuses the text of this name; None if it states a problem."""
    found = _texts(active()).read(text)
    return found.of(name) if isinstance(found, GrammarError) else None


def theories_of_seed(text: str) -> tuple[str, ...]:
    """Return the theories of the problem that a text states, sorted; empty if it states none."""
    problem = read_seed(text)
    return () if problem is None else tuple(sorted(problem.theories))
