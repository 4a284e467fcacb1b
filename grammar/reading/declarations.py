"""The names that a script declares: sorts, data types, predicates, functions, definitions."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TypeVar

from chcfuzz.grammar.errors import GrammarError, Refusal, SortError
from chcfuzz.grammar.problem import BaseProblem, Problem, Signature, signature_of
from chcfuzz.grammar.reading.leniences import words
from chcfuzz.grammar.reading.syntax import first_token, spelled, symbol_of
from chcfuzz.grammar.reading.tree import Node, Tree
from chcfuzz.grammar.sort_kinds import built_in_kinds, check_parts, kind_named, plain_sorts, sort_named
from chcfuzz.grammar.sorts import (
    INT,
    Constructor,
    Datatype,
    OpenGroup,
    Selector,
    Sort,
    has_finite_value,
    uninterpreted,
)
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.symbols import UNDECLARABLE, quoted
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import MAX_DIGITS, Function, Predicate, Term, Value, Variable, real
from chcfuzz.grammar.theory import named_constants
from lark import Token

SMT_PROBLEMS = "SMT problems"  # the language of scripts that need not be Horn
MAX_SORT_DEPTH = 100
MAX_INSTANCES = 1000  # of data types with parameters: a definition may need ever larger ones
MAX_INDEX = (1 << 31) - 1  # what Z3 holds in an int

F = TypeVar("F")


@dataclass(frozen=True)
class Definition:
    """A `define-fun`: its parameters and its body."""

    parameters: tuple[Variable, ...]
    body: Term


@dataclass(frozen=True)
class DatatypeText:
    """A data type as it was declared; with parameters, each list of sorts in their place makes another one."""

    name: Token
    parameters: tuple[str, ...]
    constructors: tuple[Node, ...]


@dataclass(frozen=True)
class Overload:
    """A meaning of a name of a data type: the operator, the sorts of its arguments, and the sort of its result."""

    operator: str
    domain: tuple[Sort, ...]
    result: Sort


@dataclass(frozen=True)
class _SortMacro:
    parameters: tuple[str, ...]
    body: Node


@dataclass(frozen=True)
class _SortFamily:
    """An uninterpreted sort with parameters; each list of sorts in their place is another sort without parameters."""

    name: str
    arity: int


_Named = Sort | _SortMacro | _SortFamily | DatatypeText  # by the name of a sort


class Declarations:
    """The names that the commands of a script have declared so far; `name` is the script's own."""

    def __init__(self, name: str, language: str = "CHC systems") -> None:
        """`language` names in messages what the script states, and decides which operators are known."""
        self.name = name
        self.language = language
        self.words = words(is_smt=language == SMT_PROBLEMS)
        self.datatypes: list[tuple[Datatype, ...]] = []
        self.predicates: dict[str, Predicate] = {}
        self.functions: dict[str, Function] = {}
        self.leaves: dict[str, Term] = dict(named_constants())  # and functions without parameters that were used
        self.uninterpreted: list[Sort] = []
        self.numerals_are_real = False
        self.macros: dict[str, Definition] = {}
        self.defined: list[str] = []  # the names of `define-fun`s of an SMT problem, which are macros too
        self.constants: dict[str, Sort] = {}  # free, without a value so far
        self.rule_variables: set[Variable] = set()  # of Z3's rules: each rule binds those that occur in it
        self.symbols = set(self.words)
        self.late: set[str] = set()  # those declared after something was bound, maybe under their names
        self._has_bound = False
        self._selectors: set[str] = set()
        self._sorts: dict[str, _Named] = dict(plain_sorts())
        self._signature: Signature = {}
        self._open: OpenGroup | None = None
        self._undefined: list[tuple[Sort, DatatypeText, tuple[Sort, ...]]] = []  # of the open group
        self._instances: dict[str, str] = {}  # as written out, and the name of the data type
        self._instance_symbols: dict[str, tuple[str, ...]] = {}  # what constructors and selectors are called there
        self._macro_sorts: dict[tuple[str, tuple[Sort, ...]], Sort] = {}

    def copy(self) -> Declarations:
        """Return the same declarations, which can grow on their own."""
        other = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, dict | list | set):
                setattr(other, name, value.copy())
        return other

    def adopt(self, problem: BaseProblem) -> None:
        """Declare everything that a system or a problem declares."""
        self.datatypes = list(problem.datatypes)
        if isinstance(problem, System):
            self.predicates = {predicate.name: predicate for predicate in problem.predicates}
        elif isinstance(problem, Problem):
            self.functions = {function.name: function for function in problem.functions}
            self.uninterpreted = list(problem.sorts)
        self._signature = problem.signature
        self.symbols.update(self.predicates, self.functions, (s.strip("|") for s in self._signature))
        self._sorts |= {datatype.name: datatype.sort for group in problem.datatypes for datatype in group}
        self._sorts |= {sort.name: sort for sort in self.uninterpreted}

    # Errors

    def error(self, node: Node, what: str | SortError, text: str | None = None) -> GrammarError:
        """Return the error that rejects a piece, with its place."""
        token = first_token(node)
        place = token.line or 1, token.column or 1
        made = GrammarError(self.name, *place, str(what), str(token) if text is None else text)
        return made if isinstance(what, str) else made.because(what.refusal)

    def unknown(self, node: Node, what: str, text: str | None = None) -> GrammarError:
        """Return the error that rejects a name without a meaning; `what` is a sort, a symbol or an operator."""
        return self.error(node, f"unknown {what}", text).because(Refusal.UNKNOWN)

    def checked(self, node: Node, make: Callable[[], F]) -> F:
        """Return the result of `make`; a `SortError` becomes an error with a place."""
        try:
            return make()
        except SortError as error:
            raise self.error(node, error) from None

    def number(self, token: Token) -> int:
        """Return the value of a numeral; Python refuses to convert longer ones."""
        if len(token) > MAX_DIGITS:
            raise self.error(token, f"a number of more than {MAX_DIGITS} digits")
        return int(token)

    def index(self, token: Token) -> int:
        """Return the value of a numeral, or of hexadecimal digits, that is an index."""
        value = int(token[2:], 16) if token.type == "HEXADECIMAL" else self.number(token)
        if not 0 <= value <= MAX_INDEX:
            raise self.error(token, f"an index that is not in 0 to {MAX_INDEX}")
        return value

    # Symbols

    def new_symbol(self, name: Token) -> None:
        """Declare a name, which must be new."""
        self._new_name(name, symbol_of(name))

    def _new_name(self, node: Node, name: str) -> None:
        if name in self.symbols:
            raise self.error(node, "this name has a meaning already", name)
        if name in UNDECLARABLE:
            raise self.error(node, "Z3 reads this name as a word of its own, between bars too", name)
        self.symbols.add(name)
        if self._has_bound:
            self.late.add(name)

    def bound(self, nodes: Sequence[Tree], around: Sequence[str] = ()) -> dict[str, Variable]:
        """Return the variables that a quantifier binds, by their names in the script.

        They get other names where theirs are bound around, or stand for something in the script: what `let`
        carries below the quantifier would be caught.
        """
        found: dict[str, Variable] = {}
        taken = set(around)
        for node in nodes:
            name = symbol_of(node.children[0])
            if name in found:
                raise self.error(node, "bound twice")
            found[name] = Variable(fresh_name(name, self.symbols, taken), self.sort(node.children[1]))
            taken.add(found[name].name)
        self._has_bound = True
        return found

    def overloads(self, name: str) -> Iterator[Overload]:
        """Yield the meanings of a constructor or selector: one for each data type that has it."""
        for own in (name, *self._instance_symbols.get(name, ())):
            operator = quoted(own)
            for domain, result in self._signature.get(operator, ()):
                yield Overload(operator, domain, result)

    def testers(self, constructor: str) -> Iterator[Overload]:
        """Yield the meanings of a tester `(_ is constructor)`, as `overloads` does."""
        for own in (constructor, *self._instance_symbols.get(constructor, ())):
            operator = f"(_ is {quoted(own)})"
            for domain, result in self._signature.get(operator, ()):
                yield Overload(operator, domain, result)

    # Sorts

    def sort(self, node: Node, local: Mapping[str, Sort] | None = None, depth: int = 0) -> Sort:
        """Return the sort that a piece names; `local` holds the parameters of the definition around it."""
        if local is None and isinstance(node, Token):
            plain = self._sorts.get(symbol_of(node))
            if isinstance(plain, Sort):
                return plain
        if depth > MAX_SORT_DEPTH:
            raise self.error(node, "sorts nested too deeply")
        if isinstance(node, Tree) and node.rule == "indexed_sort":
            return self._indexed_sort(node)
        head, *parameters = node.children if isinstance(node, Tree) else [node]
        sorts = tuple(self.sort(parameter, local, depth + 1) for parameter in parameters)
        name = symbol_of(head)
        kind = kind_named(name)
        if kind is not None and sorts and kind.parameters == len(sorts):
            return self.checked(head, lambda: sort_named(name, parameters=sorts))  # type: ignore[return-value]
        known = (local or {}).get(name) or self._sorts.get(name)
        if isinstance(known, _SortMacro) and len(known.parameters) == len(sorts):
            return self._expanded(name, known, sorts, depth)
        if isinstance(known, DatatypeText) and len(known.parameters) == len(sorts):
            return self._instance(head, known, sorts)
        if isinstance(known, _SortFamily) and known.arity == len(sorts):
            return self._member(head, known, sorts)
        if not isinstance(known, Sort) or sorts:
            raise self.unknown(head, "sort")
        return known

    def constant(self, token: Token, make: Callable[[str], Term]) -> Term:
        """Return the constant of a token; raises `GrammarError`."""
        term = self.checked(token, lambda: make(str(token)))
        if self.numerals_are_real and term.sort is INT and isinstance(term, Value):
            return real(Fraction(term.value))
        return term

    def _indexed_sort(self, node: Tree) -> Sort:
        """Return a sort such as `(_ BitVec 8)`."""
        name, *indices = node.children
        kind = built_in_kinds().get(symbol_of(name))
        if kind is None or not indices or len(indices) != kind.indices:
            raise self.unknown(node, "sort", f"(_ {spelled(node)})")
        return self.checked(node, lambda: kind.sort(*map(self.index, indices)))

    def _expanded(self, name: str, macro: _SortMacro, sorts: tuple[Sort, ...], depth: int) -> Sort:
        """Each expansion is made once: definitions may double what they name, fifty times in a row."""
        key = name, sorts
        if key not in self._macro_sorts:
            local = dict(zip(macro.parameters, sorts, strict=True))
            self._macro_sorts[key] = self.sort(macro.body, local, depth + 1)
        return self._macro_sorts[key]

    def define_sort(self, name: Token, parameters: Sequence[str], definition: Node) -> None:
        """Define a name for a sort, with parameters or without."""
        self._new_sort(name)
        macro = _SortMacro(tuple(parameters), definition)
        self._sorts[symbol_of(name)] = macro if parameters else self.sort(definition)

    def declare_sort(self, name: Token, arity: int) -> None:
        """Declare an uninterpreted sort; one with parameters becomes another sort at each list of arguments."""
        self._new_sort(name)
        if arity:
            self._sorts[symbol_of(name)] = _SortFamily(symbol_of(name), arity)
        else:
            self._declared_sort(symbol_of(name))

    def _declared_sort(self, name: str) -> Sort:
        self._sorts[name] = sort = uninterpreted(name)
        self.uninterpreted.append(sort)
        return sort

    def _member(self, node: Node, family: _SortFamily, sorts: tuple[Sort, ...]) -> Sort:
        """Return the sort of a family for these arguments; it is declared at its first use."""
        written = " ".join([family.name, *map(str, sorts)])
        if written in self._instances:
            found = self._sorts[self._instances[written]]
            assert isinstance(found, Sort)
            return found
        self._check_instances(node)
        name = self._instances[written] = fresh_name(family.name + _suffix(sorts), {*self._sorts})
        return self._declared_sort(name)

    def _check_instances(self, node: Node) -> None:
        if len(self._instances) == MAX_INSTANCES:
            raise self.error(node, f"more than {MAX_INSTANCES} sorts made of those with parameters")

    def _new_sort(self, name: Token) -> None:
        if symbol_of(name) in self._sorts or symbol_of(name) in built_in_kinds():
            raise self.error(name, "a sort of this name exists already")

    # Data types

    def add_datatypes(self, declared: Sequence[DatatypeText]) -> None:
        """Declare data types that may refer to each other; those with parameters are instantiated at each use."""
        for text in declared:
            self._new_sort(text.name)
            self._sorts[symbol_of(text.name)] = text
            for constructor in text.constructors if text.parameters else ():
                name, *selectors = _names(constructor)
                self.new_symbol(name)
                for selector in selectors:
                    self._new_selector(selector, symbol_of(selector))
        plain = [text for text in declared if not text.parameters]
        if plain:
            self._open = group = OpenGroup()
            sorts = [group.new(symbol_of(text.name)) for text in plain]
            self._sorts |= {sort.name: sort for sort in sorts}
            self._undefined = [(sort, text, ()) for sort, text in zip(sorts, plain, strict=True)]
            self._close(group, plain[0].name)

    def _instance(self, node: Node, text: DatatypeText, sorts: tuple[Sort, ...]) -> Sort:
        """Return the instance of a data type for these sorts; it is created at its first use."""
        generic = symbol_of(text.name)
        written = " ".join([generic, *map(str, sorts)])
        if written not in self._instances:
            self._check_instances(node)
            name = self._instances[written] = fresh_name(generic + _suffix(sorts), {*self._sorts})
            outermost = self._open is None
            group = self._open = self._open or OpenGroup()
            self._sorts[name] = sort = group.new(name)
            self._undefined.append((sort, text, sorts))
            if outermost:
                self._close(group, node)
        found = self._sorts[self._instances[written]]
        assert isinstance(found, Sort)
        return found

    def _close(self, group: OpenGroup, node: Node) -> None:
        """Define the sorts that are undefined, and those that their definitions mention."""
        while self._undefined:
            sort, text, sorts = self._undefined.pop(0)
            local = dict(zip(text.parameters, sorts, strict=True))
            suffix = sort.name[len(symbol_of(text.name)) :]
            group.define(sort, [self._constructor(node, local, suffix) for node in text.constructors])
        closed = group.close()
        self._open = None
        self._macro_sorts.clear()  # it may hold sorts of the group that were for its time only
        for datatype in closed:
            self._sorts[datatype.name] = datatype.sort
            if not has_finite_value(datatype):
                raise self.error(node, "a data type without any finite value", datatype.name)
        self.datatypes.append(closed)
        self._signature = signature_of(self.datatypes)

    def _constructor(self, node: Node, local: Mapping[str, Sort], suffix: str) -> Constructor:
        name, *names = _names(node)
        own = self._own_name(name, suffix)
        self._new_name(name, own)
        fields: dict[str, Selector] = {}
        for selector, of in zip(names, _field_sorts(node), strict=True):
            own_selector = self._own_name(selector, suffix)
            if own_selector in fields:
                raise self.error(selector, "two fields of one name")
            self._new_selector(selector, own_selector)
            sort = self.sort(of, local)
            self.checked(of, partial(check_parts, (sort,)))
            fields[own_selector] = Selector(own_selector, sort)
        return Constructor(own, tuple(fields.values()))

    def _new_selector(self, node: Token, name: str) -> None:
        """Selectors of several data types may share a name; nothing else may have it."""
        if name not in self._selectors:
            self._new_name(node, name)
            self._selectors.add(name)

    def _own_name(self, name: Token, suffix: str) -> str:
        """Return the name of a constructor or selector in an instance; without parameters, the name itself."""
        if not suffix:
            return symbol_of(name)
        own = symbol_of(name) + suffix
        known = self._instance_symbols.get(symbol_of(name), ())
        if own not in known:
            self._instance_symbols[symbol_of(name)] = (*known, own)
        return own


def _suffix(sorts: Sequence[Sort]) -> str:
    """Return the arguments of a sort as the end of a name."""
    return "<" + ",".join(re.sub(r"[(|)]|_ ", "", str(sort)).replace(" ", ".") for sort in sorts) + ">"


def _names(constructor: Node) -> list[Token]:
    """Return the name of a constructor, followed by those of its selectors."""
    name, *selectors = constructor.children if isinstance(constructor, Tree) else [constructor]
    return [name, *(selector.children[0] for selector in selectors)]


def _field_sorts(constructor: Node) -> list[Node]:
    selectors = constructor.children[1:] if isinstance(constructor, Tree) else []
    return [selector.children[1] for selector in selectors]
