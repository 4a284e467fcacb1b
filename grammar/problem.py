"""SMT problems: sorts, functions and assertions, and what they have in common with CHC systems."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from chcfuzz.grammar import definitions
from chcfuzz.grammar.form import PLAIN, Form
from chcfuzz.grammar.paths import Link, Path, path_of
from chcfuzz.grammar.queries import stated_queries
from chcfuzz.grammar.recursion import RecursiveFunction, definitions_in
from chcfuzz.grammar.sorts import BOOL, FUNCTION, Datatype, Sort, with_inner_sorts
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import Binder, Call, Function, Term, kept, subterms

__all__ = ["Assertion", "BaseProblem", "Call", "Function", "Pairs", "Problem", "Signature"]

Groups = tuple[tuple[Datatype, ...], ...]  # data types that were declared together
Pairs = tuple[tuple[str, str], ...]
Signature = Mapping[str, tuple[tuple[tuple[Sort, ...], Sort], ...]]

_THEORIES = {
    "Int": "LIA",
    "Real": "LRA",
    "Array": "Arrays",
    "BitVec": "BV",
    "FloatingPoint": "FP",
    "RoundingMode": "FP",
    "String": "Strings",
    "RegLan": "Strings",
    "Seq": "Seq",
    "Set": "Sets",
    "Bool": None,
    FUNCTION: None,
}


@dataclass(frozen=True)
class Assertion:
    """An asserted formula and the name it was asserted under; `is_definition` if it defines a recursive function."""

    formula: Term
    name: str | None = None
    is_definition: bool = field(default=False, kw_only=True)

    @property
    def annotations(self) -> tuple[str, ...]:
        """The attributes with which the formula is asserted."""
        return (f":named {quoted(self.name)}",) if self.name else ()

    @property
    def body_roots(self) -> tuple[tuple[Link, Term], ...]:
        """The subterms of `formula` that rows for formulas may rewrite, with the links to them."""
        return ((None, self.formula),)

    @property
    def body_paths(self) -> tuple[Path, ...]:
        """The paths to these subterms."""
        return tuple(path_of(link) for link, _ in self.body_roots)

    @property
    def is_well_formed(self) -> bool:
        """Whether the domain allows the formula."""
        return True


class BaseProblem(ABC):
    """A question to a solver: declarations and formulas. Immutable; the tuples keep the order of the text.

    `info` and `options` are the pairs of `set-info` and `set-option`, names without the colon.
    """

    datatypes: Groups
    info: Pairs
    options: Pairs

    @property
    def formulas(self) -> tuple[Term, ...]:
        """The asserted formulas, in order."""
        return tuple(assertion.formula for assertion in self.asserted)

    @property
    @abstractmethod
    def asserted(self) -> Sequence[Assertion]:
        """The assertions, in order: of a CHC system, its clauses."""

    @property
    def declared_functions(self) -> tuple[Function, ...] | None:
        """The uninterpreted functions that terms may call; None for a CHC system, which has predicates only."""
        return None

    @property
    @abstractmethod
    def declared_names(self) -> Iterable[str]:
        """The names of uninterpreted symbols: sorts, functions and predicates."""

    @property
    @abstractmethod
    def declared_sorts(self) -> Iterable[Sort]:
        """The sorts in the declarations of predicates and functions, and the declared sorts themselves."""

    @abstractmethod
    def with_formula(self, index: int, formula: Term) -> Self:
        """Return the same problem with one formula replaced."""

    @abstractmethod
    def with_header(self, info: Sequence[tuple[str, str]], options: Sequence[tuple[str, str]]) -> Self:
        """Return the same problem with other `set-info` and `set-option`."""

    @property
    def status(self) -> str | None:
        """The answer that `set-info` declares: "sat", "unsat", or None."""
        declared = dict(self.info).get("status")
        return declared if declared in ("sat", "unsat") else None

    @cached_property
    def nodes(self) -> int:
        """The number of nodes of the formulas, as trees."""
        return sum(formula.size for formula in self.formulas)

    @cached_property
    def signature(self) -> Signature:
        """The argument sorts and result sorts of constructors, selectors and testers, by `Apply.operator`.

        Selectors of different data types may share a name.
        """
        return signature_of(self.datatypes)

    @cached_property
    def datatype_names(self) -> frozenset[str]:
        """The names of the data types, constructors and selectors."""
        found: set[str] = set()
        for datatype in (datatype for group in self.datatypes for datatype in group):
            found.add(datatype.name)
            for constructor in datatype.constructors:
                found.update((constructor.name, *(selector.name for selector in constructor.selectors)))
        return frozenset(found)

    @cached_property
    def partial_selectors(self) -> frozenset[str]:
        """The selectors, as `Apply.operator` spells them, that some constructor of their data type does not have."""
        return frozenset(
            selector.operator
            for group in self.datatypes
            for datatype in group
            if len(datatype.constructors) > 1
            for constructor in datatype.constructors
            for selector in constructor.selectors
        )

    @cached_property
    def theories(self) -> frozenset[str]:
        """The theories whose sorts occur: "LIA", "LRA", "Arrays", "BV", "FP", "Strings", "Seq", "Sets", "ADT", "UF".

        Bool is in all of them. Sorts inside arrays and data types count.
        """
        stated = [*self.declared_sorts, *(sort for formula in self.formulas for sort in sorts_in(formula))]
        return frozenset(theory for sort in with_inner_sorts(stated) if (theory := _theory(sort)))


def _theory(sort: Sort) -> str | None:
    return "ADT" if sort.datatype else _THEORIES.get(sort.name, "UF")


def signature_of(groups: Iterable[tuple[Datatype, ...]]) -> Signature:
    """Return the signature of these data types; see `BaseProblem.signature`."""
    found: dict[str, list[tuple[tuple[Sort, ...], Sort]]] = {}
    for datatype in (datatype for group in groups for datatype in group):
        own = datatype.sort
        for constructor in datatype.constructors:
            domain = tuple(selector.sort for selector in constructor.selectors)
            found.setdefault(constructor.operator, []).append((domain, own))
            found.setdefault(constructor.tester, []).append(((own,), BOOL))
            for selector in constructor.selectors:
                found.setdefault(selector.operator, []).append(((own,), selector.sort))
    return {operator: tuple(overloads) for operator, overloads in found.items()}


def sorts_in(formula: Term) -> tuple[Sort, ...]:
    """Return the sorts of the subterms of a formula and of the variables that it binds."""

    def found() -> tuple[Sort, ...]:
        sorts: dict[Sort, None] = {}
        for term in subterms(formula):
            sorts[term.sort] = None
            if isinstance(term, Binder):
                sorts.update((variable.sort, None) for variable in term.variables)
        return tuple(sorts)

    return kept(formula, "sorts", found)


@dataclass(frozen=True)
class Problem(BaseProblem):
    """An SMT problem. `sorts` are uninterpreted; `functions` include the free constants.

    The formulas have all definitions of `form` expanded.
    """

    datatypes: Groups
    sorts: tuple[Sort, ...]
    functions: tuple[Function, ...]
    assertions: tuple[Assertion, ...]
    info: Pairs = ()
    options: Pairs = ()
    form: Form = PLAIN

    @property
    def asserted(self) -> tuple[Assertion, ...]:
        """The assertions, in order."""
        return self.assertions

    @property
    def declared_functions(self) -> tuple[Function, ...]:
        """The functions, which include the free constants."""
        return self.functions

    @property
    def declared_names(self) -> Iterable[str]:
        """The names of the sorts and functions."""
        return (*(sort.name for sort in self.sorts), *(function.name for function in self.functions))

    @property
    def declared_sorts(self) -> Iterable[Sort]:
        """The sorts of the functions, and the uninterpreted sorts."""
        of_functions = (sort for function in self.functions for sort in (*function.parameters, function.result))
        return (*self.sorts, *of_functions)

    @cached_property
    def declared_theories(self) -> frozenset[str]:
        """The theories of the sorts in declarations."""
        return frozenset(filter(None, map(_theory, with_inner_sorts(self.declared_sorts))))

    @cached_property
    def theories(self) -> frozenset[str]:
        """The theories of the sorts, and "UF" if a function has parameters."""
        has_functions = any(function.parameters for function in self.functions)
        return super().theories | ({"UF"} if has_functions else set())

    def with_assertions(self, assertions: Sequence[Assertion]) -> Self:
        """Return the same problem with other assertions."""
        return replace(self, assertions=tuple(assertions))

    def with_formula(self, index: int, formula: Term) -> Self:
        """Return the same problem with the formula of one assertion replaced."""
        changed = replace(self.assertions[index], formula=formula)
        return self.with_assertions((*self.assertions[:index], changed, *self.assertions[index + 1 :]))

    def with_header(self, info: Sequence[tuple[str, str]], options: Sequence[tuple[str, str]]) -> Self:
        """Return the same problem with other `set-info` and `set-option`."""
        return replace(self, info=tuple(info), options=tuple(options))

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of everything that is declared, of assertions, and of variables; definitions do not count."""
        found = (*self.declared_names, *self.datatype_names, *definitions.variables_in(subterms(*self.formulas)))
        return frozenset((*found, *(assertion.name for assertion in self.assertions if assertion.name)))

    def declares(self, terms: Iterable[Term]) -> bool:
        """Return whether the problem declares all sorts and functions of terms."""
        terms = tuple(terms)
        datatypes = [datatype for group in self.datatypes for datatype in group]
        called = {term.function for term in subterms(*terms) if isinstance(term, Call)}
        return called.issubset(self.functions) and all(
            sort in self.sorts if sort.is_uninterpreted else sort.datatype is None or sort.datatype in datatypes
            for sort in with_inner_sorts(sort for term in terms for sort in sorts_in(term))
        )

    @cached_property
    def recursive(self) -> Mapping[int, RecursiveFunction]:
        """The recursive functions that the text defines, by the numbers of their assertions."""
        if not self._has_definitions:
            return {}
        marked = {number: each.formula for number, each in enumerate(self.assertions) if each.is_definition}
        return definitions_in(marked, self.functions)

    @cached_property
    def _has_definitions(self) -> bool:
        return any(each.is_definition for each in self.assertions)

    @property
    def in_its_form(self) -> Problem:
        """The same problem with the form that its text has.

        Its definitions are those that are called, under names of their own, and its queries have declared symbols only.
        Recursive functions are declared last, and their definitions are the first assertions.
        """
        return self._with_recursive_functions_apart._with_its_form  # noqa: SLF001

    @property
    def _with_recursive_functions_apart(self) -> Problem:
        if not self._has_definitions:
            return self
        defined = [each.function for each in self.recursive.values()]
        first = [self.assertions[number] for number in self.recursive]
        others = [
            replace(each, is_definition=False) if each.is_definition else each
            for number, each in enumerate(self.assertions)
            if number not in self.recursive
        ]
        functions = [function for function in self.functions if function not in set(defined)]
        return replace(self, functions=(*functions, *defined), assertions=(*first, *others))

    @property
    def _with_its_form(self) -> Problem:
        if self.form is PLAIN or not (self.form.definitions or self.form.queries):
            return self
        own = [each for each in self.form.definitions if each.name not in self.names]
        taken = self.names | {each.name for each in own}
        renamed = [definitions.with_other_parameters(each, taken) for each in own[: definitions.MOST_DEFINITIONS]]
        written = [formula for number, formula in enumerate(self.formulas) if number not in self.recursive]
        called = definitions.used(renamed, written)
        queries = stated_queries(self.form.queries, self.declares)
        return replace(self, form=replace(self.form, definitions=called, queries=queries))
