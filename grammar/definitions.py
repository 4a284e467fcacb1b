"""Defined functions: `define-fun` as a part of the text of a problem.

The formulas of a problem have every definition expanded, so evaluation, oracles, rows and reduction need no knowledge
of it. The printer writes a call for each subterm that is the body of a definition for some arguments. A subterm that a
row has changed is no longer such a body, and is written out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from chcfuzz.grammar.sorts import Sort
from chcfuzz.grammar.substitution import fresh_name, substitute
from chcfuzz.grammar.terms import Apply, Atom, Binder, Call, Function, Quantifier, Term, Variable, free_variables

MOST_DEFINITIONS = 64  # of a problem: every subterm is compared with those of its operator
_MOST_NODES = 1000  # of a body with parameters, as a tree

Key = tuple[object, Sort]


@dataclass(frozen=True)
class DefinedFunction:
    """A `define-fun`. Its body is not a variable, and has every parameter."""

    name: str
    parameters: tuple[Variable, ...]
    body: Term

    @property
    def function(self) -> Function:
        """The function that calls of the definition apply."""
        return Function(self.name, [parameter.sort for parameter in self.parameters], self.body.sort)

    def arguments(self, term: Term) -> tuple[Term, ...] | None:
        """Return the arguments for which the body is the term; None if no arguments make it so."""
        bound = dict.fromkeys(self.parameters)
        found = _match(self.body, term, bound)
        if found is None or len(found) < len(bound) or substitute(self.body, found) is not term:
            return None
        return tuple(found[parameter] for parameter in self.parameters)


def defined(name: str, parameters: Sequence[Variable], body: Term) -> DefinedFunction | None:
    """Return the definition without the parameters that its body does not have; None if it cannot be kept.

    The body is then a variable or too large, or has other free variables.
    """
    free = free_variables(body)
    used = tuple(parameter for parameter in parameters if parameter in free)
    if isinstance(body, Variable) or len(used) < len(free) or (used and body.size > _MOST_NODES):
        return None
    return DefinedFunction(name, used, body)


def with_other_parameters(definition: DefinedFunction, taken: Collection[str]) -> DefinedFunction:
    """Return the definition with other names for parameters whose name is taken."""
    names = {*taken, *(parameter.name for parameter in definition.parameters)}
    new: dict[Variable, Variable] = {}
    for parameter in definition.parameters:
        if parameter.name in taken:
            new[parameter] = Variable(fresh_name(parameter.name, names), parameter.sort)
            names.add(new[parameter].name)
    if not new:
        return definition
    parameters = tuple(new.get(parameter, parameter) for parameter in definition.parameters)
    return DefinedFunction(definition.name, parameters, substitute(definition.body, new))


def _match(pattern: Term, term: Term, bound: dict[Variable, None]) -> dict[Variable, Term] | None:
    """Return terms for the bound variables that make the pattern look like the term; None if they differ."""
    found: dict[Variable, Term] = {}
    stack = [(pattern, term)]
    while stack:
        wanted, here = stack.pop()
        if isinstance(wanted, Variable) and wanted in bound:
            if found.setdefault(wanted, here) is not here or here.sort is not wanted.sort:
                return None
        elif wanted is not here:
            is_open = not bound.keys().isdisjoint(free_variables(wanted))
            if not is_open or _key(wanted) != _key(here) or len(wanted.children) != len(here.children):
                return None
            stack += zip(wanted.children, here.children, strict=True)
    return found


def _key(term: Term) -> Key:
    """Return the operator of a term with its sort: equal for terms that differ at most below the operator."""
    if isinstance(term, Apply):
        return term.operator, term.sort
    if isinstance(term, Call):
        return term.function, term.sort
    if isinstance(term, Atom):
        return term.predicate, term.sort
    if isinstance(term, Quantifier):
        return (term.kind, term.variables), term.sort
    return term, term.sort


class Folding:
    """Terms with calls of definitions; `used` are the definitions that are called."""

    def __init__(self, definitions: Sequence[DefinedFunction]) -> None:
        self.used: dict[DefinedFunction, None] = {}
        self._by_key: dict[Key, list[DefinedFunction]] = {}
        for definition in reversed(definitions):  # a later one may have earlier ones in its body
            self._by_key.setdefault(_key(definition.body), []).append(definition)
        self._done: dict[Term, Term] = {}

    def folded(self, term: Term) -> Term:
        """Return the term with a call in the place of each body of a definition, the outermost first."""
        stack = [term]
        waiting: dict[Term, tuple[DefinedFunction | None, tuple[Term, ...]]] = {}
        while stack:
            here = stack[-1]
            if here in self._done:
                stack.pop()
                continue
            if here not in waiting:
                waiting[here] = self._call(here)
            definition, parts = waiting[here]
            missing = [part for part in parts if part not in self._done]
            if missing:
                stack += missing
                continue
            children = [self._done[part] for part in parts]
            if definition is not None:
                self.used[definition] = None
                self._done[here] = Call(definition.function, children)
            else:
                self._done[here] = here.rebuild(children) if children else here
        return self._done[term]

    def _call(self, term: Term) -> tuple[DefinedFunction | None, tuple[Term, ...]]:
        """Return the definition whose body the term is, and its arguments; without one, the children to fold.

        Below a quantifier with patterns nothing is folded, because patterns are subterms of the body.
        """
        for definition in self._by_key.get(_key(term), ()):
            arguments = definition.arguments(term)
            if arguments is not None:
                return definition, arguments
        return None, () if isinstance(term, Quantifier) and term.patterns else term.children


@dataclass(frozen=True)
class Written:
    """The definitions that a text has, each with calls of earlier ones in its body, and the formulas with calls."""

    definitions: tuple[DefinedFunction, ...]
    formulas: tuple[Term, ...]


def written(definitions: Sequence[DefinedFunction], formulas: Sequence[Term]) -> Written:
    """Return the formulas with calls of these definitions, and the definitions that are called."""
    folding = Folding(definitions)
    called = tuple(map(folding.folded, formulas))
    used = set(folding.used)
    bodies: dict[DefinedFunction, DefinedFunction] = {}
    for number, definition in reversed(list(enumerate(definitions))):
        if definition in used:
            inner = Folding(definitions[:number])
            body = inner.folded(definition.body)
            used |= set(inner.used)
            bodies[definition] = DefinedFunction(definition.name, definition.parameters, body)
    return Written(tuple(bodies[each] for each in definitions if each in bodies), called)


def used(definitions: Sequence[DefinedFunction], formulas: Sequence[Term]) -> tuple[DefinedFunction, ...]:
    """Return the definitions that the text of the formulas calls, directly or in another body."""
    names = {each.name for each in written(definitions, formulas).definitions}
    return tuple(each for each in definitions if each.name in names)


def variables_in(terms: Iterator[Term]) -> set[str]:
    """Return the names of all variables among subterms, bound ones included."""
    names: set[str] = set()
    for term in terms:
        if isinstance(term, Variable):
            names.add(term.name)
        elif isinstance(term, Binder):
            names.update(variable.name for variable in term.variables)
    return names
