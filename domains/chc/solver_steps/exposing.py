"""Systems whose answer a wrong step may make wrong, each with its right answer.

- A wrong lemma excludes a derived fact. A query that this fact answers makes the system unsat. If the lemma stays, the
  solver does not find the fact, and answers sat.
- A wrong obligation has a state that leads nowhere. If this state is a fact, and nothing else is, the parent is not
  reachable, so the system is sat. A solver that takes the step derives the parent, and answers unsat.
- A wrong fact is one that no rule derives. The query whether it is derived is mostly answered sat, rightly.

The forms differ in ways that decide whether the solver takes the same step again: the queries that the system has, the
rules of the file or those after transforms, and a query that comes late (`_late`), when the step has been taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from chcfuzz.domains.chc.oracles.rule import equal
from chcfuzz.domains.chc.solver_steps.frames import Claim
from chcfuzz.domains.chc.solver_steps.spacer_rules import RealRules
from chcfuzz.grammar.evaluation.values import Ground, as_term
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.printing.witness import Fact
from chcfuzz.grammar.sorts import INT
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    FALSE,
    Atom,
    Predicate,
    Quantifier,
    Term,
    Variable,
    apply,
    conjunction,
    free_variables,
    implication,
    integer,
    negation,
)

_DELAYS = (0, 2)  # steps of derivations before a query
_ROUNDS = 2  # levels at which states that are not reachable seem to be


def of_lemma(file: System, rules: RealRules, lemma: Claim, fact: Fact) -> Iterator[str]:
    """Yield systems that are unsat, because a fact that the lemma excludes is derived."""
    atom = Atom(lemma.predicate, lemma.parameters)
    for base in _bases(file, rules, lemma.predicate):
        for wrong in (negation(lemma.formula), equal(lemma.parameters, fact.values)):
            for delay in _DELAYS:
                yield _text(_with_query(base, conjunction(atom, wrong), delay), "unsat")


def of_fact(file: System, fact: Claim, state: Mapping[Variable, Ground]) -> Iterator[str]:
    """Yield systems that are sat, if no rules derive a state of a fact that does not follow from earlier ones."""
    atom = Atom(fact.predicate, fact.parameters)
    for base in _bases(file, None, fact.predicate):
        for delay in _DELAYS:
            yield _text(_with_query(base, conjunction(atom, _at(state)), delay), "sat")


def of_obligation(
    rules: System, obligation: Claim, parents: Sequence[Claim], state: Mapping[Variable, Ground]
) -> Iterator[str]:
    """Yield systems that are sat, because the only state of the obligation that is derived leads into no parent.

    Other states seem to be reachable for some levels, or the solver would see at once that none leads there.
    """
    own = Atom(obligation.predicate, [as_term(state[each], each.sort) for each in obligation.parameters])
    taken = [each.name for each in rules.predicates]
    for parent in parents:
        after = Predicate(fresh_name("after", taken), parent.predicate.parameters)
        seeming = Predicate(fresh_name("round", taken), (INT,))
        count = Variable(fresh_name("n", rules.signature), INT)
        leading = [clause for clause in rules.clauses if _leads(clause, obligation.predicate, parent.predicate)]
        others = [clause for clause in rules.clauses if _head(clause) is not obligation.predicate]
        into = [_with_head(clause, after) for clause in leading]
        query = _closed(implication(conjunction(Atom(after, parent.parameters), parent.formula), FALSE))
        unreached = conjunction(Atom(seeming, (count,)), apply(">", count, integer(_ROUNDS)))
        any_state = Atom(obligation.predicate, obligation.parameters)
        predicates = (*rules.predicates, after, seeming)
        for guess in (any_state, implication(obligation.formula, any_state)):
            clauses = (*others, Clause(own), *_counting(seeming, count, None), *into)
            guessed = _closed(implication(unreached, guess))
            for order in ((*clauses, guessed, query), (guessed, *clauses, query)):
                yield _text(rules.with_predicates(predicates).with_clauses(order), "sat")


def _bases(file: System, rules: RealRules | None, predicate: Predicate) -> Iterator[System]:
    """Yield the file, the file without its queries, and both for the rules after transforms, if they have a predicate.

    Without rules, the answer has to be sat, so that only the file without its queries is a base.
    """
    if predicate in file.predicates:
        if rules is not None:
            yield file
        yield file.with_clauses([clause for clause in file.clauses if not clause.is_query])
    if rules is not None:
        queries = [clause for clause in rules.system.clauses if _head(clause) is rules.predicate(rules.query)]
        rest = [clause for clause in rules.system.clauses if clause not in queries]
        without = rules.system.with_predicates([p for p in rules.system.predicates if p.name != rules.query])
        yield without.with_clauses([*rest, *map(_as_query, queries)])
        yield without.with_clauses(rest)


def _with_query(base: System, wrong: Term, delay: int) -> System:
    """Return a system with the query whether a formula holds, which has an answer after a number of steps."""
    if not delay:
        return base.with_clauses((*base.clauses, _closed(implication(wrong, FALSE))))
    late = Predicate(fresh_name("late", [*base.declared_names]), (INT,))
    count = Variable(fresh_name("n", [*base.signature, *(each.name for each in free_variables(wrong))]), INT)
    after = implication(conjunction(Atom(late, (count,)), apply(">=", count, integer(delay))), FALSE)
    counting = _counting(late, count, wrong)
    return base.with_predicates((*base.predicates, late)).with_clauses((*base.clauses, *counting, _closed(after)))


def _counting(predicate: Predicate, count: Variable, start: Term | None) -> tuple[Clause, Clause]:
    """Return the clauses of a predicate that counts from 0, once a formula holds; without one, up to `_ROUNDS`."""
    zero, following = Atom(predicate, (integer(0),)), Atom(predicate, (apply("+", count, integer(1)),))
    limit = [] if start is not None else [apply("<", count, integer(_ROUNDS))]
    first = Clause(zero) if start is None else _closed(implication(start, zero))
    return first, _closed(implication(conjunction(Atom(predicate, (count,)), *limit), following))


def _at(state: Mapping[Variable, Ground]) -> Term:
    return equal(tuple(state), tuple(state.values()))


def _head(clause: Clause) -> Predicate | None:
    return clause.head.predicate if isinstance(clause.head, Atom) else None


def _leads(clause: Clause, source: Predicate, target: Predicate) -> bool:
    return _head(clause) is target and any(atom.predicate is source for atom in clause.atoms)


def _with_head(clause: Clause, predicate: Predicate) -> Clause:
    return _closed(implication(conjunction(*clause.body), Atom(predicate, clause.head.children)))


def _as_query(clause: Clause) -> Clause:
    return _closed(implication(conjunction(*clause.body), FALSE))


def _closed(formula: Term) -> Clause:
    free = free_variables(formula)
    return Clause(Quantifier("forall", free, formula) if free else formula)


def _text(system: System, status: str) -> str:
    return print_system(system.with_header((("status", status),), ()))
