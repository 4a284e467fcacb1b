"""Models of SMT problems as Z3, cvc5 and Bitwuzla print them: `define-fun`s, read into a structure.

A definition that is not understood, for example one with an algebraic number, leaves its function out; the structure
names it. Elements of uninterpreted sorts are `U!val!0`, `(as @U_0 U)` and `(as @const_2 U)`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.models.structures import Structure
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.reading.declarations import Definition
from chcfuzz.grammar.reading.leniences import applied, fitted, indexed, words
from chcfuzz.grammar.reading.sexpr import Sexpr, name_in, sexprs
from chcfuzz.grammar.sort_kinds import plain_sorts, sort_named
from chcfuzz.grammar.sorts import BOOL, Sort, array
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.terms import (
    Apply,
    Call,
    Function,
    Quantifier,
    Term,
    Variable,
    free_variables,
)
from chcfuzz.grammar.theory import constants, literal, named_constants, qualified

_MOST_DEPTH = 300  # of parentheses: definitions are read by recursion
_MOST_INDEX = 9  # digits
# By the kinds of tokens in scripts, where numbers do not have a sign.
_CONSTANTS = {
    "NUMERAL": re.compile(r"-?[0-9]+"),
    "DECIMAL": re.compile(r"-?[0-9]+\.[0-9]*"),
    "BINARY": re.compile(r"#b[01]+"),
    "HEXADECIMAL": re.compile(r"#x[0-9a-fA-F]+"),
    "STRING": re.compile(r'"(?:[^"]|"")*"'),
}
_ELEMENT = re.compile(r"(.+)!val![0-9]+", re.DOTALL)
_MOST_LENGTH = 2_000_000  # characters of a model


class _UnreadableError(ChcfuzzError):
    """A part of a model that is not understood."""


def read_model(text: str, problem: Problem) -> Structure:
    """Return the structure that a model of a problem states; raises `ChcfuzzError` for other text.

    Recursive functions have the definitions of the problem, which hold in each of its models.
    """
    if len(text) > _MOST_LENGTH:
        raise ChcfuzzError(f"a model of {len(text)} characters; {_MOST_LENGTH} are read")
    found = _Reader(problem).structure(_commands(sexprs(text)))
    own = {each.function: Definition(each.parameters, each.body) for each in problem.recursive.values()}
    if not own:
        return found
    arrays = {function: each for function, each in found.arrays.items() if function not in own}
    return replace(found, functions={**found.functions, **own}, arrays=arrays)


def _commands(found: list[Sexpr]) -> list[list[Sexpr]]:
    """Return the commands of a model, without `sat`, the word `model` and the parentheses around it."""
    lists = [each for each in found if isinstance(each, list)]
    if len(lists) == 1 and (not lists[0] or lists[0][0] == "model" or isinstance(lists[0][0], list)):
        lists = [each for each in lists[0] if isinstance(each, list)]
    return lists


def _defined(command: list[Sexpr]) -> str:
    """Return the name that a command defines; empty if it defines nothing."""
    match command:
        case ["define-fun", str(symbol), *_]:
            return name_in(symbol)
    return ""


class _Reader:
    """Reads the definitions of one model."""

    def __init__(self, problem: Problem) -> None:
        self._signature = problem.signature
        self._wanted = {function.name: function for function in problem.functions}
        self._sorts: dict[str, Sort] = dict(plain_sorts())
        self._sorts |= {sort.name: sort for sort in problem.sorts}
        self._sorts |= {each.sort.name: each.sort for group in problem.datatypes for each in group}
        self._functions: dict[str, Function] = {}  # everything that the model defines
        self._definitions: dict[Function, Definition] = {}
        self._arrays: dict[Function, Definition] = {}
        self._elements: dict[Sort, dict[Function, None]] = {}

    def structure(self, commands: Sequence[list[Sexpr]]) -> Structure:
        """Return the structure of these commands."""
        unreadable: list[str] = []
        declared: dict[Sort, set[str]] = {}
        to_define: list[tuple[Function, tuple[Variable, ...], Sexpr]] = []
        times = Counter(map(_defined, commands))
        for command in commands:
            match command:
                case ["define-fun", str(symbol), *_] if times[name_in(symbol)] > 1:  # no meaning is the right one
                    unreadable.append(name_in(symbol))
                case ["define-fun", str(symbol), list(parameters), result, body]:
                    try:
                        to_define.append(self._declared(name_in(symbol), parameters, result, body))
                    except ChcfuzzError:
                        unreadable.append(name_in(symbol))
                case ["declare-fun", str(symbol), [], str(result)] if name_in(result) in self._sorts:
                    sort = self._sorts[name_in(result)]
                    declared.setdefault(sort, set()).add(name_in(symbol))
                    self._element(name_in(symbol), sort)
        for function, variables, value in to_define:
            try:
                self._definitions[function] = self._definition(function, variables, value)
            except ChcfuzzError:
                unreadable.append(function.name)
        elements = {sort: tuple(each) for sort, each in self._elements.items()}
        closed = {sort for sort, names in declared.items() if all(each.name in names for each in elements[sort])}
        return Structure(self._definitions, self._arrays, elements, frozenset(closed), tuple(unreadable))

    def _declared(
        self, name: str, parameters: Sequence[Sexpr], result: Sexpr, body: Sexpr
    ) -> tuple[Function, tuple[Variable, ...], Sexpr]:
        """Declare a function of the model; return it with its parameters and its body."""
        variables = []
        for parameter in parameters:
            match parameter:
                case [str(symbol), sort]:
                    variables.append(Variable(name_in(symbol), self._sort(sort)))
                case _:
                    raise _UnreadableError(f"{name} has a parameter without a sort")
        function = Function(name, [variable.sort for variable in variables], self._sort(result))
        wanted = self._wanted.get(name)
        if wanted is not None and wanted is not function:
            raise _UnreadableError(f"{name} is defined for other sorts")
        if wanted is None and (name in words() or quoted(name) in self._signature):
            raise _UnreadableError(f"{name} is an operator")
        self._functions[name] = function
        return function, tuple(variables), body

    def _definition(self, function: Function, parameters: tuple[Variable, ...], body: Sexpr) -> Definition:
        term = self._term(body, {variable.name: variable for variable in parameters}, 0)
        (term,) = fitted([term], [function.result])
        if term.sort is not function.result or set(free_variables(term)) - set(parameters):
            raise _UnreadableError(f"{function.name} has a value of another sort")
        return Definition(parameters, term)

    def _element(self, name: str, sort: Sort) -> Term:
        element = Function(name, (), sort)
        self._elements.setdefault(sort, {})[element] = None
        return Call(element)

    # Sorts

    def _sort(self, node: Sexpr, depth: int = 0) -> Sort:
        match node:
            case str(symbol) if name_in(symbol) in self._sorts:
                return self._sorts[name_in(symbol)]
            case ["_", str(name), *indices]:
                found = sort_named(name, _indices(indices))
            case [str(name), *parameters] if depth < _MOST_DEPTH:
                found = sort_named(name, parameters=[self._sort(each, depth + 1) for each in parameters])
            case _:
                found = None
        if found is not None:
            return found
        raise _UnreadableError("a sort that the problem does not have")

    # Terms

    def _term(self, node: Sexpr, scope: Mapping[str, Term], depth: int) -> Term:
        if isinstance(node, str):
            return self._leaf(node, scope)
        if depth >= _MOST_DEPTH or not node:
            raise _UnreadableError("an expression that is empty or nested too deep")
        match node:
            case ["let", list(bindings), body]:
                return self._term(body, {**scope, **self._bound(bindings, scope, depth)}, depth + 1)
            case ["!", inner, *_]:
                return self._term(inner, scope, depth + 1)
            case ["lambda", list(variables), body]:
                return self._lambda(variables, body, scope, depth)
            case ["forall" | "exists" as kind, list(variables), body]:
                bound = self._variables(variables, scope)
                return Quantifier(kind, tuple(bound.values()), self._term(body, {**scope, **bound}, depth + 1))
            case ["as", str(symbol), sort]:
                return self._qualified(symbol, self._sort(sort), [])
            case ["seq.unit", ["_", "Char", *indices]]:  # a string of Z3 in the table of a function
                return self._indexed_leaf("char", indices)
            case ["_", str(symbol), *indices]:
                return self._indexed_leaf(symbol, indices)
        head, *rest = node
        return self._applied(head, [self._term(part, scope, depth + 1) for part in rest])

    def _bound(self, bindings: Sequence[Sexpr], scope: Mapping[str, Term], depth: int) -> dict[str, Term]:
        found = {}
        for binding in bindings:
            match binding:
                case [str(symbol), value]:
                    found[name_in(symbol)] = self._term(value, scope, depth + 1)
                case _:
                    raise _UnreadableError("a binding without a value")
        return found

    def _variables(self, pairs: Sequence[Sexpr], scope: Mapping[str, Term]) -> dict[str, Variable]:
        """Return variables by their names in the text; none of them captures a variable in a term of the scope."""
        found: dict[str, Variable] = {}
        taken = {variable.name for term in scope.values() for variable in free_variables(term)}
        for pair in pairs:
            match pair:
                case [str(symbol), sort]:
                    variable = Variable(fresh_name(name_in(symbol), taken), self._sort(sort))
                    found[name_in(symbol)] = variable
                    taken.add(variable.name)
                case _:
                    raise _UnreadableError("a variable without a sort")
        return found

    def _leaf(self, token: str, scope: Mapping[str, Term]) -> Term:
        name = name_in(token)
        if name in scope:
            return scope[name]
        if name in self._functions and not self._functions[name].parameters:
            return Call(self._functions[name])
        if token in named_constants():
            return named_constants()[token]  # type: ignore[no-any-return]
        kind = next((kind for kind, pattern in _CONSTANTS.items() if pattern.fullmatch(token)), None)
        if kind is not None:
            return constants()[kind](token)  # type: ignore[no-any-return]
        element = _ELEMENT.fullmatch(name)
        if element and self._is_uninterpreted(element[1]):
            return self._element(name, self._sorts[element[1]])
        return self._applied(token, [])

    def _is_uninterpreted(self, name: str) -> bool:
        return name in self._sorts and self._sorts[name].is_uninterpreted

    def _indexed_leaf(self, symbol: str, indices: Sequence[Sexpr]) -> Term:
        match indices:
            case [str(of)] if symbol == "as-array" and name_in(of) in self._functions:
                function = self._functions[name_in(of)]
                if len(function.parameters) == 1:
                    variable = Variable("index", function.parameters[0])
                    return self._array(Definition((variable,), Call(function, [variable])), function.result)
        found: Term | None = literal(symbol, _indices(indices))
        if found is None:
            raise _UnreadableError(f"(_ {symbol}) is not a value")
        return found

    def _lambda(self, pairs: Sequence[Sexpr], body: Sexpr, scope: Mapping[str, Term], depth: int) -> Term:
        bound = self._variables(pairs, scope)
        term = self._term(body, {**scope, **bound}, depth + 1)
        if len(bound) != 1 or set(free_variables(term)) - set(bound.values()):
            raise _UnreadableError("a function of several variables, or of those around it, as a value")
        return self._array(Definition(tuple(bound.values()), term), term.sort)

    def _array(self, definition: Definition, element: Sort) -> Term:
        """Return a constant for the array with these elements."""
        sort = array(definition.parameters[0].sort, element)
        known = {function.name for function in self._arrays} | set(self._functions)
        function = Function(fresh_name("array", known), (), sort)
        self._arrays[function] = definition
        return Call(function)

    def _qualified(self, symbol: str, wanted: Sort, args: list[Term]) -> Term:
        if symbol == "const" and wanted.is_array and len(args) == 1:
            (element,) = fitted(args, [wanted.element])
            if element.sort is wanted.element:
                return Apply(f"(as const {wanted})", (element,), wanted)
        if symbol in qualified() and not args:
            return qualified()[symbol](wanted)  # type: ignore[no-any-return]
        if name_in(symbol).startswith("@") and wanted.is_uninterpreted and not args:
            return self._element(name_in(symbol), wanted)
        return self._chosen(name_in(symbol), args, wanted)

    def _applied(self, head: Sexpr, args: list[Term]) -> Term:
        match head:
            case ["as", str(symbol), sort]:
                return self._qualified(symbol, self._sort(sort), args)
            case ["_", "is", str(constructor)]:
                return self._chosen(f"(_ is {quoted(name_in(constructor))})", args, BOOL)
            case ["_", str(symbol), *indices] if all(isinstance(each, str) and each.isdecimal() for each in indices):
                return indexed(symbol, list(_indices(indices)), args)
            case str(symbol):
                name = name_in(symbol)
                function = self._functions.get(name)
                if function is not None:
                    return Call(function, fitted(args, function.parameters))
                return applied(name, args) if name in words() and args else self._chosen(name, args, None)
        raise _UnreadableError("an expression that is not understood")

    def _chosen(self, name: str, args: list[Term], wanted: Sort | None) -> Term:
        """Return a constructor, selector or tester, applied."""
        operator = name if name.startswith("(") else quoted(name)
        for domain, result in self._signature.get(operator, ()):
            fit = fitted(args, domain)
            if tuple(arg.sort for arg in fit) == domain and wanted in (None, result):
                return Apply(operator, fit, result)
        raise _UnreadableError(f"{name} is not known")


def _indices(nodes: Sequence[Sexpr]) -> tuple[int, ...]:
    if not all(isinstance(each, str) and each.isdecimal() and len(each) < _MOST_INDEX for each in nodes):
        raise _UnreadableError("indices that are not small numbers")
    return tuple(int(str(each)) for each in nodes)
