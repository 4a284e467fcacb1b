"""Paths from a term to its subterms, and replacement at the end of a path."""

from __future__ import annotations

from chcfuzz.grammar.terms import Term

Path = tuple[int, ...]  # child indices from a term down to a subterm
# A path as its last index behind a shorter link, which many share; None is the empty path.
Link = tuple["Link", int] | None


def at(term: Term, path: Path) -> Term:
    """Return the subterm at a path."""
    for index in path:
        term = term.children[index]
    return term


def replace_at(term: Term, path: Path, new: Term) -> Term:
    """Return the term with the subterm at `path` replaced; everything beside the path is shared with `term`."""
    spine = []
    for index in path:
        spine.append((term, index))
        term = term.children[index]
    for parent, index in reversed(spine):
        new = parent.rebuild((*parent.children[:index], new, *parent.children[index + 1 :]))
    return new


def path_of(link: Link) -> Path:
    """Return the path that a link ends."""
    path = []
    while link is not None:
        link, index = link
        path.append(index)
    return tuple(reversed(path))
