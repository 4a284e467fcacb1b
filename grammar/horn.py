"""Which formulas are Horn clauses, and what their body and head are.

The reading is by polarity, so that every shape in use is one case, what Z3's `simplify` makes of clauses
included (`elim_and` turns a body into `(not (or (not a) (not b)))`). Below the outer universal quantifiers
a clause is a disjunction, written with `or`, `=>` and `not`; negated members are the body,
the rest is head. A clause is Horn if its head holds at most one atom, on its own, and its body is monotone
in the atoms: they occur below `and`, `or`, `exists`, behind an even number of negations, never in an
argument of an interpreted operator or of another predicate.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from chcfuzz.grammar.paths import Link, Path, path_of
from chcfuzz.grammar.substitution import fresh_name, substitute
from chcfuzz.grammar.terms import (
    FALSE,
    Atom,
    Quantifier,
    Term,
    Variable,
    disjunction,
    is_operator,
    is_small_as_a_tree,
    negation,
)


class Shape(enum.Enum):
    """How a clause is written."""

    IMPLICATION = "implication"  # (=> body head)
    DISJUNCTION = "disjunction"  # (or (not a) (not b) head)
    NEGATED_CONJUNCTION = "negated conjunction"  # (not (and a b (not head)))
    FACT = "fact"  # the head alone


class NotHornError(Exception):
    """The formula is not a Horn clause; `term` is the reason. Becomes a `GrammarError` with a position."""

    def __init__(self, what: str, term: Term) -> None:
        super().__init__(what)
        self.what = f"not a Horn clause: {what}"
        self.term = term


@dataclass(frozen=True)
class HornReading:
    """A formula read as a Horn clause.

    `body` holds the members of the body's conjunction; `head` is an atom, or the disjunction of what else
    is not negated, `false` without one. `body_roots` are the subterms of the formula that make up
    the body, with the links to them: they stand under a negation, so an equivalent subterm in their place gives
    an equivalent clause of the same shape.
    """

    variables: tuple[Variable, ...]
    body: tuple[Term, ...]
    head: Term
    shape: Shape
    body_roots: tuple[tuple[Link, Term], ...] = field(repr=False)

    @property
    def body_paths(self) -> tuple[Path, ...]:
        """The paths to the roots of the body: together as long as the square of the depth, where a clause is deep."""
        return tuple(path_of(link) for link, _ in self.body_roots)


class Visits:
    """The parts of a clause that a walk has visited. The parts of a clause that is small as a tree always count as new.

    A member that occurs several times in a body or a head changes nothing, and each shared term around it may double
    the number of its places.
    """

    def __init__(self, formula: Term) -> None:
        self._parts: set[tuple[Term, bool]] | None = None if is_small_as_a_tree(formula) else set()

    def is_new(self, term: Term, positive: bool = True) -> bool:
        """Note a visit, and return whether it is the first one of this part with this polarity."""
        if self._parts is None:
            return True
        before = len(self._parts)
        self._parts.add((term, positive))
        return len(self._parts) > before


def read(formula: Term) -> HornReading:
    """Read a formula as a Horn clause; raises `NotHornError`."""
    visits = Visits(formula)
    variables: list[Variable] = []
    body: list[Term] = []
    heads: list[Term] = []
    body_roots: list[tuple[Link, Term]] = []
    # A stack, since terms may be deep. `own`: the term as the formula has it, before its variables are renamed;
    # None below a root. `positive`: a member of the clause's disjunction, else of the body's conjunction.
    stack: list[tuple[Term, Term | None, Link, bool]] = [(formula, formula, None, True)]
    while stack:
        term, own, link, positive = stack.pop()
        if not visits.is_new(term, positive):
            continue
        if own is not None and not positive:
            body_roots.append((link, own))
            own = None  # this root covers all below
        polarities = _polarities(term, positive)
        if isinstance(term, Quantifier) and polarities:
            term = _renamed_apart(term, variables)
            variables.extend(term.variables)
        if polarities:
            for i, (child, polarity) in reversed(list(enumerate(zip(term.children, polarities, strict=True)))):
                below = None if own is None else own.children[i]
                stack.append((child, below, None if own is None else (link, i), polarity))
        elif not positive:
            _require_monotone(term)
            body.append(term)
        elif term.has_atoms and not isinstance(term, Atom):
            raise NotHornError("a head is one predicate, or a formula without predicates", term)
        elif term is not FALSE:
            _require_plain_arguments(term)
            heads.append(term)
    atoms = [head for head in heads if isinstance(head, Atom)]
    if len(atoms) > 1:
        raise NotHornError("a clause may have one predicate in its head, not two", atoms[1])
    if atoms:  # in (or (not a) (P x) (> x 0)) members without a predicate belong to the body, negated
        body.extend(negation(other) for other in heads if other is not atoms[0])
    head = atoms[0] if atoms else disjunction(*heads)
    return HornReading(tuple(variables), tuple(body), head, _shape(formula), tuple(body_roots))


def _polarities(term: Term, positive: bool) -> tuple[bool, ...]:
    """For each child whether it is a member of the disjunction (or of the body); empty for a last member."""
    number = len(term.children)
    if isinstance(term, Quantifier):
        return (True,) if positive and term.kind == "forall" else ()
    if is_operator(term, "not") and (positive or term.has_atoms):
        return (not positive,)
    if positive and is_operator(term, "or"):
        return (True,) * number
    if positive and is_operator(term, "=>"):
        return (False,) * (number - 1) + (True,)
    if not positive and is_operator(term, "and"):
        return (False,) * number
    return ()


def _renamed_apart(term: Quantifier, others: list[Variable]) -> Quantifier:
    """Return the quantifier with new names for those of its variables that clash with the others."""
    taken = {variable.name for variable in others}
    if taken.isdisjoint(variable.name for variable in term.variables):
        return term
    taken.update(variable.name for variable in term.variables)
    fresh = {}
    for variable in term.variables:
        fresh[variable] = Variable(fresh_name(variable.name, taken), variable.sort)
        taken.add(fresh[variable].name)
    return Quantifier(term.kind, tuple(fresh.values()), substitute(term.body, fresh))


def _shape(matrix: Term) -> Shape:
    while isinstance(matrix, Quantifier) and matrix.kind == "forall":
        matrix = matrix.body
    if is_operator(matrix, "=>"):
        return Shape.IMPLICATION
    if is_operator(matrix, "or"):
        return Shape.DISJUNCTION
    if is_operator(matrix, "not"):
        return Shape.NEGATED_CONJUNCTION
    return Shape.FACT


def _require_monotone(term: Term) -> None:
    """Raise `NotHornError` unless the atoms in a member of the body occur positively."""
    stack = [(term, True)]
    visited: set[tuple[Term, bool]] = set()
    while stack:
        here, positive = stack.pop()
        if not here.has_atoms or (here, positive) in visited:
            continue
        visited.add((here, positive))
        if isinstance(here, Atom):
            if not positive:
                raise NotHornError("a predicate in a body must not be negated", here)
            _require_plain_arguments(here)
        elif is_operator(here, "and") or is_operator(here, "or"):
            stack.extend((child, positive) for child in here.children)
        elif is_operator(here, "not"):
            stack.append((here.children[0], not positive))
        elif is_operator(here, "=>"):
            *before, last = here.children
            stack.extend((child, not positive) for child in before)
            stack.append((last, positive))
        elif is_operator(here, "ite") and not here.children[0].has_atoms:
            stack.extend((child, positive) for child in here.children[1:])
        elif isinstance(here, Quantifier) and (here.kind == "exists") == positive:
            stack.append((here.body, positive))
        else:
            raise NotHornError("a predicate may stand only below and, or, not and exists", here)


def _require_plain_arguments(term: Term) -> None:
    """Raise `NotHornError` if an argument of an atom contains another atom."""
    if isinstance(term, Atom) and any(argument.has_atoms for argument in term.children):
        raise NotHornError("a predicate must not stand in an argument of another predicate", term)
