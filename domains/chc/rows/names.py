"""Other names: Z3 orders symbols by their text or their number, and some of its steps depend on that order."""

from __future__ import annotations

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import Predicate
from chcfuzz.mutators.families.names import NAMES, RENAME_VARIABLE
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.model_converter import BY_POSITION
from chcfuzz.mutators.rewriting.symbols import taken_names, with_predicates_renamed


def _has_predicates(system: System) -> bool:
    return bool(system.predicates)


def _rename_predicate(system: System, choices: Choices) -> System | None:
    if not system.predicates:
        return None
    old = choices.pick(system.predicates)
    new = Predicate(fresh_name(choices.pick(NAMES), taken_names(system)), old.parameters)
    return with_predicates_renamed(system, {old: new})


def _exchange_predicates(system: System, choices: Choices) -> System | None:
    """Permute the names of the predicates, so that their order no longer matches that of the declarations."""
    old = system.predicates
    new = [Predicate(old[i].name, p.parameters) for i, p in zip(choices.permutation(len(old)), old, strict=True)]
    return None if tuple(new) == old else with_predicates_renamed(system, dict(zip(old, new, strict=True)))


MUTATIONS = (
    Mutation(
        "names.rename-predicate",
        Promise.EQUISATISFIABLE,
        "a predicate gets another name",
        "answers depend on the order of names, as on clause order",
        _rename_predicate,
        _has_predicates,
        converter=BY_POSITION,
        permutes=True,
        needs=Needs.CLAUSES,
    ),
    Mutation(
        "names.exchange-predicates",
        Promise.EQUISATISFIABLE,
        "the predicates exchange their names",
        "answers depend on the order of names, as on clause order",
        _exchange_predicates,
        lambda system: len(system.predicates) > 1,
        converter=BY_POSITION,
        permutes=True,
        needs=Needs.CLAUSES,
    ),
    RENAME_VARIABLE,
)
