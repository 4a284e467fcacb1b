"""Facts of a new predicate that holds where a part of a body does, guessed from the facts of a refutation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product

from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Ground
from chcfuzz.grammar.printing.witness import Fact, Facts
from chcfuzz.grammar.terms import Atom, Predicate, Quantifier, Term, Variable, free_variables, is_operator, postorder
from chcfuzz.mutators.rewriting.places import is_junction

_MOST_FACTS = 256  # that are guessed for a new predicate
_MOST_VALUES = 32  # that are tried for a variable of such a fact

Assignment = dict[Variable, Ground]


def with_guessed_facts(facts: Facts, new: Predicate, variables: Sequence[Variable], part: Term) -> Facts:
    """Return the facts, each preceded by facts of the new predicate that are guessed to follow from earlier ones."""
    result: list[Fact] = []
    guessed: set[Fact] = set()
    part = _without_exists(part)
    for number in range(len(facts) + 1):
        known = frozenset(facts[:number])

        def holds(predicate: Predicate, values: tuple[Ground, ...], known: frozenset[Fact] = known) -> bool:
            return Fact(predicate, values) in known

        for values in islice(_matches(part, facts[:number], facts), _MOST_FACTS):
            fact = Fact(new, tuple(values[variable] for variable in variables))
            if fact not in guessed and len(guessed) < _MOST_FACTS and evaluate(part, values, holds) is True:
                guessed.add(fact)
                result.append(fact)
        result += facts[number : number + 1]
    return tuple(result)


def _without_exists(part: Term) -> Term:
    """Return the formula without existential quantifiers, for use with values of their variables."""
    done: dict[Term, Term] = {}
    for term in postorder(part):
        if isinstance(term, Quantifier) and term.kind == "exists":
            done[term] = done[term.body]
        else:
            done[term] = term.rebuild([done[child] for child in term.children]) if is_junction(term) else term
    return done[part]


def _matches(part: Term, known: Facts, facts: Facts) -> Iterator[Assignment]:
    """Yield values of a formula's free variables, from known facts for its atoms and from all facts otherwise."""
    for side in part.children if is_operator(part, "or") else (part,):
        members = side.children if is_operator(side, "and") else (side,)
        found: Iterator[Assignment] = iter([{}])
        for atom in members:
            if isinstance(atom, Atom):
                found = _matched(found, atom, known)
        for values in found:
            values = _equated(members, values)
            unknown = [variable for variable in free_variables(part) if variable not in values]
            for guess in product(*(_values(variable, facts) for variable in unknown)):
                yield {**values, **dict(zip(unknown, guess, strict=True))}


def _matched(given: Iterator[Assignment], atom: Atom, known: Facts) -> Iterator[Assignment]:
    for values in given:
        for fact in known:
            if fact.predicate is atom.predicate:
                pairs = list(zip(atom.children, fact.values, strict=True))
                more = {term: value for term, value in pairs if isinstance(term, Variable)} | values
                if all(evaluate(term, more) in (value, UNDETERMINED) for term, value in pairs):
                    yield more


def _equated(members: Sequence[Term], values: Assignment) -> Assignment:
    """Return these values, and those of variables that equations determine."""
    for term in members:
        if is_operator(term, "=") and len(term.children) == 2:
            for one, other in (term.children, term.children[::-1]):
                value = evaluate(other, values)
                if isinstance(one, Variable) and one not in values and value is not UNDETERMINED:
                    values = {**values, one: value}
    return values


def _values(variable: Variable, facts: Facts) -> list[Ground]:
    """Return the values of the variable's sort in the facts."""
    found = dict.fromkeys(
        value
        for fact in facts
        for value, sort in zip(fact.values, fact.predicate.parameters, strict=True)
        if sort is variable.sort
    )
    return list(found)[:_MOST_VALUES]
