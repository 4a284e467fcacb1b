"""What the rows that ask the solver share (`interrogation`)."""

from __future__ import annotations

from collections.abc import Callable

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Atom, Term
from chcfuzz.mutators.mutation import Kind, Mutation, Promise
from chcfuzz.mutators.rewriting.model_converter import Carry
from chcfuzz.mutators.rewriting.places import Places, places
from chcfuzz.oracles.witnesses import MOST_NODES

Needs = Callable[[System], bool]


def can_be_asked(system: System) -> bool:
    """Whether there is something to be asked, and it is small enough."""
    return bool(system.predicates) and bool(system.clauses) and system.nodes <= MOST_NODES


def body_atoms(system: System) -> Places:
    """Every atom of a body."""
    return places(system, "atom", _is_atom)


def _is_atom(term: Term) -> bool:
    return isinstance(term, Atom)


def has_body_atoms(system: System) -> bool:
    """Whether there is one."""
    return bool(body_atoms(system))


def anything(_system: System) -> bool:
    """Nothing besides a witness is needed."""
    return True


def asking(
    name: str,
    summary: str,
    source: str,
    rewrite: Callable[[System, Choices], System | None],
    applies: Callable[[System], bool],
    carry: Carry,
) -> Mutation:
    """The row by this name."""
    return Mutation(
        f"interrogation.{name}",
        Promise.EQUISATISFIABLE,
        summary,
        source,
        rewrite,
        applies,
        kind=Kind.INTERROGATION,
        carry=carry,
    )
