"""Many clauses changed at once, or a predicate given away: only one of the two answers is preserved.

HornGator (ASE 2025) has such steps. In contrast to the rows of `monotone`, they apply to systems of either status: a
mutant without an expectation can have a checked answer, which is then expected of the mutants that are made from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chcfuzz.domains.chc.rows.monotone import keeping_one_answer, with_condition
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import FALSE, TRUE, Atom, Predicate, conjunction
from chcfuzz.mutators.mutation import ModelConverter, Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.clause_making import as_read, can_be_bound, rule
from chcfuzz.mutators.rewriting.model_converter import no_facts, no_meanings
from chcfuzz.mutators.rewriting.predicate_transformation import with_atoms

_MOST_CONDITIONS = 16  # added in one step
_SOURCE = "HornGator (ASE 2025)"


# Weaker systems ------------------------------------------------------------------------------------


def _some_clauses(system: System, choices: Choices) -> System | None:
    """Keep a random part of the clauses."""
    number = len(system.clauses)
    if number < 2:
        return None
    size = choices.integer(1, number - 1)
    kept = sorted(choices.permutation(number)[:size])
    return system.with_clauses([system.clauses[at] for at in kept])


def _conditions(system: System, choices: Choices) -> System | None:
    """Add a drawn condition to the bodies of several clauses."""
    number = len(system.clauses)
    if number < 2 or not can_be_bound(system):
        return None
    size = choices.integer(2, min(number, _MOST_CONDITIONS))
    changed = system
    for at in choices.permutation(number)[:size]:
        changed = with_condition(changed, at, choices) or changed
    return None if changed == system else changed


# Stronger systems ----------------------------------------------------------------------------------


def _false_head(system: System, choices: Choices) -> System | None:
    """Let a rule derive false in place of its head."""
    rules = [at for at, clause in enumerate(system.clauses) if _is_rule(clause)]
    if not rules or not can_be_bound(system):
        return None
    at = choices.pick(rules)
    clause = system.clauses[at]
    return as_read(system.with_formula(at, rule(clause.variables, conjunction(*clause.body), FALSE).formula), system)


def _is_rule(clause: Clause) -> bool:
    return bool(clause.body) and isinstance(clause.head, Atom)


def _true_predicate(system: System, choices: Choices) -> System | None:
    """Make a predicate true everywhere, without its rules and those that only it needed."""
    required = _required(system)
    if not required:
        return None
    true = choices.pick(required)
    served = _needed([true], system.clauses)
    rest = [_with_true(clause, true) for clause in system.clauses if _head(clause) is not true]
    queries = [clause for clause in rest if clause.is_query]
    needed = _needed(_of_bodies(queries), rest)
    return as_read(
        system.with_clauses([clause for clause in rest if _head(clause) in needed or _head(clause) not in served]),
        system,
    )


def _required(system: System) -> list[Predicate]:
    """Return the predicates in bodies, in the order of their declaration."""
    found = set(_of_bodies(system.clauses))
    return [predicate for predicate in system.predicates if predicate in found]


def _of_bodies(clauses: Sequence[Clause]) -> list[Predicate]:
    return [atom.predicate for clause in clauses for atom in clause.atoms]


def _needed(wanted: Sequence[Predicate], clauses: Sequence[Clause]) -> set[Predicate]:
    """Return these predicates, and those that their rules require, directly or not."""
    found: set[Predicate] = set()
    waiting = list(wanted)
    while waiting:
        predicate = waiting.pop()
        if predicate not in found:
            found.add(predicate)
            waiting += _of_bodies([clause for clause in clauses if _head(clause) is predicate])
    return found


def _head(clause: Clause) -> Predicate | None:
    return clause.head.predicate if isinstance(clause.head, Atom) else None


def _with_true(clause: Clause, true: Predicate) -> Clause:
    """Return the clause with `true` in place of the predicate's atoms in its body."""
    formula = with_atoms(clause.formula, lambda atom: TRUE if atom.predicate is true else atom, lambda atom: atom)
    assert formula is not None
    return replace(clause, formula=formula)


def _has_several(system: System) -> bool:
    return len(system.clauses) > 1


_ROWS = (
    Mutation(
        "coarse.some-clauses",
        Promise.SAT_PRESERVING,
        "a random part of the clauses is kept",
        _SOURCE,
        _some_clauses,
        _has_several,
        needs=Needs.CLAUSES,
    ),
    Mutation(
        "coarse.conditions",
        Promise.SAT_PRESERVING,
        "drawn conditions are added to many bodies",
        _SOURCE,
        _conditions,
        _has_several,
        needs=Needs.CLAUSES,
    ),
    Mutation(
        "coarse.false-head",
        Promise.UNSAT_PRESERVING,
        "a rule derives false in place of its head",
        _SOURCE,
        _false_head,
        lambda system: any(map(_is_rule, system.clauses)),
        needs=Needs.CLAUSES,
    ),
    Mutation(
        "coarse.true-predicate",
        Promise.UNSAT_PRESERVING,
        "a predicate becomes true, without its rules and those that only it needed",
        _SOURCE,
        _true_predicate,
        lambda system: bool(_required(system)),
        # The values in a step are searched again, and without the atoms, any are allowed: also those that divide by 0.
        converter=ModelConverter(no_meanings, no_facts),
        needs=Needs.CLAUSES,
    ),
)

MUTATIONS = tuple(row if row.converter else keeping_one_answer(row) for row in _ROWS)
