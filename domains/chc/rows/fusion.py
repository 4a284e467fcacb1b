"""Fusion with a generated system: bodies require a fact that a system with a known witness derives.

(`fusion_seeds` joins a system with other seeds.)

A derivable atom may be added to any body without changing the answer. The row therefore adds a fact of a generated
system, or the result of its long derivation, to some bodies. A model is extended by that of the generated system, and a
refutation is preceded by its derivation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from chcfuzz.domains.chc.generation.generate import generated
from chcfuzz.domains.chc.rows import fusion_seeds
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.printing.witness import Fact, Facts, Meaning, Meanings
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import FALSE, TRUE, Atom, Predicate, Quantifier, Term, implication, is_operator
from chcfuzz.mutators.mutation import ModelConverter, Move, Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.clause_making import with_body_member
from chcfuzz.mutators.rewriting.model_converter import itself
from chcfuzz.mutators.rewriting.symbols import apart, general_atom, taken_names

_SIZES = (1, 1, 2, 3)  # predicates of the generated system
_MOST_BODIES = 3  # that get the additional atom


@dataclass(frozen=True)
class _Joined:
    """The clauses that are added, with their model and derived facts; bodies require the last of `facts`."""

    predicates: tuple[Predicate, ...]
    clauses: tuple[Clause, ...]
    meanings: Meanings
    facts: Facts


def _beside(system: System, choices: Choices) -> _Joined:
    """Return a satisfiable system with a known fact."""
    made = generated("sat", choices, _theories(system), _SIZES)
    assert made.meanings is not None
    renamed, mapping = apart(made.system, system)
    meanings = {mapping[predicate]: meaning for predicate, meaning in made.meanings.items()}
    known = [clause.head for clause in renamed.clauses if isinstance(clause.formula, Atom)]
    return _Joined(renamed.predicates, renamed.clauses, meanings, (_fact(choices.pick(known)),))


def _after(system: System, choices: Choices) -> _Joined:
    """Return an unsatisfiable system that derives a predicate instead of false; everything may be true in its model."""
    made = generated("unsat", choices, _theories(system), _SIZES)
    assert made.refutation is not None
    renamed, mapping = apart(made.system, system)
    reached = Predicate(fresh_name("reached", taken_names(system) | taken_names(renamed)))
    clauses = [Clause(_in_place_of_false(clause.formula, Atom(reached))) for clause in renamed.clauses]
    predicates = (*renamed.predicates, reached)
    derived = [step.fact for step in made.refutation if step.fact is not None]
    facts = [Fact(mapping[fact.predicate], fact.values) for fact in derived]
    meanings = {predicate: Meaning(itself(predicate).parameters, TRUE) for predicate in predicates}
    return _Joined(predicates, tuple(clauses), meanings, (*facts, Fact(reached, ())))


def _theories(system: System) -> list[str]:
    """Return the theories of the system, except data types, which would need declarations."""
    return sorted(system.theories - {"ADT"})


def _in_place_of_false(formula: Term, head: Atom) -> Term:
    if isinstance(formula, Quantifier):
        return Quantifier(formula.kind, formula.variables, _in_place_of_false(formula.body, head))
    is_query = is_operator(formula, "=>") and formula.children[-1] is FALSE
    return implication(formula.children[0], head) if is_query else formula


def _fact(head: Term) -> Fact:
    assert isinstance(head, Atom)
    values = tuple(evaluate(argument, {}) for argument in head.children)
    return Fact(head.predicate, values)  # type: ignore[arg-type]  # evaluation of a fact is always determined


def _requiring(system: System, fact: Fact, choices: Choices) -> System:
    """Add an atom of the fact's predicate, over new variables, to some bodies."""
    clauses = list(system.clauses)
    taken = taken_names(system)
    for _ in range(choices.integer(1, min(_MOST_BODIES, len(clauses)))):
        number = choices.index(len(clauses))
        _, atom = general_atom(fact.predicate, taken)
        clauses[number] = replace(clauses[number], formula=with_body_member(clauses[number], atom))
    return system.with_clauses(clauses)


Join = Callable[[System, Choices], _Joined]


def _row(name: str, summary: str, source: str, join: Join) -> Mutation:
    def rewrite(system: System, choices: Choices) -> System | None:
        if not system.clauses:
            return None
        joined = join(system, choices)
        first = choices.boolean()
        rest = _requiring(system, joined.facts[-1], choices)
        clauses = (*joined.clauses, *rest.clauses) if first else (*rest.clauses, *joined.clauses)
        return replace(system, predicates=(*system.predicates, *joined.predicates), clauses=clauses)

    def meanings(move: Move) -> Meanings | None:
        joined = join(move.before, move.choices)
        return {**{predicate: itself(predicate) for predicate in move.before.predicates}, **joined.meanings}

    def facts(move: Move, given: Facts) -> Facts | None:
        return (*join(move.before, move.choices).facts, *given)

    return Mutation(
        f"fusion.{name}",
        Promise.EQUISATISFIABLE,
        summary,
        source,
        rewrite,
        lambda system: bool(system.clauses),
        converter=ModelConverter(meanings, facts),
        needs=Needs.CLAUSES,
    )


_SOURCE = "YinYang's fusion (PLDI 2020), of Horn clauses with what is derivable"

MUTATIONS = (
    _row("beside", "a system with a known model is added, and bodies require a fact of it", _SOURCE, _beside),
    _row("after", "bodies require the result of a long known derivation", _SOURCE, _after),
    *fusion_seeds.MUTATIONS,
)
