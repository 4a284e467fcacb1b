"""Helpers of the rows that query the solver (`interrogation`)."""

from __future__ import annotations

from collections.abc import Callable

from chcfuzz.domains.chc.oracles.witnesses import MOST_NODES
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Atom, Term
from chcfuzz.mutators.rewriting.places import Places, places

SystemTest = Callable[[System], bool]


def is_small(system: System) -> bool:
    """Return whether the system has predicates and clauses, and is small enough for a witness query."""
    return bool(system.predicates) and bool(system.clauses) and system.nodes <= MOST_NODES


def body_atoms(system: System) -> Places:
    """Return the places of all body atoms."""
    return places(system, "atom", _is_atom)


def _is_atom(term: Term) -> bool:
    return isinstance(term, Atom)


def has_body_atoms(system: System) -> bool:
    """Return whether a body contains an atom."""
    return bool(body_atoms(system))


def anything(_system: System) -> bool:
    """Accept every system, for rows that need only a witness."""
    return True
