"""Theories as tables: their operators, the sorts that these take and give, and the registry of all theories.

A theory is a module of `theories/`, or one outside of the project. Modules of theories make terms, and terms need the
typing rules, so the built-in ones are loaded by name when a table is used for the first time.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import import_module
from itertools import pairwise, product
from typing import Any, TypeVar

from chcfuzz.grammar.errors import LimitError, OperandError
from chcfuzz.grammar.sorts import Sort

Indices = tuple[int, ...]
Sorts = Sequence[Sort]
Place = tuple[Indices, tuple[Sort, ...]]  # indices and sorts of arguments that an operator may take
Application = tuple[str, tuple[Sort, ...]]  # an operator with its indices, and the sorts it takes there
F = TypeVar("F", bound=Callable[..., Any])
# The text of an application, from the sort of its first argument, the indices, and the texts of the arguments.
Native = Callable[[Sort, Indices, list[str]], str]
MOST_ARGUMENTS = 3  # of applications that are drawn

# The order is part of the meaning of stored choices: append.
BUILT_IN = (
    "core",
    "integers",
    "reals",
    "arrays",
    "bit_vectors",
    "datatypes",
    "uninterpreted",
    "floating_point",
    "strings",
    "sequences",
    "sets",
)


def alike(sorts: Sorts) -> list[Place]:
    """Return places with up to three arguments of one sort."""
    return [((), (sort,) * length) for length in range(1, MOST_ARGUMENTS + 1) for sort in sorts]


def any_sorts(sorts: Sorts) -> list[Place]:
    """Return places with up to three arguments of any sorts."""
    return [((), domain) for length in range(1, MOST_ARGUMENTS + 1) for domain in product(sorts, repeat=length)]


@dataclass(frozen=True, eq=False)
class TypingRule:
    """A typing rule: the sort of an application with these indices to these sorts, or None if it is ill-sorted.

    `places` lists the indices and sorts that drawing tries; their order is part of the meaning of stored choices.
    """

    result: Callable[[Indices, Sorts], Sort | None]
    places: Callable[[Sorts], list[Place]] = alike


def of_one_sort(
    fits: Callable[[Sort], bool], result: Sort | None, least: int = 1, most: int | None = None
) -> TypingRule:
    """Return the rule for arguments of one sort that `fits`; the result has this sort, or `result`."""

    def rule(indices: Indices, sorts: Sorts) -> Sort | None:
        if indices or not least <= len(sorts) <= (most or len(sorts)) or not fits(sorts[0]):
            return None
        return (result or sorts[0]) if all(sort is sorts[0] for sort in sorts) else None

    return TypingRule(rule)


@dataclass(frozen=True, eq=False)
class Operator:
    """An operator: its typing rule, its values, how it is drawn, and its form for each reader of texts.

    `value` is called with the application and the values of its arguments; None if it is not evaluated. An operator
    may have a value although arguments do not: `lenient` is called instead, with values that may be `UNDETERMINED`.
    """

    name: str
    rule: TypingRule
    value: Callable[..., Any] | None = None
    lenient: Callable[[Sequence[Any]], Any] | None = None
    by_zero: Callable[[Any], Any] | None = None  # the value by zero of a division, from the dividend, in some model
    defined: Callable[[Any], Any] | None = None  # from an application: the condition under which its value is fixed
    slow_on: Callable[[Sort], bool] | None = None  # sorts on which solvers run for minutes, so that it is not drawn
    is_literal: bool = False  # applied to constants alone, it is read as a constant
    is_connective: bool = False
    is_for_smt: bool = False  # drawn for SMT problems alone, since stored choices for CHC systems count operators
    least_drawn: int = 1  # arguments of applications that are drawn
    least_reduced: int | None = None  # arguments that reduction leaves when it removes some; a single one is the result
    constants_from: int | None = None  # from this argument on, constants other than zero are drawn
    names: Mapping[str, str] = field(default_factory=dict)  # by readers that know it under another name
    written_out: Callable[..., Any] | None = None  # the same in other operators, from the arguments
    lacking: frozenset[str] = frozenset()  # readers that get it written out
    lacking_on: Sort | None = None  # the only sort on which they lack it
    binary: frozenset[str] = frozenset()  # readers that read it with two arguments, not more
    readers: frozenset[str] | None = None  # of `printing.dialects`, if not all of them have it
    takes_functions: bool = False  # an argument may be a `lambda`


def infix(symbol: str) -> Native:
    """Return the native form with a symbol between the arguments, if there are several."""
    return lambda _, _i, args: f"({f' {symbol} '.join(args)})" if len(args) > 1 else args[0]


def joined_pairs(form: str, pairs: Callable[[list[str]], Iterable[tuple[str, str]]] = pairwise) -> Native:
    """Return the native form of a conjunction about pairs of arguments, each as a format of two texts."""

    def written(_: Sort, _indices: Indices, args: list[str]) -> str:
        parts = [f"({form.format(a, b)})" for a, b in pairs(args)]
        return parts[0] if len(parts) == 1 else f"({' and '.join(parts)})"

    return written


class ExtensionKind(enum.Enum):
    """The kind of an extension that Z3 reads."""

    ALIAS = "another name"
    MIXED = "Ints among Reals are converted"
    REALS = "Ints are converted"
    ALONE = "one argument stands for itself"
    WRITTEN_OUT = "not in every reader: written out"


@dataclass(frozen=True)
class Lenience:
    """A row: these operators, and their place in Z3's source; `means` is the meaning of an alias."""

    kind: ExtensionKind
    operators: tuple[str, ...]
    source: str
    means: str = ""


ALONE_IN_Z3 = "src/ast/ast.cpp, ast_manager::mk_app: associative operators of one argument"


@dataclass(frozen=True)
class WrittenOut:
    """An operator that some readers know, and that is written out when it is read; `write` may raise `SortError`."""

    write: Callable[[Indices, list[Any]], Any]
    indices: int = 0
    is_for_smt: bool = True  # in CHC systems, a declared symbol may have this name


@dataclass(frozen=True)
class Theory:
    """Everything that the project knows about a theory; docs/adding-a-theory.md explains the parts.

    `constants` make terms of tokens, by their names in `smtlib.lark`. `literal` returns the term of
    `(_ NAME INDEX...)`, or None; `names` make the constants that are plain words, and `qualified` those of
    `(as NAME SORT)`, by the name. `alt_ergo` has the operators in the native language of Alt-Ergo. `taken` are further
    names that some solver reads as its own although a script declares a function of this name, and `taken_sorts` the
    same for sorts. `samples` are sorts from which learned models derive the words of the operators.
    """

    name: str
    operators: tuple[Operator, ...] = ()
    kinds: tuple[Any, ...] = ()  # of sorts: `sort_kinds.SortKind`
    constants: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)
    literal: Callable[[str, Indices], Any] | None = None
    names: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    qualified: Mapping[str, Callable[[Sort], Any]] = field(default_factory=dict)
    leniences: tuple[Lenience, ...] = ()
    readings: Mapping[str, WrittenOut] = field(default_factory=dict)
    alt_ergo: Mapping[str, Native] = field(default_factory=dict)
    taken: tuple[str, ...] = ()
    taken_sorts: tuple[str, ...] = ()
    samples: tuple[Sort, ...] = ()


_THEORIES: list[Theory] = []
_OPERATORS: dict[str, Operator] = {}
_KINDS: dict[str, Any] = {}
_DERIVED: list[Callable[[], None]] = []
_LENIENT: dict[str, Callable[[Sequence[Any]], Any]] = {}


def derived(function: F) -> F:
    """Cache a table that is computed from the theories, until another one is registered."""
    cached = lru_cache(maxsize=4096)(function)
    _DERIVED.append(cached.cache_clear)
    return cached  # type: ignore[return-value]


def register(theory: Theory) -> None:
    """Add a theory; each process that reads, draws or reduces problems with it has to do so at its start.

    Raises `ValueError` if a name has a meaning already.
    """
    _load()
    _register(theory)


def _register(theory: Theory) -> None:
    for table, rows in ((_OPERATORS, theory.operators), (_KINDS, theory.kinds)):
        for row in rows:
            if row.name in table:
                raise ValueError(f"{theory.name} defines {row.name}, which has a meaning already")
            table[row.name] = row
    _LENIENT.update({each.name: each.lenient for each in theory.operators if each.lenient})
    _THEORIES.append(theory)
    for forget in _DERIVED:
        forget()


@cache
def _load() -> None:
    for name in BUILT_IN:
        _register(import_module(f"chcfuzz.grammar.theories.{name}").THEORY)


def theories() -> Sequence[Theory]:
    """Return all theories, the built-in ones first."""
    _load()
    return _THEORIES


def operators() -> Mapping[str, Operator]:
    """Return the operators of all theories by name, in the order in which they are drawn."""
    _load()
    return _OPERATORS


def kinds() -> Mapping[str, Any]:
    """Return the kinds of sorts by name; see `sort_kinds.kind_of`."""
    _load()
    return _KINDS


def lenient() -> Mapping[str, Callable[[Sequence[Any]], Any]]:
    """Return the values of operators that may have one although an argument does not."""
    _load()
    return _LENIENT


def operator_names(is_smt: bool = True) -> frozenset[str]:
    """Return the names of all operators, without indices."""
    return frozenset(each.name for each in operators().values() if is_smt or not each.is_for_smt)


@derived
def divisions() -> frozenset[str]:
    """Return the operators whose value SMT-LIB leaves open if an argument after the first one is zero."""
    return frozenset(each.name for each in operators().values() if each.by_zero)


@derived
def partial_operators() -> frozenset[str]:
    """Return the operators other than divisions whose value SMT-LIB leaves open for some arguments."""
    return frozenset(each.name for each in operators().values() if each.defined)


@derived
def takers_of_functions() -> tuple[str, ...]:
    """Return the operators with an argument that may be a `lambda`, and their other names."""
    names = [each.name for each in operators().values() if each.takes_functions]
    rows = (row for theory in theories() for row in theory.leniences if row.means in names)
    return (*names, *(name for row in rows for name in row.operators))


@derived
def alt_ergo_forms() -> Mapping[str, Native]:
    """Return the forms of operators in the native language of Alt-Ergo, by name."""
    return {name: form for theory in theories() for name, form in theory.alt_ergo.items()}


@derived
def constants() -> Mapping[str, Callable[[str], Any]]:
    """Return the functions that make terms of tokens, by the kinds of tokens; they raise `SortError`."""
    return {kind: make for theory in theories() for kind, make in theory.constants.items()}


def literal(name: str, indices: Indices) -> Any:
    """Return the term of `(_ NAME INDEX...)`, None if no theory has it; raises `SortError`."""
    found = (theory.literal(name, indices) for theory in theories() if theory.literal)
    return next((term for term in found if term is not None), None)


@derived
def named_constants() -> Mapping[str, Any]:
    """Return the constants that are plain words, by name."""
    return {name: make() for theory in theories() for name, make in theory.names.items()}


@derived
def qualified() -> Mapping[str, Callable[[Sort], Any]]:
    """Return the functions that make the constants of `(as NAME SORT)`, by name; they raise `SortError`."""
    return {name: make for theory in theories() for name, make in theory.qualified.items()}


@derived
def readings() -> Mapping[str, WrittenOut]:
    """Return the operators that are written out when they are read, by name."""
    return {name: row for theory in theories() for name, row in theory.readings.items()}


@lru_cache(maxsize=1 << 16)
def split_operator(operator: str) -> tuple[str, Indices]:
    """Return name and indices: `(_ extract 7 0)` is ("extract", (7, 0)). A tester is a name as a whole."""
    if not operator.startswith("(_ ") or operator.startswith("(_ is "):
        return operator, ()
    name, *indices = operator[3:-1].split()
    return name, tuple(map(int, indices))


def joined(name: str, indices: Sequence[int]) -> str:
    """Return an operator or a sort with its indices as text."""
    return f"(_ {name} {' '.join(map(str, indices))})" if indices else name


def result_sort(operator: str, sorts: Sorts) -> Sort:
    """Return the sort of `operator` applied to terms of these sorts; raises `SortError` if it is ill-sorted."""
    result = _result(operator, tuple(sorts))
    if result is None:
        raise OperandError(f"{operator} is not defined on ({' '.join(map(str, sorts))})")
    return result


@derived
def _result(operator: str, sorts: tuple[Sort, ...]) -> Sort | None:
    name, indices = split_operator(operator)
    found = operators().get(name)
    return found.rule.result(indices, sorts) if found else None


@derived
def applications(
    sorts: tuple[Sort, ...], with_smt_operators: bool = False
) -> Mapping[Sort, Mapping[str, tuple[Application, ...]]]:
    """Read the table backwards: return the operators that make terms of these sorts from terms of these sorts.

    By the sort that is made and the operator's name; up to three arguments. `with_smt_operators` adds those that are
    drawn for SMT problems alone, behind the others.
    """
    drawn = sorted(operators().values(), key=lambda each: each.is_for_smt)
    made: dict[Sort, dict[str, tuple[Application, ...]]] = {sort: {} for sort in sorts}
    fitting: dict[TypingRule, list[tuple[Indices, tuple[Sort, ...], Sort]]] = {}
    for operator in drawn:
        if operator.is_for_smt and not with_smt_operators:
            continue
        if operator.rule not in fitting:
            fitting[operator.rule] = list(_fitting(operator.rule, sorts))
        for indices, domain, result in fitting[operator.rule]:
            if operator.slow_on and any(map(operator.slow_on, domain)):
                continue
            use = joined(operator.name, indices), domain
            made[result][operator.name] = (*made[result].get(operator.name, ()), use)
    return made


def _fitting(rule: TypingRule, sorts: tuple[Sort, ...]) -> Iterator[tuple[Indices, tuple[Sort, ...], Sort]]:
    """Yield the places where a rule makes one of these sorts, with that sort."""
    for indices, domain in rule.places(sorts):
        try:
            result = rule.result(indices, domain)
        except LimitError:
            continue
        if result is not None and result in sorts:
            yield indices, domain, result
