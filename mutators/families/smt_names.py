"""Other names for functions, constants and bound variables: some steps of solvers depend on the order of names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.terms import Call, Function, Term, fresh_name, postorder, with_other_names
from chcfuzz.mutators.families.names import NAMES, RENAME_VARIABLE
from chcfuzz.mutators.mutation import Mutation, Promise
from chcfuzz.mutators.rewriting.symbols import taken_names


def with_functions_renamed(problem: Problem, mapping: Mapping[Function, Function]) -> Problem:
    """Return the same problem with some functions replaced by others of the same sorts."""
    unwanted = {function.name for function in mapping.values()}
    taken = taken_names(problem)
    assertions = [
        replace(each, formula=_renamed(with_other_names(each.formula, unwanted, taken), mapping))
        for each in problem.assertions
    ]
    functions = tuple(mapping.get(function, function) for function in problem.functions)
    return replace(problem, functions=functions, assertions=tuple(assertions))


def _renamed(formula: Term, mapping: Mapping[Function, Function]) -> Term:
    done: dict[Term, Term] = {}
    for term in postorder(formula):
        children = [done[child] for child in term.children]
        if isinstance(term, Call):
            done[term] = Call(mapping.get(term.function, term.function), children)
        else:
            done[term] = term.rebuild(children) if children else term
    return done[formula]


def _rename(problem: Problem, choices: Choices) -> Problem | None:
    if not problem.functions:
        return None
    old = choices.pick(problem.functions)
    new = Function(fresh_name(choices.pick(NAMES), taken_names(problem)), old.parameters, old.result)
    return with_functions_renamed(problem, {old: new})


def _exchange(problem: Problem, choices: Choices) -> Problem | None:
    """Permute the names of the functions, so that their order no longer matches that of the declarations."""
    old = problem.functions
    order = choices.permutation(len(old))
    new = [Function(old[i].name, f.parameters, f.result) for i, f in zip(order, old, strict=True)]
    return None if tuple(new) == old else with_functions_renamed(problem, dict(zip(old, new, strict=True)))


_SOURCE = "answers depend on the order of names, as on that of assertions"

MUTATIONS = (
    Mutation(
        "smt_names.rename-function",
        Promise.EQUISATISFIABLE,
        "a function or constant gets another name",
        _SOURCE,
        _rename,
        lambda problem: bool(problem.functions),
        permutes=True,
        light=True,
    ),
    Mutation(
        "smt_names.exchange-functions",
        Promise.EQUISATISFIABLE,
        "the functions and constants exchange their names",
        _SOURCE,
        _exchange,
        lambda problem: len(problem.functions) > 1,
        permutes=True,
        light=True,
    ),
    RENAME_VARIABLE,
)
