"""The shape of a reduced system: theories, kind of rules, classes of operators; no names and no numbers.

No part of a reduced system can be removed, and no sort can be replaced by a simpler one, so the rest is related to the
cause.
"""

from __future__ import annotations

from collections import Counter as Tally

from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Atom, subterms
from chcfuzz.triage.examine.operator_classes import classes_of, repeats
from chcfuzz.triage.examine.shape import SystemShape


def shape_of(system: System) -> SystemShape:
    """Return the shape of a system."""
    terms = [term for clause in system.clauses for term in subterms(clause.formula)]
    return SystemShape(
        tuple(sorted(system.theories)),
        all(clause.is_linear for clause in system.clauses),
        _is_recursive(system.clauses),
        any(repeats(term) for term in terms),
        tuple(sorted({name for term in terms for name in classes_of(term)})),
    )


def _is_recursive(clauses: tuple[Clause, ...]) -> bool:
    """Return whether some predicate depends on itself.

    Dependencies of predicates that no other one depends on are removed repeatedly, until nothing or a cycle is left.
    """
    needs = {
        (clause.head.predicate, atom.predicate)
        for clause in clauses
        if isinstance(clause.head, Atom)
        for atom in clause.atoms
    }
    while needs:
        heads = Tally(head for head, _ in needs)
        left = {(head, body) for head, body in needs if body in heads}
        if left == needs:
            return True
        needs = left
    return False
