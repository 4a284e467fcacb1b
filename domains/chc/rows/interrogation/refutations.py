"""Rows that put a checked refutation back into its system (`interrogation`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chcfuzz.domains.chc.oracles.refutation import Refutation, facts_of
from chcfuzz.domains.chc.oracles.witnesses import refutation_of
from chcfuzz.domains.chc.rows.interrogation.rows import (
    SystemTest,
    anything,
    has_body_atoms,
    is_small,
)
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation.values import as_term
from chcfuzz.grammar.printing.witness import Facts
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Atom, Quantifier, Term, Variable
from chcfuzz.mutators.mutation import Kind, ModelConverter, Move, Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.clause_making import as_read, inserted, is_universal
from chcfuzz.mutators.rewriting.model_converter import no_meanings

MOST_INSTANCES = 8  # that may replace a clause

WithRefutation = Callable[[System, Refutation, Choices], "System | None"]


def _core(system: System, refutation: Refutation, _choices: Choices) -> System | None:
    """Keep only the clauses that the refutation uses; all its steps remain possible."""
    used = {step.clause for step in refutation}
    return system.with_clauses([clause for number, clause in enumerate(system.clauses) if number in used])


def _fact_for_subtree(system: System, refutation: Refutation, choices: Choices) -> System | None:
    """Add a derived fact as a clause; in half of the cases, remove the clauses that only its derivation uses.

    Given the fact, the remaining steps still lead to false.
    """
    derived = [number for number, step in enumerate(refutation) if step.fact is not None and step.premises]
    if not derived:
        return None
    number = choices.pick(derived)
    fact = refutation[number].fact
    assert fact is not None
    clauses: Sequence[Clause] = system.clauses
    if not choices.boolean():
        needed = {refutation[i].clause for i in _needed(refutation, number)}
        unneeded = {step.clause for step in refutation} - needed
        clauses = [clause for i, clause in enumerate(system.clauses) if i not in unneeded]
    atom = Atom(fact.predicate, tuple(map(as_term, fact.values, fact.predicate.parameters)))
    return inserted(system.with_clauses(clauses), Clause(atom), choices)


def _needed(refutation: Refutation, given: int) -> set[int]:
    """Return the steps that false needs if the fact of step `given` needs none."""
    needed: set[int] = set()
    open_steps = [len(refutation) - 1]
    while open_steps:
        number = open_steps.pop()
        if number != given and number not in needed:
            needed.add(number)
            open_steps += refutation[number].premises
    return needed


def _instance(system: System, refutation: Refutation, choices: Choices) -> System | None:
    """Instantiate one variable of a clause with all its values in the refutation, or add one such instance."""
    used = [number for number in sorted({step.clause for step in refutation}) if is_universal(system.formulas[number])]
    if not used:
        return None
    number = choices.pick(used)
    formula = system.clauses[number].formula
    assert isinstance(formula, Quantifier)
    at = choices.index(len(formula.variables))
    variable = formula.variables[at]
    values = dict.fromkeys(as_term(step.values[at], variable.sort) for step in refutation if step.clause == number)
    instances = [_instantiated(formula, variable, value) for value in values]
    if choices.boolean():
        return inserted(system, Clause(choices.pick(instances)), choices)
    if len(instances) > MOST_INSTANCES:
        return None
    clauses = system.clauses
    return system.with_clauses((*clauses[:number], *map(Clause, instances), *clauses[number + 1 :]))


def _instantiated(formula: Quantifier, variable: Variable, value: Term) -> Term:
    rest = [other for other in formula.variables if other is not variable]
    body = substitute(formula.body, {variable: value})
    return Quantifier("forall", rest, body) if rest else body


def _may_be_unsat(system: System) -> bool:
    return system.status != "sat" and is_small(system)


def _binds_variables(system: System) -> bool:
    return any(map(is_universal, system.formulas))


def _of_refutation(
    name: str, summary: str, source: str, rewrite: WithRefutation, needs: SystemTest = anything
) -> Mutation:
    def applies(system: System) -> bool:
        return _may_be_unsat(system) and needs(system)

    def rewritten(system: System, choices: Choices) -> System | None:
        refutation = refutation_of(system) if _may_be_unsat(system) else None
        return None if refutation is None else as_read(rewrite(system, refutation, choices), system)

    return Mutation(
        f"interrogation.{name}",
        Promise.EQUISATISFIABLE,
        summary,
        source,
        rewritten,
        applies,
        kind=Kind.INTERROGATION,
        converter=ModelConverter(meanings=no_meanings, facts=_facts_used),
        needs=Needs.CLAUSES,
    )


def _facts_used(move: Move, _facts: Facts) -> Facts | None:
    """Return the facts of the refutation that the row builds on, whichever refutation was found before.

    Some may no longer be derivable, if a clause replaced their derivation; false follows without them.
    """
    refutation = refutation_of(move.before)
    return None if refutation is None else facts_of(refutation)


MUTATIONS = (
    _of_refutation(
        "core",
        "only the clauses that a refutation uses remain",
        "HornGator (ASE 2025), extracting an unsat core",
        _core,
    ),
    _of_refutation(
        "fact-for-subtree",
        "a fact that a refutation derives becomes a clause, in addition to its derivation or instead of it",
        "HornGator (ASE 2025), replacing by a fact",
        _fact_for_subtree,
        has_body_atoms,
    ),
    _of_refutation(
        "instance",
        "a clause is instantiated with a refutation's values for a variable, or an instance is added",
        "after HornGator (ASE 2025), adding a constraint",
        _instance,
        _binds_variables,
    ),
)
