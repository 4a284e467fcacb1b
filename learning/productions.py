"""A problem as the sequence of its productions in preorder.

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
from functools import lru_cache
from typing import NamedTuple

from chcfuzz.grammar.errors import LimitError
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.grammar.sort_kinds import kind_of
from chcfuzz.grammar.sorts import BOOL, Sort
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import (
    Apply,
    Atom,
    Binder,
    Call,
    Constant,
    Function,
    Predicate,
    Term,
    Value,
    Variable,
    subterms,
)
from chcfuzz.learning.vocabulary import LET, arity, operator_word

MOST_NODES = 1024  # of a sequence, as the window of LaST
_SMALL = 16
_SELF = frozenset(f"literal.{name}" for name in ("true", "false", "0", "1", "-1"))  # wherever they occur

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
    """A problem as a sequence; a CHC system `is_horn`."""

    nodes: tuple[Node, ...]
    is_horn: bool


def sequence(problem: BaseProblem, most: int = MOST_NODES) -> Productions:
    """Return the sequence of a problem; raises `LimitError` if it is longer than `most`."""
    shared = _length_with_lets(problem.formulas, most)
    as_trees = sum(formula.size for formula in problem.formulas)
    writer = _Writer(set(_reserved(problem)), written_out=as_trees <= min(2 * shared, most))
    for formula in problem.formulas:
        writer.write(formula)
    return Productions(tuple(writer.nodes), isinstance(problem, System))


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
class SequenceHistory:
    """The past of a sequence: recently used variables by sort, last first, and constants."""

    used: dict[Sort, list[object]] = field(default_factory=lambda: defaultdict(list))
    constants: dict[Sort, list[int | Fraction]] = field(default_factory=lambda: defaultdict(list))
    _near: dict[Sort, set[int | Fraction]] = field(default_factory=lambda: defaultdict(set))

    def variable(self, leaf: object, sort: Sort) -> str:
        """Return the production of a variable or a free constant, and note its use."""
        used = self.used[sort]
        if used and used[0] is leaf:
            return "variable.last"
        age = "new"
        if leaf in used:
            age = "second" if used[1] is leaf else "older"
            used.remove(leaf)
        used.insert(0, leaf)
        return f"variable.{age}"

    def literal(self, value: Constant, sort: Sort) -> str:
        """Return the production of a value, and note it."""
        if isinstance(value, bool):
            return f"literal.{str(value).lower()}"
        value = kind_of(sort).as_number(value, sort)
        number = value.numerator if value.denominator == 1 else value  # whole numbers are equal to fractions, and fast
        is_near = number in self._near[sort]
        if not is_near or value not in self.constants[sort]:
            self.constants[sort].append(value)
            self._near[sort].update((number, number - 1, number + 1, -number, 2 * number))
        return f"literal.{_class_of(number, sort, is_near)}"


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
        self._history = SequenceHistory()
        self._literals: dict[Term, str] = {}  # productions of values when they occur again
        self._first: dict[Term, int] = {}
        self._numbers: dict[str, int] = {}
        self._variables: dict[Variable, Variable] = {}
        self._functions: dict[Function, Function] = {}
        self._predicates: dict[Predicate, Predicate] = {}

    def write(self, formula: Term) -> None:
        stack = [formula]
        while stack:
            term = stack.pop()
            children = term.children
            if children and not self._written_out:
                if term in self._first:
                    self.nodes.append(Node(LET, term.sort, 0, self._first[term]))
                    continue
                self._first[term] = len(self.nodes)
            production, detail = self._production(term)
            self.nodes.append(Node(production, term.sort, len(children), detail))
            stack.extend(children[::-1])

    def _production(self, term: Term) -> tuple[str, Detail]:
        if isinstance(term, Apply):
            return word_of(term), term.operator
        if isinstance(term, Variable):
            variable = self._variable(term)
            return self._history.variable(variable, term.sort), variable
        if isinstance(term, Value):
            return self._literal(term), term.value
        if isinstance(term, Call):
            function = self._function(term.function)
            if not function.parameters:
                return self._history.variable(function, term.sort), function
            return f"function.{arity(len(function.parameters))}", function
        if isinstance(term, Atom):
            return f"predicate.{arity(len(term.children))}", self._predicate(term.predicate)
        assert isinstance(term, Binder)
        return f"{term.kind}.{arity(len(term.variables))}", tuple(map(self._variable, term.variables))

    def _literal(self, term: Value) -> str:
        """Return the production of a value; a value that occurs again is near itself."""
        known = self._literals.get(term)
        if known is None:
            known = self._history.literal(term.value, term.sort)
            self._literals[term] = known if known in _SELF else "literal.near"
        return known

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
        return SequenceHistory().literal(term.value, term.sort)
    if isinstance(term, Call):
        return f"function.{arity(len(term.children))}" if term.children else "variable.new"
    if isinstance(term, Atom):
        return f"predicate.{arity(len(term.children))}"
    if isinstance(term, Binder):
        return f"{term.kind}.{arity(len(term.variables))}"
    assert isinstance(term, Apply)
    return word_of(term)


def word_of(term: Apply) -> str:
    """Return the production of an applied operator, constructor, selector or tester."""
    return _word(term.operator, tuple([child.sort for child in term.children]), term.sort)


@lru_cache(maxsize=4096)
def _word(operator: str, domain: tuple[Sort, ...], result: Sort) -> str:
    if operator.startswith("(_ is "):
        return "tester"
    if result.datatype is not None and any(each.operator == operator for each in result.datatype.constructors):
        return f"constructor.{arity(len(domain))}"
    if len(domain) == 1 and domain[0].datatype is not None:
        made = (selector for each in domain[0].datatype.constructors for selector in each.selectors)
        if any(selector.operator == operator for selector in made):
            return "selector"
    return operator_word(operator, domain, result)
