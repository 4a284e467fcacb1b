"""Resolution with rules: the step that unfolding and resolvents share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.occurrences import Occurrences, fallen_into
from chcfuzz.grammar.paths import at, path_of, replace_at
from chcfuzz.grammar.substitution import substitute
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Atom, Predicate, Term, Variable, apply, conjunction, kept
from chcfuzz.mutators.rewriting.clause_making import closed
from chcfuzz.mutators.rewriting.places import Place
from chcfuzz.mutators.rewriting.predicate_transformation import Names, is_head


def rules_of(system: System) -> dict[Predicate, list[Clause]]:
    """Return the rules of every predicate."""
    found: dict[Predicate, list[Clause]] = {predicate: [] for predicate in system.predicates}
    for clause in system.clauses:
        if isinstance(clause.head, Atom):
            found[clause.head.predicate].append(clause)
    return found


class PredicateUses:
    """The occurrences of each predicate in the bodies of a system, found in one walk over its clauses."""

    def __init__(self, system: System) -> None:
        """Count the occurrences in every clause."""
        self._system = system
        self._found: dict[Predicate, dict[int, int]] = {}
        for number, clause in enumerate(system.clauses):
            for predicate, count in _counts(clause).items():
                self._found.setdefault(predicate, {})[number] = count

    def number(self, predicate: Predicate) -> int:
        """Return the number of atoms of a predicate in bodies."""
        return sum(self._found.get(predicate, {}).values())

    def pick(self, predicate: Predicate, choices: Choices) -> Place:
        """Draw one of the occurrences; there must be at least one."""
        found = self._found[predicate]
        nth, number = fallen_into(choices.index(self.number(predicate)), found.values())
        clause = tuple(found)[nth]
        return next(islice(self._places(predicate, clause), number, None))

    def first(self, predicate: Predicate) -> Place | None:
        """Return the first occurrence, if there is one."""
        clause = next(iter(self._found.get(predicate, {})), None)
        return None if clause is None else next(self._places(predicate, clause))

    def _places(self, predicate: Predicate, number: int) -> Iterator[Place]:
        clause = self._system.clauses[number]
        for link, root in clause.body_roots:
            for below in Occurrences(root, lambda term: isinstance(term, Atom) and term.predicate is predicate):
                path = (*path_of(link), *below)
                if not is_head(clause.formula, path):  # in (not (and a (not head))) the head is below the body's root
                    yield Place(number, path, at(clause.formula, path))


def _counts(clause: Clause) -> Counter[Predicate]:
    return kept(clause.formula, "uses", lambda: Counter(atom.predicate for atom in clause.atoms))


def put(system: System, place: Place, term: Term) -> System:
    """Return the system with another formula in a body; its new variables are bound around the clause."""
    formula = replace_at(system.clauses[place.clause].formula, place.path, term)
    return system.with_formula(place.clause, closed(formula))


def resolved(rule: Clause, arguments: Sequence[Term], names: Names, plainly: bool) -> Term:
    """Return the body of a rule for a head with these arguments, over new variables.

    A variable in its head is replaced by the argument, unless `plainly`: then every argument becomes an equation.
    """
    assert isinstance(rule.head, Atom)
    fresh: dict[Variable, Term] = {}
    equal = []
    for own, given in zip(rule.head.children, arguments, strict=True):
        if isinstance(own, Variable) and own not in fresh and not plainly:
            fresh[own] = given
        else:
            equal.append((own, given))
    for variable in rule.variables:
        if variable not in fresh:
            fresh[variable] = names.variable(variable.sort)
    equations = [apply("=", given, substitute(own, fresh)) for own, given in equal]
    return conjunction(*equations, *(substitute(member, fresh) for member in rule.body))
