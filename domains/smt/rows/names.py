"""Other names for functions, constants and bound variables: some steps of solvers depend on the order of names."""

from __future__ import annotations

from collections.abc import Mapping

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.problem import Problem
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.terms import Call, Function
from chcfuzz.mutators.families.names import NAMES, RENAME_VARIABLE
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.functions import Make, with_calls_replaced
from chcfuzz.mutators.rewriting.symbols import taken_names


def _renamed(problem: Problem, mapping: Mapping[Function, Function]) -> Problem:
    """Return the same problem with some functions replaced by others of the same sorts."""

    def called(new: Function) -> Make:
        return lambda args: Call(new, args)

    functions = [mapping.get(function, function) for function in problem.functions]
    return with_calls_replaced(problem, {old: called(new) for old, new in mapping.items()}, functions)


def _rename(problem: Problem, choices: Choices) -> Problem | None:
    if not problem.functions:
        return None
    old = choices.pick(problem.functions)
    new = Function(fresh_name(choices.pick(NAMES), taken_names(problem)), old.parameters, old.result)
    return _renamed(problem, {old: new})


def _exchange(problem: Problem, choices: Choices) -> Problem | None:
    """Permute the names of the functions, so that their order no longer matches that of the declarations."""
    old = problem.functions
    order = choices.permutation(len(old))
    new = [Function(old[i].name, f.parameters, f.result) for i, f in zip(order, old, strict=True)]
    return None if tuple(new) == old else _renamed(problem, dict(zip(old, new, strict=True)))


_SOURCE = "answers depend on the order of names, as on that of assertions"

MUTATIONS = (
    Mutation(
        "smt_names.rename-function",
        Promise.EQUISATISFIABLE,
        "a function or constant gets another name",
        _SOURCE,
        _rename,
        lambda problem: bool(problem.functions),
        light=True,
        needs=Needs.ASSERTIONS,
    ),
    Mutation(
        "smt_names.exchange-functions",
        Promise.EQUISATISFIABLE,
        "the functions and constants exchange their names",
        _SOURCE,
        _exchange,
        lambda problem: len(problem.functions) > 1,
        light=True,
        needs=Needs.ASSERTIONS,
    ),
    RENAME_VARIABLE,
)
