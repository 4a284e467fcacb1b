"""Interpolation problems as CHC systems, with a predicate for the interpolant of each cut.

The clause of a group states that the interpolants below the group and the formulas of the group imply its own
interpolant; the clause of the last group, which has the axioms, has the head `false`. Constants become variables of
the clauses, and functions become arrays, since predicates are the only symbols of a system.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.interpolation.grouped import Interpolation, Symbol, symbols_of
from chcfuzz.grammar.reading.declarations import Definition
from chcfuzz.grammar.sorts import Sort, array
from chcfuzz.grammar.substitution import fresh_name, with_other_names
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    FALSE,
    Atom,
    Call,
    Function,
    Predicate,
    Quantifier,
    Term,
    Variable,
    apply,
    conjunction,
    free_variables,
    implication,
    is_operator,
    postorder,
    subterms,
)

NAME = "I"  # of the predicates: I0, I1, ...


@dataclass(frozen=True)
class HornForm:
    """The system of an interpolation problem; `arguments` are the functions that the predicate of each cut is about."""

    system: System
    predicates: tuple[Predicate, ...]
    arguments: tuple[tuple[Function, ...], ...]

    def interpolant(self, cut: int, definition: Definition) -> Term | None:
        """Return the definition of a predicate as an interpolant; None if it uses a function as a whole array."""
        meant = dict(zip(definition.parameters, self.arguments[cut], strict=True))
        names = {each.name for each in self.arguments[cut]} | {each.name for each in definition.parameters}
        body = with_other_names(definition.body, names, names)
        done: dict[Term, Term | _Partial] = {}
        for here in postorder(body):
            children = [done[child] for child in here.children]
            new = _meaning(here, children, meant)
            if new is None:
                return None
            done[here] = new
        found = done[body]
        return found if isinstance(found, Term) else None


@dataclass(frozen=True)
class _Partial:
    """A function with some of its arguments."""

    function: Function
    args: tuple[Term, ...]


def _meaning(
    here: Term, children: Sequence[Term | _Partial], meant: dict[Variable, Function]
) -> Term | _Partial | None:
    function = meant.get(here) if isinstance(here, Variable) else None
    args: tuple[Term, ...] = ()
    if function is None and is_operator(here, "select") and isinstance(children[0], _Partial):
        index = children[1]
        if isinstance(index, _Partial):
            return None
        function, args = children[0].function, (*children[0].args, index)
    if function is not None:
        return Call(function, args) if len(args) == len(function.parameters) else _Partial(function, args)
    plain = [child for child in children if isinstance(child, Term)]
    return here.rebuild(plain) if len(plain) == len(children) else None


def to_horn(interpolation: Interpolation) -> HornForm:
    """Return the CHC system of a problem; raises `ChcfuzzError` for uninterpreted sorts."""
    if interpolation.sorts:
        raise ChcfuzzError(f"the sort {interpolation.sorts[0]} is uninterpreted: a CHC system cannot declare it")
    names = {function.name for function in interpolation.functions}
    declared = names | interpolation.datatype_names
    arguments = tuple(_arguments(interpolation, cut) for cut in range(interpolation.cuts))
    predicates = tuple(
        Predicate(fresh_name(f"{NAME}{cut}", declared), [_sort(function) for function in functions])
        for cut, functions in enumerate(arguments)
    )
    atoms = [
        Atom(predicate, [_variable(function) for function in functions])
        for predicate, functions in zip(predicates, arguments, strict=True)
    ]
    clauses = [_clause(interpolation, group, atoms, names) for group in range(len(interpolation.groups))]
    info = tuple(pair for pair in interpolation.info if pair[0] != "status")
    system = System(interpolation.datatypes, predicates, tuple(clauses), info)
    return HornForm(system, predicates, arguments)


def to_system(interpolation: Interpolation) -> System:
    """Return the system of `to_horn`."""
    return to_horn(interpolation).system


def _arguments(interpolation: Interpolation, cut: int) -> tuple[Function, ...]:
    a, b = interpolation.sides(cut)
    shared: frozenset[Symbol] = symbols_of(*a) & symbols_of(*b)
    return tuple(function for function in interpolation.functions if function in shared)


def _clause(interpolation: Interpolation, group: int, atoms: Sequence[Atom], names: set[str]) -> Clause:
    is_last = group == len(interpolation.groups) - 1
    formulas = (*interpolation.group(group), *(interpolation.axiom_formulas if is_last else ()))
    members = [atoms[child] for child in interpolation.children(group)]
    body = conjunction(*members, *(_without_functions(formula, names) for formula in formulas))
    formula = implication(body, FALSE if is_last else atoms[group])
    variables = free_variables(formula)
    return Clause(Quantifier("forall", variables, formula) if variables else formula)


def _without_functions(formula: Term, names: set[str]) -> Term:
    taken = names | {here.name for here in subterms(formula) if isinstance(here, Variable)}
    formula = with_other_names(formula, names, taken)
    done: dict[Term, Term] = {}
    for here in postorder(formula):
        children = [done[child] for child in here.children]
        done[here] = _selected(here.function, children) if isinstance(here, Call) else here.rebuild(children)
    return done[formula]


def _selected(function: Function, args: Sequence[Term]) -> Term:
    term: Term = _variable(function)
    for argument in args:
        term = apply("select", term, argument)
    return term


def _variable(function: Function) -> Variable:
    return Variable(function.name, _sort(function))


def _sort(function: Function) -> Sort:
    sort = function.result
    for parameter in reversed(function.parameters):
        sort = array(parameter, sort)
    return sort
