"""Passes that make sorts simpler: terms that are only copied and compared can be Bool, and sums can be Int.

Operators determine which terms must have the same sort: the sides of an equation, the branches of an `ite`, an argument
of a predicate in all its atoms. Such a *class* of terms changes as a whole. A class with an operator that no other sort
has (`select`, `extract`, a selector) does not change.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from chcfuzz.grammar.errors import SortError
from chcfuzz.grammar.sort_kinds import kind_of
from chcfuzz.grammar.sorts import BOOL, INT, Sort, bitvec
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Apply, Atom, Predicate, Quantifier, Term, Value, Variable, is_small_as_a_tree
from chcfuzz.triage.shrink.sites import occurrences

# The operators on Int that replace these.
_ON_INTS = {
    **{name: name for name in ("+", "-", "*", "<", "<=", ">", ">=", "abs")},
    "bvadd": "+",
    "bvsub": "-",
    "bvmul": "*",
    "bvneg": "-",
    **{f"bv{sign}{order}": symbol for sign in "us" for order, symbol in (("lt", "<"), ("le", "<="))},
    **{f"bv{sign}{order}": symbol for sign in "us" for order, symbol in (("gt", ">"), ("ge", ">="))},
}
# Operators on vectors of one width whose result is Bool or has the same width.
_ON_VECTORS = frozenset(
    """bvnot bvneg bvand bvor bvxor bvadd bvmul bvnand bvnor bvxnor bvsub bvshl bvlshr bvashr bvudiv bvurem bvsdiv
    bvsrem bvsmod bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge""".split()  # noqa: SIM905 - shorter so
)
_UNIFORM = frozenset((*_ON_INTS, *_ON_VECTORS, "div", "mod", "/"))

Key = Hashable


@dataclass
class _Class:
    """Terms that must have the same sort, and their operators; `pinned` if the sort cannot change."""

    number: int
    sort: Sort
    operators: set[str] = field(default_factory=set)
    pinned: bool = False


@dataclass(frozen=True)
class SortChange:
    """A new sort for a class of terms, given by its number in the order of first occurrence."""

    number: int
    sort: Sort


class _Classes:
    """The classes of a system's terms."""

    def __init__(self, system: System) -> None:
        self._class_of: dict[Key, _Class] = {}
        self._members: dict[int, list[Key]] = {}
        for predicate in system.predicates:
            for place, sort in enumerate(predicate.parameters):
                self._add((predicate, place), sort)
        for index, clause in enumerate(system.clauses):
            for here in occurrences(clause.formula):
                self._relate(index, here.number, here.term)

    def __getitem__(self, key: Key) -> _Class:
        return self._class_of[key]

    def all(self) -> list[_Class]:
        """Return every class once, ordered by number."""
        return _distinct(self._class_of.values())

    def _add(self, key: Key, sort: Sort) -> None:
        if key not in self._class_of:
            number = len(self._class_of)
            self._class_of[key] = _Class(number, sort, pinned=sort is BOOL)
            self._members[number] = [key]

    def _relate(self, index: int, number: int, term: Term) -> None:
        if isinstance(term, Quantifier):
            for variable in term.variables:
                self._add((index, variable), variable.sort)
        own = _node_key(index, number, term)
        self._add(own, term.sort)
        children = [_node_key(index, n, child) for n, child in _numbered_children(number, term)]
        for key, child in zip(children, term.children, strict=True):
            self._add(key, child.sort)
        if isinstance(term, Atom):
            for place, key in enumerate(children):
                self._join([key, (term.predicate, place)])
        elif isinstance(term, Apply):
            self._operator(term, own, children)

    def _operator(self, term: Apply, own: Key, children: list[Key]) -> None:
        if term.operator in ("=", "distinct"):
            self._join(children)
        elif term.operator == "ite":
            self._join([own, *children[1:]])
        elif term.operator in _UNIFORM:
            same = self._join(children if term.sort is BOOL else [own, *children])
            same.operators.add(term.operator)
        elif children or term.sort.datatype is None:
            for key in (own, *children):
                self[key].pinned = True

    def _join(self, keys: Sequence[Key]) -> _Class:
        """Merge the classes of these terms into the first one."""
        first, *others = _distinct(self[key] for key in keys)
        for other in others:
            for key in self._members[other.number]:
                self._class_of[key] = first
            self._members[first.number] += self._members.pop(other.number)
            first.operators |= other.operators
            first.pinned |= other.pinned
        return first


def _distinct(classes: Iterable[_Class]) -> list[_Class]:
    return sorted({one.number: one for one in classes}.values(), key=lambda one: one.number)


def _node_key(index: int, number: int, term: Term) -> Key:
    """Return the key of a term of clause `index`: all occurrences of a variable share one."""
    return (index, term) if isinstance(term, Variable) else (index, number)


def _numbered_children(number: int, term: Term) -> list[tuple[int, Term]]:
    """Return the children of the node with this number, with their numbers."""
    found = []
    number += 1
    for child in term.children:
        found.append((number, child))
        number += child.size
    return found


def changes(targets: Callable[[Sort], Sequence[Sort]]) -> Callable[[System], list[SortChange]]:
    """Return the function that lists changes to a target sort, for classes whose operators exist there."""

    def find(system: System) -> list[SortChange]:
        if not all(map(is_small_as_a_tree, system.formulas)):
            return []
        return [
            SortChange(one.number, target)
            for one in _Classes(system).all()
            if not one.pinned
            for target in targets(one.sort)
            if _fits(one, target)
        ]

    return find


def to_bool(_sort: Sort) -> Sequence[Sort]:
    """Return Bool, for every sort."""
    return (BOOL,)


def to_int(sort: Sort) -> Sequence[Sort]:
    """Return Int, for every other sort."""
    return () if sort is INT else (INT,)


def narrower(sort: Sort) -> Sequence[Sort]:
    """Return bit-vectors of fewer bits, the narrowest first."""
    if not sort.is_bitvector:
        return ()
    widths = sorted({1, 2, 3, 4, 8, sort.width // 2, sort.width - 1})
    return [bitvec(width) for width in widths if 0 < width < sort.width]


def _fits(one: _Class, target: Sort) -> bool:
    if target is BOOL:
        return not one.operators
    return one.operators <= (_ON_INTS.keys() if target is INT else _ON_VECTORS)


def resorted(system: System, edits: Sequence[SortChange]) -> System | None:
    """Return the system after these changes; None if its terms are then ill-sorted."""
    targets: dict[int, Sort] = {}
    for edit in edits:
        targets.setdefault(edit.number, edit.sort)
    classes = _Classes(system)

    def sort_of(key: Key) -> Sort:
        one = classes[key]
        return targets.get(one.number, one.sort)

    new = {
        predicate: Predicate(
            predicate.name, [sort_of((predicate, place)) for place in range(len(predicate.parameters))]
        )
        for predicate in system.predicates
    }
    try:
        clauses = [
            Clause(_Rebuilding(index, sort_of, new).formula(clause.formula), clause.name)
            for index, clause in enumerate(system.clauses)
        ]
    except SortError:
        return None
    return system.with_predicates(tuple(new.values())).with_clauses(clauses)


@dataclass(frozen=True)
class _Rebuilding:
    """A clause over other sorts."""

    index: int
    sort_of: Callable[[Key], Sort]
    predicates: Mapping[Predicate, Predicate]

    def formula(self, formula: Term) -> Term:
        """Return the clause's formula; raises `SortError`."""
        built: dict[int, Term] = {}
        for here in reversed(list(occurrences(formula))):  # children come after their parents
            children = [built.pop(number) for number, _ in _numbered_children(here.number, here.term)]
            built[here.number] = self._node(here.number, here.term, children)
        return built[0]

    def _node(self, number: int, term: Term, children: list[Term]) -> Term:
        if isinstance(term, Variable):
            return Variable(term.name, self.sort_of((self.index, term)))
        if isinstance(term, Atom):
            return Atom(self.predicates[term.predicate], children)
        if isinstance(term, Quantifier):
            variables = [Variable(v.name, self.sort_of((self.index, v))) for v in term.variables]
            return Quantifier(term.kind, variables, children[0])
        target = self.sort_of(_node_key(self.index, number, term))
        if target is not term.sort and not children:
            return Value(_converted(term, target), target)
        if isinstance(term, Apply) and term.children and children[0].sort is INT is not term.children[0].sort:
            return Apply(_ON_INTS.get(term.operator, term.operator), children)
        return term.rebuild(children)


def _converted(term: Term, target: Sort) -> bool | int:
    """Return a constant in another sort: a number by its value, a constructor by its position in its data type."""
    if isinstance(term, Value):
        number = int(kind_of(term.sort).as_number(term.value, term.sort))
    else:
        assert isinstance(term, Apply)
        made = term.sort.datatype
        assert made is not None
        number = [constructor.operator for constructor in made.constructors].index(term.operator)
    if target is BOOL:
        return number != 0
    return number % (1 << target.width) if target.is_bitvector else number
