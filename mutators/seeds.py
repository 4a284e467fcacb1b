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

_PACKAGED = "packaged:"
_MOST_CHARACTERS = 1 << 26  # of all texts that are kept
_FEWEST = 1 << 13  # characters that each text counts as at least: a problem takes more memory than its text


def own_seeds() -> Path:
    """Return the folder of the project's seeds, in a clone or as installed."""
    found = importlib.util.find_spec("chcfuzz.corpus")
    assert found is not None
    assert found.submodule_search_locations is not None
    return Path(next(iter(found.submodule_search_locations)))


def packaged(name: str) -> Path | None:
    """Return the folder of seeds with this name beside the project's CHC systems, if it is installed."""
    folder = own_seeds().parent / name
    return folder if folder.is_dir() else None


def own_part(path: Path) -> Path | None:
    """Return a path inside the project's seeds from the folder that holds them, such as corpus/lia; None elsewhere."""
    project, inside = own_seeds().resolve().parent, path.resolve()
    if project not in inside.parents:
        return None
    part = inside.relative_to(project)
    return part if part.parts[0].partition("-")[0] == own_seeds().name else None


def portable(path: str) -> str:
    """Return a path inside the project's seeds as `packaged:NAME`, which `located` finds where chcfuzz is then.

    Another path is returned as it is.
    """
    part = own_part(Path(path))
    return path if part is None else f"{_PACKAGED}{part}"


def located(path: str) -> str:
    """Return the path of a name by `portable`."""
    return str(own_seeds().parent / path.removeprefix(_PACKAGED)) if path.startswith(_PACKAGED) else path


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
        built_in = self._roots.built_in
        return frozenset((*built_in, *(canonical_seed(text, self._roots) for text in built_in)))


@functools.cache
def _texts(roots: Roots) -> _Texts:
    return _Texts(roots)


def canonical_seed(text: str, roots: Roots | None = None) -> str:
    """Return the canonical text of the problem that a text states; a text that states none is returned as it is."""
    used = roots or active()
    problem = read_seed(text, used)
    return text if problem is None else _texts(used).printed(problem, text)


def is_built_in(text: str, roots: Roots) -> bool:
    """Return whether a text is one of the built-in seeds of these roots, as it is written or as it is printed."""
    return text in _texts(roots).built_in


def read_seed(text: str, roots: Roots | None = None) -> BaseProblem | None:
    """Return the problem that a text states, as these roots read it; None if it states none."""
    found = _texts(roots or active()).read(text)
    return None if isinstance(found, GrammarError) else found


def refusal(text: str, name: str, roots: Roots | None = None) -> GrammarError | None:
    """Return the error that refuses the text of this name; None if it states a problem."""
    found = _texts(roots or active()).read(text)
    return found.of(name) if isinstance(found, GrammarError) else None


def theories_of_seed(text: str, roots: Roots) -> tuple[str, ...]:
    """Return the theories of the problem that a text states, sorted; empty if it states none."""
    problem = read_seed(text, roots)
    return () if problem is None else tuple(sorted(problem.theories))
