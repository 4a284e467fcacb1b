"""Rows that put a checked model back into its system (`interrogation`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from chcfuzz.domains.chc.oracles.witnesses import model_of
from chcfuzz.domains.chc.rows.interrogation.rows import (
    SystemTest,
    anything,
    body_atoms,
    has_body_atoms,
    is_small,
)
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.paths import replace_at
from chcfuzz.grammar.printing.witness import Meanings, plugged
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    FALSE,
    TRUE,
    Atom,
    Predicate,
    Term,
    Variable,
    conjunction,
    disjunction,
    is_operator,
    negation,
)
from chcfuzz.mutators.mutation import Kind, ModelConverter, Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.clause_making import as_read, inserted, rule
from chcfuzz.mutators.rewriting.model_converter import no_facts
from chcfuzz.mutators.rewriting.symbols import general_atom, taken_names

WithModel = Callable[[System, Meanings, Choices], "System | None"]


def _members(term: Term, operator: str) -> tuple[Term, ...]:
    """Return the members of a conjunction or disjunction, or of the negated dual; otherwise the term alone."""
    dual = {"and": "or", "or": "and"}[operator]
    if is_operator(term, operator):
        return term.children
    if is_operator(term, "not") and is_operator(term.children[0], dual):
        return tuple(negation(member) for member in term.children[0].children)
    return (term,)


def _part(meaning: Term, operator: str, choices: Choices) -> Term:
    """Return the whole meaning or one member of it."""
    return choices.pick((meaning, *_members(meaning, operator)))


def _at_atom(rewrite: Callable[[Term, Term, Choices], Term]) -> WithModel:
    """Return a rewrite that replaces one body atom by a term made from the atom and its meaning."""

    def rewritten(system: System, model: Meanings, choices: Choices) -> System | None:
        found = body_atoms(system)
        if not found:
            return None
        place = found.pick(choices)
        assert isinstance(place.term, Atom)
        meaning = model[place.term.predicate].of(place.term.children)
        return place.put(system, rewrite(place.term, meaning, choices))

    return rewritten


def _meaning_alone(_atom: Term, meaning: Term, _choices: Choices) -> Term:
    return meaning


def _strengthened(atom: Term, meaning: Term, choices: Choices) -> Term:
    part = _part(meaning, "and", choices)
    if part is TRUE:
        return atom
    return conjunction(part, atom) if choices.boolean() else conjunction(atom, part)


def _widened(atom: Term, meaning: Term, choices: Choices) -> Term:
    part = _part(meaning, "or", choices)
    if part is FALSE:
        return atom
    return disjunction(part, atom) if choices.boolean() else disjunction(atom, part)


def _plug_in_predicate(system: System, model: Meanings, choices: Choices) -> System | None:
    """Replace every body atom of one predicate by its meaning, or in half of the cases every atom, heads included."""
    required = _predicates(place.term for place in body_atoms(system))
    if not required:
        return None
    predicate = choices.pick(required)
    if choices.boolean():
        meanings = {predicate: model[predicate]}
        return _with_formulas(system, [plugged(clause.formula, meanings) for clause in system.clauses])
    formulas = [clause.formula for clause in system.clauses]
    for place in body_atoms(system):  # atoms are not nested: a replacement keeps the paths of the others
        if isinstance(place.term, Atom) and place.term.predicate is predicate:
            new = model[predicate].of(place.term.children)
            formulas[place.clause] = replace_at(formulas[place.clause], place.path, new)
    return _with_formulas(system, formulas)


def _predicates(terms: Iterable[Term]) -> tuple[Predicate, ...]:
    return tuple(dict.fromkeys(term.predicate for term in terms if isinstance(term, Atom)))


def _add_query(system: System, model: Meanings, choices: Choices) -> System | None:
    """Add P(x) and not M_P(x) => false."""
    if not system.predicates:
        return None
    variables, atom, meaning = _general(system, model, choices)
    part = _part(meaning, "and", choices)
    if part is TRUE:
        return None
    return inserted(system, rule(variables, conjunction(atom, negation(part)), FALSE), choices)


def _add_rule(system: System, model: Meanings, choices: Choices) -> System | None:
    """Add M_P(x) => P(x)."""
    if not system.predicates:
        return None
    variables, atom, meaning = _general(system, model, choices)
    part = _part(meaning, "or", choices)
    if part is FALSE:
        return None
    return inserted(system, rule(variables, part, atom), choices)


def _rules_to_fact(system: System, model: Meanings, choices: Choices) -> System | None:
    """Replace the rules of P by M_P(x) => P(x), so that P can no longer be smaller than in the model."""
    heads = _predicates(clause.head for clause in system.clauses)
    if not heads:
        return None
    predicate = choices.pick(heads)
    variables, atom = general_atom(predicate, taken_names(system))
    fact = rule(variables, model[predicate].of(variables), atom)
    rest = [clause for clause in system.clauses if predicate not in _predicates([clause.head])]
    return inserted(system.with_clauses(rest), fact, choices)


def _general(system: System, model: Meanings, choices: Choices) -> tuple[list[Variable], Term, Term]:
    """Return a predicate applied to new variables, and its meaning there."""
    predicate = choices.pick(system.predicates)
    variables, atom = general_atom(predicate, taken_names(system))
    return variables, atom, model[predicate].of(variables)


def _with_formulas(system: System, formulas: Sequence[Term]) -> System:
    return system.with_clauses(
        [Clause(formula, clause.name) for clause, formula in zip(system.clauses, formulas, strict=True)]
    )


def _may_be_sat(system: System) -> bool:
    return system.status != "unsat" and is_small(system)


def _has_rules(system: System) -> bool:
    return any(not clause.is_query for clause in system.clauses)


def _of_model(name: str, summary: str, source: str, rewrite: WithModel, needs: SystemTest = anything) -> Mutation:
    def applies(system: System) -> bool:
        return _may_be_sat(system) and needs(system)

    def rewritten(system: System, choices: Choices) -> System | None:
        model = model_of(system) if _may_be_sat(system) else None
        return None if model is None else as_read(rewrite(system, model, choices), system)

    return Mutation(
        f"interrogation.{name}",
        Promise.EQUISATISFIABLE,
        summary,
        source,
        rewritten,
        applies,
        kind=Kind.INTERROGATION,
        converter=ModelConverter(meanings=lambda move: model_of(move.before), facts=no_facts),
        needs=Needs.CLAUSES,
    )


MUTATIONS = (
    _of_model(
        "plug-in-atom",
        "a body atom is replaced by its meaning in a model",
        "HornGator (ASE 2025), plugging in",
        _at_atom(_meaning_alone),
        has_body_atoms,
    ),
    _of_model(
        "plug-in-predicate",
        "every atom of a predicate, in bodies or everywhere, is replaced by its meaning in a model",
        "HornGator (ASE 2025), plugging in",
        _plug_in_predicate,
        has_body_atoms,
    ),
    _of_model(
        "strengthen-atom",
        "a body atom is joined with its meaning in a model by and",
        "HornGator (ASE 2025), adding a constraint",
        _at_atom(_strengthened),
        has_body_atoms,
    ),
    _of_model(
        "widen-atom",
        "a body atom is joined with its meaning in a model by or",
        "after HornGator (ASE 2025), plugging in",
        _at_atom(_widened),
        has_body_atoms,
    ),
    _of_model(
        "ask-model",
        "a query forbids facts that a model excludes",
        "HornGator (ASE 2025), adding a constraint",
        _add_query,
    ),
    _of_model(
        "tell-model",
        "the meaning of a predicate in a model becomes a rule of it",
        "HornGator (ASE 2025), making a predicate true",
        _add_rule,
    ),
    _of_model(
        "rules-to-fact",
        "the rules of a predicate are replaced by its meaning in a model",
        "HornGator (ASE 2025), replacing by a fact",
        _rules_to_fact,
        _has_rules,
    ),
)
