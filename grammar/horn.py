"""Which formulas are Horn clauses, and what their body and head are.

The reading is by polarity, so that every shape in use is one case, what Z3's `simplify` makes of clauses included
(`elim_and` turns a body into `(not (or (not a) (not b)))`). Below the outer universal quantifiers a clause is a
disjunction, written with `or`, `=>` and `not`; what stands in it under a negation is body, the rest is head. A clause is
Horn if its head holds at most one atom, on its own, and its body is monotone in the atoms: they occur below `and`, `or`,
`exists`, behind an even number of negations, never in an argument of an interpreted operator.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from chcfuzz.grammar.terms import FALSE, Apply, Atom, Path, Quantifier, Term, Variable, disjunction, is_operator, negation


class Shape(enum.Enum):
    """How a clause is written."""

    IMPLICATION = "implication"  # (=> body head)
    DISJUNCTION = "disjunction"  # (or (not a) (not b) head)
    NEGATED_CONJUNCTION = "negated conjunction"  # (not (and a b (not head)))
    FACT = "fact"  # the head alone


class NotHornError(Exception):
    """The formula is no Horn clause; `term` is where it fails. Becomes a `GrammarError` with a position."""

    def __init__(self, what: str, term: Term) -> None:
        super().__init__(what)
        self.what = what
        self.term = term


@dataclass(frozen=True)
class Reading:
    """A formula read as a Horn clause.

    `body` holds the members of the body's conjunction; `head` is an atom, or the disjunction of what else stands
    un-negated (`false` where nothing does). `body_paths` lead from the formula to the subterms that make up the body:
    they stand under a negation, so an equivalent subterm in their place gives an equivalent clause of the same shape.
    """

    variables: tuple[Variable, ...]
    body: tuple[Term, ...]
    head: Term
    shape: Shape
    body_paths: tuple[Path, ...]


def has_atoms(term: Term) -> bool:
    """Whether a predicate occurs in the term. Kept with the term."""
    stack = [term]
    while stack:  # children first, without recursion: terms may be deep
        here = stack[-1]
        if here.facts is None:
            here.facts = {}
        if "atoms" in here.facts:
            stack.pop()
            continue
        open_children = [child for child in here.children if child.facts is None or "atoms" not in child.facts]
        if open_children and not isinstance(here, Atom):
            stack.extend(open_children)
            continue
        here.facts["atoms"] = isinstance(here, Atom) or any(
            child.facts is not None and child.facts["atoms"] for child in here.children
        )
        stack.pop()
    return bool(term.facts and term.facts["atoms"])


def read(formula: Term) -> Reading:
    """Read a formula as a Horn clause; raises `NotHornError`."""
    variables: list[Variable] = []
    path: Path = ()
    matrix = formula
    while isinstance(matrix, Quantifier) and matrix.kind == "forall":
        variables.extend(matrix.variables)
        path = (*path, 0)
        matrix = matrix.body
    reader = _Reader(variables)
    reader.positive(matrix, path)
    atoms = [head for head in reader.heads if isinstance(head, Atom)]
    if len(atoms) > 1:
        raise NotHornError("a clause may have one predicate in its head, not two", atoms[1])
    if atoms and len(reader.heads) > 1:
        # (or (not a) (P x) (> x 0)): what is no atom belongs to the body, negated.
        head: Term = atoms[0]
        reader.body.extend(negation(other) for other in reader.heads if other is not head)
    else:
        head = disjunction(*reader.heads) if reader.heads else FALSE
    return Reading(tuple(reader.variables), tuple(reader.body), head, _shape(matrix), tuple(reader.paths))


def _shape(matrix: Term) -> Shape:
    if is_operator(matrix, "=>"):
        return Shape.IMPLICATION
    if is_operator(matrix, "or"):
        return Shape.DISJUNCTION
    if is_operator(matrix, "not"):
        return Shape.NEGATED_CONJUNCTION
    return Shape.FACT


class _Reader:
    def __init__(self, variables: list[Variable]) -> None:
        self.variables = variables
        self.body: list[Term] = []
        self.heads: list[Term] = []
        self.paths: list[Path] = []

    def positive(self, term: Term, path: Path) -> None:
        """A member of the clause's disjunction."""
        if isinstance(term, Apply):
            if term.operator == "or":
                for i, child in enumerate(term.children):
                    self.positive(child, (*path, i))
                return
            if term.operator == "=>":
                *before, last = term.children
                for i, child in enumerate(before):
                    self._root(child, (*path, i))
                self.positive(last, (*path, len(before)))
                return
            if term.operator == "not":
                self._root(term.children[0], (*path, 0))
                return
        if isinstance(term, Quantifier) and term.kind == "forall":
            self.variables.extend(term.variables)
            self.positive(term.body, (*path, 0))
            return
        if not isinstance(term, Atom) and has_atoms(term):
            raise NotHornError("a head is one predicate, or a formula without predicates", term)
        if term is not FALSE:
            self.heads.append(term)

    def _root(self, term: Term, path: Path) -> None:
        self.paths.append(path)
        self.negative(term, path)

    def negative(self, term: Term, path: Path) -> None:
        """A member of the body's conjunction."""
        if is_operator(term, "and"):
            for i, child in enumerate(term.children):
                self.negative(child, (*path, i))
            return
        if is_operator(term, "not") and has_atoms(term):
            inner = term.children[0]
            if is_operator(inner, "not"):
                self.negative(inner.children[0], (*path, 0, 0))
                return
            if is_operator(inner, "or") or (isinstance(inner, Apply) and inner.operator == "=>"):
                # not (or (not a) (not b)) is what elim_and makes of a conjunction: its members are the body's.
                for i, child in enumerate(inner.children):
                    last = i == len(inner.children) - 1
                    if inner.operator == "or" or last:
                        self._negated(child, (*path, 0, i))
                    else:
                        self.negative(child, (*path, 0, i))
                return
            self.positive(inner, (*path, 0))
            return
        _require_monotone(term)
        self.body.append(term)

    def _negated(self, term: Term, path: Path) -> None:
        if is_operator(term, "not"):
            self.negative(term.children[0], (*path, 0))
        else:
            self.positive(term, path)


def _require_monotone(term: Term) -> None:
    """Raise `NotHornError` unless the atoms in a member of the body occur positively."""
    stack = [(term, True)]
    while stack:
        here, positive = stack.pop()
        if not has_atoms(here):
            continue
        if isinstance(here, Atom):
            if not positive:
                raise NotHornError("a predicate in a body must not be negated", here)
        elif is_operator(here, "and") or is_operator(here, "or"):
            stack.extend((child, positive) for child in here.children)
        elif is_operator(here, "not"):
            stack.append((here.children[0], not positive))
        elif is_operator(here, "=>"):
            *before, last = here.children
            stack.extend((child, not positive) for child in before)
            stack.append((last, positive))
        elif is_operator(here, "ite") and not has_atoms(here.children[0]):
            stack.extend((child, positive) for child in here.children[1:])
        elif isinstance(here, Quantifier) and (here.kind == "exists") == positive:
            stack.append((here.body, positive))
        else:
            raise NotHornError("a predicate may stand only below and, or, not and exists", here)
