"""Immutable, sorted, hash-consed terms.

Two terms of the same structure are one object, so `is` compares and a mutant shares what it did not change
with its seed. The table holds terms weakly: an unused term is removed, so a
campaign of months does not grow. Sorts are checked when a term is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, ClassVar, TypeVar
from weakref import WeakValueDictionary, ref

from chcfuzz.grammar.errors import DepthError, LimitError, OperandError, SortError
from chcfuzz.grammar.sorts import BOOL, INT, REAL, Sort, bitvec, function
from chcfuzz.grammar.theory import operators, result_sort

MAX_DEPTH = 100  # of quantifiers in each other: what walks through them may do so by recursion
TOO_DEEP = f"quantifiers may be nested {MAX_DEPTH} deep, not more"
MAX_DIGITS = 4000  # of a number: Python does not print or read more than 4,300 in decimal
MOST_AS_A_TREE = 1_000_000  # nodes; each shared term around a part may double the number of its places
TOO_LARGE = 10**MAX_DIGITS  # the first whole number that has more
Patterns = tuple[tuple["Term", ...], ...]  # of a quantifier: alternatives, each of terms that occur together
Constant = bool | int | Fraction  # of the built-in theories; others may have values of other classes

_Key = tuple[Any, ...]
T = TypeVar("T", bound="Term")
F = TypeVar("F")


class Term:
    """A term. `children` are its direct subterms, `size` is the number of its nodes as a tree.

    `has_atoms` is true if a predicate occurs in it; `depth` is the nesting of its quantifiers.
    """

    __slots__ = ("__weakref__", "children", "depth", "facts", "free", "has_atoms", "size", "sort")
    children: tuple[Term, ...]
    sort: Sort
    size: int
    has_atoms: bool
    depth: int
    free: tuple[Variable, ...] | None  # what `free_variables` found below; a variable does not hold itself
    facts: dict[str, Any] | None  # what `kept` keeps

    def rebuild(self, _children: Sequence[Term]) -> Term:
        """Return the same node with other children; a leaf returns itself. Raises `SortError` if their sorts differ."""
        return self

    def __copy__(self) -> Term:
        return self

    def __deepcopy__(self, _memo: object) -> Term:
        return self

    def __repr__(self) -> str:
        return f"<{_sketch(self, 4)}>"


class _Reference(ref[Term]):
    """A weak reference in the table, which removes itself; a `WeakValueDictionary` takes three times as long."""

    __slots__ = ("key",)
    key: _Key


_TABLE: dict[_Key, _Reference] = {}


def _forget(reference: Any, table: dict[_Key, _Reference] = _TABLE) -> None:
    key = reference.key
    if table.get(key) is reference:
        del table[key]


def _known(key: _Key) -> Term | None:
    """Return the term of a key; None if it does not exist."""
    reference = _TABLE.get(key)
    return None if reference is None else reference()


def _interned(cls: type[T], key: tuple[Any, ...], children: tuple[Term, ...], sort: Sort) -> T:
    term = Term.__new__(cls)
    size, has_atoms, depth = 1, cls is Atom, 0
    for child in children:
        size += child.size
        has_atoms = has_atoms or child.has_atoms
        if child.depth > depth:
            depth = child.depth
    term.children = children
    term.sort = sort
    term.size = size
    term.has_atoms = has_atoms
    term.depth = depth
    term.free = None if children else ()
    term.facts = None
    reference = _Reference(term, _forget)
    reference.key = key
    _TABLE[key] = reference
    return term


def kept(term: Term, name: str, derive: Callable[[], F]) -> F:
    """Return the result of `derive`, which depends on the term alone; cached for as long as the term lives."""
    if term.facts is None:
        term.facts = {}
    if name not in term.facts:
        term.facts[name] = derive()
    fact: F = term.facts[name]
    return fact


class Variable(Term):
    """A variable, bound by a quantifier around it."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, name: str, sort: Sort) -> Variable:
        """Return the term, which is created unless it exists."""
        key = (cls, name, sort)
        term = _known(key)
        if term is None:
            term = _interned(cls, key, (), sort)
            term.name = name
        return term  # type: ignore[return-value]


class Value(Term):
    """A constant: bool, int (of sort Int or a bit-vector, there in [0, 2^width)), or Fraction (Real).

    Raises `LimitError` for a number that is `too_large`.
    """

    __slots__ = ("value",)
    value: Constant

    def __new__(cls, value: Any, sort: Sort) -> Value:
        """Return the term, which is created unless it exists."""
        # Python hashes the numbers of a fraction ten times as fast as the fraction.
        key = (cls, value.numerator, value.denominator, sort) if sort is REAL else (cls, value, sort)
        term = _known(key)
        if term is None:
            if too_large(value, sort):
                raise LimitError(f"a number of more than {MAX_DIGITS} digits")
            term = _interned(cls, key, (), sort)
            term.value = value
        return term  # type: ignore[return-value]


def too_large(value: Constant, sort: Sort) -> bool:
    """Return whether an Int, or a Real's numerator or denominator, has more than `MAX_DIGITS` digits."""
    if sort is INT:
        return not -TOO_LARGE < value < TOO_LARGE
    return isinstance(value, Fraction) and not (-TOO_LARGE < value.numerator < TOO_LARGE > value.denominator)


class Apply(Term):
    """An interpreted operator, constructor, selector or tester, applied. `operator` is spelled as in SMT-LIB.

    Without `sort`, the theories determine it. The operators of data types (`sorts.Datatype`) need it.
    """

    __slots__ = ("operator",)
    operator: str

    def __new__(cls, operator: str, args: Sequence[Term], sort: Sort | None = None) -> Apply:
        """Return the term, which is created unless it exists."""
        children = tuple(args)
        if sort is None:
            sort = result_sort(operator, [child.sort for child in children])
        key = (cls, operator, sort, children)
        term = _known(key)
        if term is None:
            term = _interned(cls, key, children, sort)
            term.operator = operator
        return term  # type: ignore[return-value]

    def rebuild(self, children: Sequence[Term]) -> Term:
        """Return the same node over other children."""
        if [child.sort for child in children] == [child.sort for child in self.children]:
            return Apply(self.operator, children, self.sort)
        return Apply(self.operator, children)


class Predicate:
    """An uninterpreted predicate. A model of a CHC system interprets it. Equal ones are one object."""

    __slots__ = ("__weakref__", "name", "parameters")
    name: str
    parameters: tuple[Sort, ...]
    _table: ClassVar[WeakValueDictionary[tuple[str, tuple[Sort, ...]], Predicate]] = WeakValueDictionary()

    def __new__(cls, name: str, parameters: Sequence[Sort] = ()) -> Predicate:
        """Return the symbol, which is created unless it exists."""
        key = (name, tuple(parameters))
        predicate = cls._table.get(key)
        if predicate is None:
            predicate = super().__new__(cls)
            predicate.name, predicate.parameters = key
            cls._table[key] = predicate
        return predicate

    def __repr__(self) -> str:
        return f"<{self.name}({', '.join(map(str, self.parameters))})>"


class Atom(Term):
    """A predicate applied to terms."""

    __slots__ = ("predicate",)
    predicate: Predicate

    def __new__(cls, predicate: Predicate, args: Sequence[Term] = ()) -> Atom:
        """Return the term, which is created unless it exists."""
        children = tuple(args)
        _check_arguments(predicate.name, predicate.parameters, children)
        key = (cls, predicate, children)
        term = _known(key)
        if term is None:
            term = _interned(cls, key, children, BOOL)
            term.predicate = predicate
        return term  # type: ignore[return-value]

    def rebuild(self, children: Sequence[Term]) -> Term:
        """Return the same node over other children."""
        return Atom(self.predicate, children)


class Function:
    """An uninterpreted function or, without parameters, a free constant. Equal ones are one object."""

    __slots__ = ("__weakref__", "name", "parameters", "result")
    name: str
    parameters: tuple[Sort, ...]
    result: Sort
    _table: ClassVar[WeakValueDictionary[tuple[str, tuple[Sort, ...], Sort], Function]] = WeakValueDictionary()

    def __new__(cls, name: str, parameters: Sequence[Sort], result: Sort) -> Function:
        """Return the symbol, which is created unless it exists."""
        key = (name, tuple(parameters), result)
        function = cls._table.get(key)
        if function is None:
            function = super().__new__(cls)
            function.name, function.parameters, function.result = key
            cls._table[key] = function
        return function

    def __repr__(self) -> str:
        return f"<{self.name}({', '.join(map(str, self.parameters))}): {self.result}>"


class Call(Term):
    """An uninterpreted function applied to terms."""

    __slots__ = ("function",)
    function: Function

    def __new__(cls, function: Function, args: Sequence[Term] = ()) -> Call:
        """Return the term, which is created unless it exists."""
        children = tuple(args)
        _check_arguments(function.name, function.parameters, children)
        key = (cls, function, children)
        term = _known(key)
        if term is None:
            term = _interned(cls, key, children, function.result)
            term.function = function
        return term  # type: ignore[return-value]

    def rebuild(self, children: Sequence[Term]) -> Term:
        """Return the same function applied to other arguments."""
        return Call(self.function, children)


def _check_arguments(name: str, parameters: tuple[Sort, ...], args: Sequence[Term]) -> None:
    sorts = tuple([arg.sort for arg in args])
    if sorts != parameters:
        wanted, got = (" ".join(map(str, some)) for some in (parameters, sorts))
        raise OperandError(f"{name} takes ({wanted}), not ({got})")


class Binder(Term):
    """A quantifier or a `lambda`: its only child is the body, in which it binds variables."""

    __slots__ = ("variables",)
    kind: str
    variables: tuple[Variable, ...]

    @property
    def body(self) -> Term:
        """The term below the binder."""
        return self.children[0]

    def over(self, variables: Sequence[Variable], body: Term) -> Binder:
        """Return a binder of the same kind with other variables and another body."""
        raise NotImplementedError


class Quantifier(Binder):
    """`kind` is "forall" or "exists".

    `patterns` are hints for instantiation, each a tuple of subterms of the body. They do not change the meaning.
    """

    __slots__ = ("kind", "patterns")
    patterns: Patterns

    def __new__(cls, kind: str, variables: Sequence[Variable], body: Term, patterns: Patterns = ()) -> Quantifier:
        """Return the term, which is created unless it exists, without the patterns that do not fit the body."""
        bound = tuple(variables)
        fitting = _fitting(patterns, bound, body) if patterns else ()
        if body.sort is not BOOL or not bound:
            raise SortError(f"{kind} binds at least one variable in a term of sort Bool, not {body.sort}")
        if body.depth >= MAX_DEPTH:
            raise DepthError(TOO_DEEP)
        key = (cls, kind, bound, body, *fitting)
        term = _known(key)
        if term is None:
            term = _interned(cls, key, (body,), BOOL)
            term.kind = kind
            term.variables = bound
            term.patterns = fitting
            term.depth = body.depth + 1
        return term  # type: ignore[return-value]

    def rebuild(self, children: Sequence[Term]) -> Term:
        """Return the same node over other children."""
        return Quantifier(self.kind, self.variables, children[0], self.patterns)

    def over(self, variables: Sequence[Variable], body: Term) -> Quantifier:
        """Return the quantifier without its patterns, over other variables and another body."""
        return Quantifier(self.kind, variables, body)


class Lambda(Binder):
    """A function as the argument of an operator, such as `seq.map`. Nothing else takes one."""

    __slots__ = ()
    kind = "lambda"

    def __new__(cls, variables: Sequence[Variable], body: Term) -> Lambda:
        """Return the term, which is created unless it exists."""
        bound = tuple(variables)
        if body.depth >= MAX_DEPTH:
            raise DepthError(TOO_DEEP)
        key = (cls, bound, body)
        term = _known(key)
        if term is None:
            term = _interned(cls, key, (body,), function([variable.sort for variable in bound], body.sort))
            term.variables = bound
            term.depth = body.depth + 1
        return term  # type: ignore[return-value]

    def rebuild(self, children: Sequence[Term]) -> Term:
        """Return the function with another body."""
        return Lambda(self.variables, children[0])

    def over(self, variables: Sequence[Variable], body: Term) -> Lambda:
        """Return the function of other variables with another body."""
        return Lambda(variables, body)


def _fitting(patterns: Patterns, bound: tuple[Variable, ...], body: Term) -> Patterns:
    """Return the patterns that solvers accept: subterms of the body which together have all bound variables."""
    parts = set(subterms(body))
    return tuple(
        pattern
        for pattern in patterns
        if all(term in parts and may_be_pattern(term) for term in pattern)
        and set(bound) <= {variable for term in pattern for variable in free_variables(term)}
    )


def may_be_pattern(term: Term) -> bool:
    """Return whether a term may be a pattern: applied functions and operators, without connectives."""
    rows = operators()
    return bool(term.children) and not any(
        isinstance(here, Binder)
        or (isinstance(here, Apply) and here.operator in rows and rows[here.operator].is_connective)
        for here in subterms(term)
    )


TRUE, FALSE = Value(True, BOOL), Value(False, BOOL)


def integer(n: int) -> Value:
    """Return an Int constant."""
    return Value(n, INT)


def real(fraction: Fraction | int) -> Value:
    """Return a Real constant."""
    return Value(fraction if isinstance(fraction, Fraction) else Fraction(fraction), REAL)


def vector(n: int, width: int) -> Value:
    """Return a bit-vector constant; `n` is taken modulo 2^width. Raises `SortError` for a bad width."""
    sort = bitvec(width)
    return Value(n % (1 << width), sort)


def apply(operator: str, *args: Term) -> Term:
    """Apply an operator of the theories; raises `SortError`."""
    return Apply(operator, args)


def conjunction(*terms: Term) -> Term:
    """Return `true`, the term itself, or `and`."""
    return TRUE if not terms else terms[0] if len(terms) == 1 else Apply("and", terms)


def disjunction(*terms: Term) -> Term:
    """Return `false`, the term itself, or `or`."""
    return FALSE if not terms else terms[0] if len(terms) == 1 else Apply("or", terms)


def negation(term: Term) -> Term:
    """Return the negation, as `not` states it."""
    return Apply("not", (term,))


def implication(body: Term, head: Term) -> Term:
    """Return the implication, as `=>` states it."""
    return Apply("=>", (body, head))


def is_operator(term: Term, operator: str) -> bool:
    """Return whether the term is this operator, applied."""
    return isinstance(term, Apply) and term.operator == operator


def subterms(*terms: Term) -> Iterator[Term]:
    """Yield every distinct subterm once, a parent before its children where it is first met."""
    seen = set(terms)
    stack = list(reversed(terms))
    while stack:
        here = stack.pop()
        yield here
        for child in reversed(here.children):
            if child not in seen:
                seen.add(child)
                stack.append(child)


def postorder(*terms: Term, enter_quantifiers: bool = True) -> Iterator[Term]:
    """Yield every distinct subterm once, children before their parents."""
    done: set[Term] = set()
    stack = [(term, False) for term in reversed(terms)]
    while stack:
        here, expanded = stack.pop()
        if here in done:
            continue
        if expanded or not here.children or (isinstance(here, Binder) and not enter_quantifiers):
            done.add(here)
            yield here
        else:
            stack.append((here, True))
            stack.extend((child, False) for child in reversed(here.children) if child not in done)


def is_small_as_a_tree(term: Term) -> bool:
    """Return whether a term has at most `MOST_AS_A_TREE` nodes as a tree; shared parts of a larger one count once."""
    return term.size <= MOST_AS_A_TREE


def nodes(term: Term) -> int:
    """Return the number of nodes of a term as a tree, or of its distinct parts if it is not small as a tree."""
    return term.size if is_small_as_a_tree(term) else kept(term, "nodes", lambda: sum(1 for _ in subterms(term)))


def free_variables(term: Term) -> tuple[Variable, ...]:
    """Return the variables that no quantifier inside the term binds, in order of first occurrence."""
    stack = [term]
    while stack:
        here = stack[-1]
        if here.free is None:
            unknown = [child for child in here.children if child.free is None]
            if unknown:
                stack.extend(unknown)
                continue
            found = _united(here.children)
            bound = here.variables if isinstance(here, Binder) else ()
            here.free = tuple(variable for variable in found if variable not in bound) if bound else found
        stack.pop()
    return _free(term)


def _united(children: Sequence[Term]) -> tuple[Variable, ...]:
    """Return the free variables of terms, in order; most nodes share those of one of their children."""
    found: tuple[Variable, ...] = ()
    for child in children:
        free = _free(child)
        if free and free != found:
            found = tuple(dict.fromkeys((*found, *free))) if found else free
    return found


def _free(term: Term) -> tuple[Variable, ...]:
    return (term,) if isinstance(term, Variable) else term.free or ()


def _sketch(term: Term, depth: int) -> str:
    """Return a term for debugging, cut below a depth; `printer` writes SMT-LIB."""
    if not term.children:
        return _head(term)
    below = " ".join(_sketch(child, depth - 1) for child in term.children) if depth else "..."
    return f"({_head(term)} {below})"


def _head(term: Term) -> str:
    if isinstance(term, Variable):
        return term.name
    if isinstance(term, Value):
        return str(term.value)
    if isinstance(term, Atom):
        return term.predicate.name
    if isinstance(term, Call):
        return term.function.name
    if isinstance(term, Binder):
        return f"{term.kind} ({' '.join(f'({variable.name} {variable.sort})' for variable in term.variables)})"
    assert isinstance(term, Apply)
    return term.operator


def interned() -> int:
    """Return the number of terms that are alive."""
    return len(_TABLE)
