"""What the solver itself says of a system, put back into it: HornGator's interrogation testing, with promises.

HornGator (ASE 2025) asks a CHC solver for a witness, builds the next query from it, and asks again. Here the witness is
checked first (oracles/witnesses.py), and so each result has an answer that is known:

- With a model M of the system, an atom P(t) and its meaning M_P(t) have the same value under M. Exchanging one for the
  other, joining them by `and` or `or`, and clauses that say how P and M_P compare, keep M a model of every clause: the
  result is sat. Where M_P is a conjunction, one of its members may stand for it wherever P(t) is to imply it; where it
  is a disjunction, one of its members wherever it is to imply P(t).
- With a refutation, whatever keeps each of its steps possible keeps the result unsat.

The first rows change sat systems only and make sat ones, the second unsat ones of unsat ones, for without a checked
witness they change nothing: all are `EQUISATISFIABLE`. No row is `EQUIVALENT`: most results have other models. That
promise hangs on Z3's SMT solver where it proved the clauses under a model, and on our own evaluator for a refutation,
never on Spacer. A system whose status is known is asked for no witness of the other answer.

The witness that a row asks for is one of its result too (of a refutation: its facts), so this is what it hands on
(`Mutation.carry`). Another model of the system before need not be one: it may differ from M where M was put in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.evaluate import as_term
from chcfuzz.grammar.horn import NotHornError
from chcfuzz.grammar.parse import parse_term
from chcfuzz.grammar.printer import print_term
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    FALSE,
    TRUE,
    Atom,
    Predicate,
    Quantifier,
    Term,
    Variable,
    conjunction,
    disjunction,
    implication,
    is_operator,
    negation,
    replace_at,
    substitute,
)
from chcfuzz.grammar.witness import Facts, Meanings, plugged
from chcfuzz.mutators.carry import Carry, no_facts, no_meanings
from chcfuzz.mutators.mutation import Kind, Mutation, Promise
from chcfuzz.mutators.places import Places, places
from chcfuzz.mutators.symbols import general_atom, taken_names
from chcfuzz.oracles.refutation import Refutation, facts_of
from chcfuzz.oracles.witnesses import MOST_NODES, model_of, refutation_of

MOST_WRITTEN = 5_000  # nodes of a clause that holds a meaning
MOST_INSTANCES = 8  # of a clause, in its place

Needs = Callable[[System], bool]
WithModel = Callable[[System, Meanings, Choices], "System | None"]
WithRefutation = Callable[[System, Refutation, Choices], "System | None"]


# With a model ------------------------------------------------------------------------------------


def _is_atom(term: Term) -> bool:
    return isinstance(term, Atom)


def _body_atoms(system: System) -> Places:
    return places(system, "atom", _is_atom)


def _members(term: Term, operator: str) -> tuple[Term, ...]:
    """The members of a conjunction or disjunction, the other one negated included; the term alone if it is none."""
    dual = {"and": "or", "or": "and"}[operator]
    if is_operator(term, operator):
        return term.children
    if is_operator(term, "not") and is_operator(term.children[0], dual):
        return tuple(negation(member) for member in term.children[0].children)
    return (term,)


def _part(meaning: Term, operator: str, choices: Choices) -> Term:
    """All of it, or one member."""
    return choices.pick((meaning, *_members(meaning, operator)))


def _at_atom(rewrite: Callable[[Term, Term, Choices], Term]) -> WithModel:
    """One body atom becomes what `rewrite` makes of it and of its meaning."""

    def rewritten(system: System, model: Meanings, choices: Choices) -> System | None:
        found = _body_atoms(system)
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
    """Every body atom of one predicate, or half the time every atom: then its rules say that its meaning holds."""
    asked = _predicates(place.term for place in _body_atoms(system))
    if not asked:
        return None
    predicate = choices.pick(asked)
    if choices.boolean():
        meanings = {predicate: model[predicate]}
        return _with_formulas(system, [plugged(clause.formula, meanings) for clause in system.clauses])
    formulas = [clause.formula for clause in system.clauses]
    for place in _body_atoms(system):  # atoms hold no atoms: the paths of the others stay
        if isinstance(place.term, Atom) and place.term.predicate is predicate:
            new = model[predicate].of(place.term.children)
            formulas[place.clause] = replace_at(formulas[place.clause], place.path, new)
    return _with_formulas(system, formulas)


def _predicates(terms: Iterable[Term]) -> tuple[Predicate, ...]:
    return tuple(dict.fromkeys(term.predicate for term in terms if isinstance(term, Atom)))


def _ask_model(system: System, model: Meanings, choices: Choices) -> System | None:
    """P(x) and not M_P(x) => false."""
    if not system.predicates:
        return None
    variables, atom, meaning = _general(system, model, choices)
    part = _part(meaning, "and", choices)
    if part is TRUE:
        return None
    return _inserted(system, _clause(variables, conjunction(atom, negation(part)), FALSE), choices)


def _tell_model(system: System, model: Meanings, choices: Choices) -> System | None:
    """M_P(x) => P(x)."""
    if not system.predicates:
        return None
    variables, atom, meaning = _general(system, model, choices)
    part = _part(meaning, "or", choices)
    if part is FALSE:
        return None
    return _inserted(system, _clause(variables, part, atom), choices)


def _rules_to_fact(system: System, model: Meanings, choices: Choices) -> System | None:
    """The rules of P go, M_P(x) => P(x) comes: P may no longer be less than the model says."""
    heads = _predicates(clause.head for clause in system.clauses)
    if not heads:
        return None
    predicate = choices.pick(heads)
    variables, atom = general_atom(predicate, taken_names(system))
    fact = _clause(variables, model[predicate].of(variables), atom)
    rest = [clause for clause in system.clauses if predicate not in _predicates([clause.head])]
    return _inserted(system.with_clauses(rest), fact, choices)


def _general(system: System, model: Meanings, choices: Choices) -> tuple[list[Variable], Term, Term]:
    """Some predicate of new variables, and its meaning there."""
    predicate = choices.pick(system.predicates)
    variables, atom = general_atom(predicate, taken_names(system))
    return variables, atom, model[predicate].of(variables)


def _clause(variables: Sequence[Variable], body: Term, head: Term) -> Clause:
    formula = implication(body, head)
    return Clause(Quantifier("forall", variables, formula) if variables else formula)


# With a refutation -------------------------------------------------------------------------------


def _core(system: System, refutation: Refutation, _choices: Choices) -> System | None:
    """The clauses of the refutation alone: its steps are what they were."""
    used = {step.clause for step in refutation}
    return system.with_clauses([clause for number, clause in enumerate(system.clauses) if number in used])


def _fact_for_subtree(system: System, refutation: Refutation, choices: Choices) -> System | None:
    """A fact that the refutation derives becomes a clause; half the time, clauses that only its derivation uses go.

    With the fact given, the steps that lead to false without it and to it from elsewhere remain, and so does false.
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
    return _inserted(system.with_clauses(clauses), Clause(atom), choices)


def _needed(refutation: Refutation, given: int) -> set[int]:
    """The steps that false needs if the fact of step `given` needs none."""
    needed: set[int] = set()
    open_steps = [len(refutation) - 1]
    while open_steps:
        number = open_steps.pop()
        if number != given and number not in needed:
            needed.add(number)
            open_steps += refutation[number].premises
    return needed


def _instance(system: System, refutation: Refutation, choices: Choices) -> System | None:
    """A clause with the refutation's values for one variable, all of them and in its place; or one more clause."""
    used = [
        number
        for number in sorted({step.clause for step in refutation})
        if isinstance(system.clauses[number].formula, Quantifier)
    ]
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
        return _inserted(system, Clause(choices.pick(instances)), choices)
    if len(instances) > MOST_INSTANCES:
        return None
    clauses = system.clauses
    return system.with_clauses((*clauses[:number], *map(Clause, instances), *clauses[number + 1 :]))


def _instantiated(formula: Quantifier, variable: Variable, value: Term) -> Term:
    rest = [other for other in formula.variables if other is not variable]
    body = substitute(formula.body, {variable: value})
    return Quantifier("forall", rest, body) if rest else body


# Rows --------------------------------------------------------------------------------------------


def _with_formulas(system: System, formulas: Sequence[Term]) -> System:
    return system.with_clauses(
        [Clause(formula, clause.name) for clause, formula in zip(system.clauses, formulas, strict=True)]
    )


def _inserted(system: System, clause: Clause, choices: Choices) -> System:
    place = choices.index(len(system.clauses) + 1)
    return system.with_clauses((*system.clauses[:place], clause, *system.clauses[place:]))


def _fit(changed: System | None, system: System) -> System | None:
    """The changed system as it reads back, for a value may stand where a term of another form means it: (- 1).

    None if it is the old one, or holds a clause that is not Horn or too big.
    """
    if changed is None:
        return None
    old = set(system.clauses)
    clauses = []
    for clause in changed.clauses:
        if clause not in old:
            if clause.formula.size > MOST_WRITTEN:
                return None
            clause = Clause(parse_term(print_term(clause.formula), (), system), clause.name)
            try:
                _ = clause.reading
            except NotHornError:
                return None
        clauses.append(clause)
    return None if tuple(clauses) == system.clauses else system.with_clauses(clauses)


def _can_be_asked(system: System) -> bool:
    return bool(system.predicates) and bool(system.clauses) and system.nodes <= MOST_NODES


def _may_be_sat(system: System) -> bool:
    return system.status != "unsat" and _can_be_asked(system)


def _may_be_unsat(system: System) -> bool:
    return system.status != "sat" and _can_be_asked(system)


def _has_body_atoms(system: System) -> bool:
    return bool(_body_atoms(system))


def _has_rules(system: System) -> bool:
    return any(not clause.is_query for clause in system.clauses)


def _binds_variables(system: System) -> bool:
    return any(isinstance(clause.formula, Quantifier) for clause in system.clauses)


def _any(_system: System) -> bool:
    return True


def _of_model(name: str, summary: str, source: str, rewrite: WithModel, needs: Needs = _any) -> Mutation:
    def applies(system: System) -> bool:
        return _may_be_sat(system) and needs(system)

    def rewritten(system: System, choices: Choices) -> System | None:
        model = model_of(system) if _may_be_sat(system) else None
        return None if model is None else _fit(rewrite(system, model, choices), system)

    carry = Carry(meanings=lambda before, after: model_of(before), facts=no_facts)  # a sat system has no refutation
    return _row(name, summary, source, rewritten, applies, carry)


def _of_refutation(name: str, summary: str, source: str, rewrite: WithRefutation, needs: Needs = _any) -> Mutation:
    def applies(system: System) -> bool:
        return _may_be_unsat(system) and needs(system)

    def rewritten(system: System, choices: Choices) -> System | None:
        refutation = refutation_of(system) if _may_be_unsat(system) else None
        return None if refutation is None else _fit(rewrite(system, refutation, choices), system)

    return _row(name, summary, source, rewritten, applies, Carry(meanings=no_meanings, facts=_facts_asked_for))


def _facts_asked_for(before: System, _after: System, _facts: Facts) -> Facts | None:
    """Those of the refutation that the row builds on, whatever else refutes the system before it.

    Some of them may follow no longer, where a clause took the place of their derivation; false follows without them.
    """
    refutation = refutation_of(before)
    return None if refutation is None else facts_of(refutation)


def _row(
    name: str,
    summary: str,
    source: str,
    rewrite: Callable[[System, Choices], System | None],
    applies: Callable[[System], bool],
    carry: Carry,
) -> Mutation:
    return Mutation(
        f"interrogation.{name}",
        Promise.EQUISATISFIABLE,
        summary,
        source,
        rewrite,
        applies,
        kind=Kind.INTERROGATION,
        carry=carry,
    )


MUTATIONS = (
    _of_model(
        "plug-in-atom",
        "a body atom becomes what a model says of it",
        "HornGator (ASE 2025), plugging in",
        _at_atom(_meaning_alone),
        _has_body_atoms,
    ),
    _of_model(
        "plug-in-predicate",
        "every atom of a predicate becomes what a model says of it, in bodies or everywhere",
        "HornGator (ASE 2025), plugging in",
        _plug_in_predicate,
        _has_body_atoms,
    ),
    _of_model(
        "strengthen-atom",
        "a body atom and what a model says of it",
        "HornGator (ASE 2025), adding a constraint",
        _at_atom(_strengthened),
        _has_body_atoms,
    ),
    _of_model(
        "widen-atom",
        "a body atom or what a model says of it",
        "after HornGator (ASE 2025), plugging in",
        _at_atom(_widened),
        _has_body_atoms,
    ),
    _of_model(
        "ask-model",
        "a query asks for a fact that a model excludes",
        "HornGator (ASE 2025), adding a constraint",
        _ask_model,
    ),
    _of_model(
        "tell-model",
        "what a model says of a predicate becomes a rule of it",
        "HornGator (ASE 2025), making a predicate true",
        _tell_model,
    ),
    _of_model(
        "rules-to-fact",
        "what a model says of a predicate takes the place of its rules",
        "HornGator (ASE 2025), replacing by a fact",
        _rules_to_fact,
        _has_rules,
    ),
    _of_refutation(
        "core",
        "the clauses of a refutation alone",
        "HornGator (ASE 2025), extracting an unsat core",
        _core,
    ),
    _of_refutation(
        "fact-for-subtree",
        "a fact that a refutation derives becomes a clause, instead of the clauses that derive it or beside them",
        "HornGator (ASE 2025), replacing by a fact",
        _fact_for_subtree,
        _has_body_atoms,
    ),
    _of_refutation(
        "instance",
        "a clause with a refutation's values for a variable, in its place or beside it",
        "after HornGator (ASE 2025), adding a constraint",
        _instance,
        _binds_variables,
    ),
)
