"""A problem as the sequence of its productions in preorder, and back.

The sequence has normal names: variables and functions are named by their sort and the order of their first use
(`int_0`, `bool_1`); the names of sorts and data types stay. Terms that occur several times are written out if that at
most doubles the sequence and it is not too long; otherwise later occurrences are the production `let`. Patterns of
quantifiers are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from chcfuzz.grammar.draw_problem import closed
from chcfuzz.grammar.errors import LimitError
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.sorts import BOOL, Datatype, Sort
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    Apply,
    Atom,
    Call,
    Constant,
    Function,
    Predicate,
    Quantifier,
    Term,
    Value,
    Variable,
    subterms,
)
from chcfuzz.learning.vocabulary import LET, arity, operator_word

MOST_NODES = 1024  # of a sequence, as the window of LaST
_SMALL = 16
_AGES = ("last", "second")

# The part of a node that its production leaves open: an operator, a symbol, a value, the variables of a quantifier, or
# the node where the term of a `let` occurred at first.
Detail = str | Function | Predicate | Variable | Constant | tuple[Variable, ...] | int


class Node(NamedTuple):
    """An element of a sequence: `production` is a word of the vocabulary, `arity` the number of direct subterms."""

    production: str
    sort: Sort
    arity: int
    detail: Detail


@dataclass(frozen=True)
class Productions:
    """A problem as a sequence; `datatypes` are declared in this order, and a CHC system `is_horn`."""

    nodes: tuple[Node, ...]
    datatypes: tuple[tuple[Datatype, ...], ...]
    is_horn: bool


# Problems to sequences -----------------------------------------------------------------------------


def sequence(problem: BaseProblem, most: int = MOST_NODES) -> Productions:
    """Return the sequence of a problem; raises `LimitError` if it is longer than `most`."""
    shared = _length_with_lets(problem.formulas, most)
    writer = _Writer(set(_reserved(problem)), written_out=problem.nodes <= min(2 * shared, most))
    for formula in problem.formulas:
        writer.write(formula)
    return Productions(tuple(writer.nodes), problem.datatypes, isinstance(problem, System))


def _length_with_lets(formulas: Sequence[Term], most: int) -> int:
    """Return the length of a sequence that writes each term out once."""
    length = len(formulas)
    for term in subterms(*formulas):
        length += len(term.children)
        if length > most:
            raise LimitError(f"more than {most} productions")
    return length


def _reserved(problem: BaseProblem) -> Iterator[str]:
    for datatype in (datatype for group in problem.datatypes for datatype in group):
        yield datatype.name
        for constructor in datatype.constructors:
            yield constructor.name
            yield from (selector.name for selector in constructor.selectors)
    yield from (sort.name for sort in problem.declared_sorts if sort.is_uninterpreted)


@dataclass
class History:
    """The past of a sequence: recently used variables by sort, last first, and constants."""

    used: dict[Sort, list[object]] = field(default_factory=lambda: defaultdict(list))
    constants: dict[Sort, list[int | Fraction]] = field(default_factory=lambda: defaultdict(list))
    _near: dict[Sort, set[int | Fraction]] = field(default_factory=lambda: defaultdict(set))

    def variable(self, leaf: object, sort: Sort) -> str:
        """Return the production of a variable or a free constant, and note its use."""
        used = self.used[sort]
        if leaf not in used:
            age = "new"
        else:
            place = used.index(leaf)
            age = _AGES[place] if place < len(_AGES) else "older"
            used.remove(leaf)
        used.insert(0, leaf)
        return f"variable.{age}"

    def literal(self, value: Constant, sort: Sort) -> str:
        """Return the production of a value, and note it."""
        if isinstance(value, bool):
            return f"literal.{str(value).lower()}"
        known = value in self._near[sort]
        if value not in self.constants[sort]:
            self.constants[sort].append(value)
            self._near[sort].update((value, value - 1, value + 1, -value, 2 * value))
        return f"literal.{_class_of(value, sort, known)}"


def _class_of(value: int | Fraction, sort: Sort, is_near: bool) -> str:
    minus_one = (1 << sort.width) - 1 if sort.is_bitvector else -1
    if value in (0, 1, minus_one):
        return "0" if value == 0 else "1" if value == 1 else "-1"
    if is_near:
        return "near"
    if isinstance(value, Fraction) and value.denominator != 1:
        return "fraction"
    size = abs(int(value))
    if size <= _SMALL:
        return "small"
    return "power" if size & (size - 1) == 0 else "large"


class _Writer:
    """Appends the terms of formulas to `nodes`."""

    def __init__(self, reserved: set[str], written_out: bool) -> None:
        self.nodes: list[Node] = []
        self._written_out = written_out
        self._reserved = reserved
        self._history = History()
        self._first: dict[Term, int] = {}
        self._numbers: dict[str, int] = {}
        self._variables: dict[Variable, Variable] = {}
        self._functions: dict[Function, Function] = {}
        self._predicates: dict[Predicate, Predicate] = {}

    def write(self, formula: Term) -> None:
        stack = [formula]
        while stack:
            term = stack.pop()
            if term.children and term in self._first and not self._written_out:
                self.nodes.append(Node(LET, term.sort, 0, self._first[term]))
                continue
            self._first.setdefault(term, len(self.nodes))
            self.nodes.append(self._node(term))
            stack.extend(reversed(term.children))

    def _node(self, term: Term) -> Node:
        production, detail = self._production(term)
        return Node(production, term.sort, len(term.children), detail)

    def _production(self, term: Term) -> tuple[str, Detail]:
        if isinstance(term, Variable):
            variable = self._variable(term)
            return self._history.variable(variable, term.sort), variable
        if isinstance(term, Value):
            return self._history.literal(term.value, term.sort), term.value
        if isinstance(term, Call):
            function = self._function(term.function)
            if not function.parameters:
                return self._history.variable(function, term.sort), function
            return f"function.{arity(len(function.parameters))}", function
        if isinstance(term, Atom):
            return f"predicate.{arity(len(term.children))}", self._predicate(term.predicate)
        if isinstance(term, Quantifier):
            return f"{term.kind}.{arity(len(term.variables))}", tuple(map(self._variable, term.variables))
        assert isinstance(term, Apply)
        return word_of(term), term.operator

    def _variable(self, variable: Variable) -> Variable:
        if variable not in self._variables:
            self._variables[variable] = Variable(self._name(variable.sort), variable.sort)
        return self._variables[variable]

    def _function(self, function: Function) -> Function:
        if function not in self._functions:
            self._functions[function] = Function(self._name(function.result), function.parameters, function.result)
        return self._functions[function]

    def _predicate(self, predicate: Predicate) -> Predicate:
        if predicate not in self._predicates:
            self._predicates[predicate] = Predicate(self._name(BOOL), predicate.parameters)
        return self._predicates[predicate]

    def _name(self, sort: Sort) -> str:
        label = f"bv{sort.width}" if sort.is_bitvector else sort.name.lower()
        while True:
            number = self._numbers.get(label, 0)
            self._numbers[label] = number + 1
            if f"{label}_{number}" not in self._reserved:
                return f"{label}_{number}"


def production_of(term: Term) -> str:
    """Return the production of a term by itself: of variables and literals as if no other came before."""
    if isinstance(term, Variable):
        return "variable.new"
    if isinstance(term, Value):
        return History().literal(term.value, term.sort)
    if isinstance(term, Call):
        return f"function.{arity(len(term.children))}" if term.children else "variable.new"
    if isinstance(term, Atom):
        return f"predicate.{arity(len(term.children))}"
    if isinstance(term, Quantifier):
        return f"{term.kind}.{arity(len(term.variables))}"
    assert isinstance(term, Apply)
    return word_of(term)


def word_of(term: Apply) -> str:
    """Return the production of an applied operator, constructor, selector or tester."""
    kind = _kind_of_datatypes(term)
    if kind is None:
        return operator_word(term.operator, [child.sort for child in term.children], term.sort)
    return f"{kind}.{arity(len(term.children))}" if kind == "constructor" else kind


def _kind_of_datatypes(term: Apply) -> str | None:
    if term.operator.startswith("(_ is "):
        return "tester"
    if term.sort.datatype is not None and any(
        each.operator == term.operator for each in term.sort.datatype.constructors
    ):
        return "constructor"
    if len(term.children) == 1 and term.children[0].sort.datatype is not None:
        made = (s for each in term.children[0].sort.datatype.constructors for s in each.selectors)
        return "selector" if any(selector.operator == term.operator for selector in made) else None
    return None


# Sequences to problems -----------------------------------------------------------------------------


def formulas(productions: Productions) -> tuple[Term, ...]:
    """Return the formulas of a sequence, with normal names."""
    found: list[Term] = []
    built: dict[int, Term] = {}
    open_ones: list[tuple[int, Node, list[Term]]] = []
    for number, node in enumerate(productions.nodes):
        open_ones.append((number, node, []))
        while open_ones and len(open_ones[-1][2]) == open_ones[-1][1].arity:
            at, done, args = open_ones.pop()
            built[at] = term = _term(done, args, built)
            (open_ones[-1][2] if open_ones else found).append(term)
    return tuple(found)


def _term(node: Node, args: list[Term], built: dict[int, Term]) -> Term:
    detail, kind = node.detail, node.production.partition(".")[0]
    if kind == LET:
        assert isinstance(detail, int)
        return built[detail]
    if isinstance(detail, Function):
        return Call(detail, args)
    if isinstance(detail, Predicate):
        return Atom(detail, args)
    if isinstance(detail, Variable):
        return detail
    if isinstance(detail, tuple):
        return Quantifier(kind, detail, args[0])
    if kind == "literal":
        assert not isinstance(detail, str)
        return Value(detail, node.sort)
    assert isinstance(detail, str)
    return Apply(detail, args, node.sort)


def problem(productions: Productions) -> BaseProblem:
    """Return the problem of a sequence, with normal names; it declares what its formulas use."""
    stated = formulas(productions)
    if not productions.is_horn:
        return closed(stated, productions.datatypes)
    predicates = dict.fromkeys(node.detail for node in productions.nodes if isinstance(node.detail, Predicate))
    return System(productions.datatypes, tuple(predicates), tuple(map(Clause, stated)))
