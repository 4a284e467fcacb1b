"""Unfolding replaces atoms by the bodies of their rules, and folding turns parts of bodies into predicates.

The rules are Burstall and Darlington's (1977). Z3's transforms unfold before solving and never see folded systems. In
the least model an atom and the disjunction of its rules' bodies are equivalent, so the answer stays the same when one
replaces the other (Tamaki and Sato, Unfold/fold transformation of logic programs, ICLP 1984).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from chcfuzz.domains.chc.rows.guessed_facts import with_guessed_facts
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.printing.witness import Facts, Meaning
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    Atom,
    Predicate,
    Quantifier,
    Term,
    Value,
    conjunction,
    disjunction,
    free_variables,
    implication,
    is_operator,
    is_small_as_a_tree,
    subterms,
)
from chcfuzz.mutators.rewriting.clause_making import as_read, closed, inserted
from chcfuzz.mutators.rewriting.model_converter import itself
from chcfuzz.mutators.rewriting.places import Places, monotone
from chcfuzz.mutators.rewriting.predicate_transformation import (
    Names,
    PredicateTransformation,
    each_fact,
    transformation_row,
)
from chcfuzz.mutators.rewriting.resolution import PredicateUses, put, resolved, rules_of

_MOST_RULES = 4  # of a predicate that is unfolded
_MOST_COPIES = 12  # of these rules' bodies, over all uses


# Unfold --------------------------------------------------------------------------------------------


def _unfoldable(system: System) -> list[Predicate]:
    """Return the predicates whose rules do not contain themselves, with few rules and uses.

    A clause that is not small as a tree may use each of its predicates in very many places.
    """
    found: list[Predicate] = []
    if not all(map(is_small_as_a_tree, system.formulas)):
        return found
    uses = PredicateUses(system)
    for predicate, rules in rules_of(system).items():
        if len(rules) <= _MOST_RULES and not any(atom.predicate is predicate for rule in rules for atom in rule.atoms):
            number = uses.number(predicate)
            if number * max(1, len(rules)) <= _MOST_COPIES and (number or rules):
                found.append(predicate)
    return found


def _unfold(system: System, choices: Choices) -> PredicateTransformation | None:
    found = _unfoldable(system)
    if not found:
        return None
    old = choices.pick(found)
    plainly = choices.boolean()
    rules = rules_of(system)[old]
    names = Names(system)
    after = system.with_clauses([clause for clause in system.clauses if clause not in rules])
    while (place := PredicateUses(after).first(old)) is not None:
        bodies = [resolved(rule, place.term.children, names, plainly) for rule in rules]
        after = put(after, place, disjunction(*bodies))
    read = as_read(after.with_predicates([p for p in system.predicates if p is not old]), system)
    if read is None:
        return None
    return PredicateTransformation(read, {}, each_fact(lambda fact: [] if fact.predicate is old else [fact]))


def _usable(system: System) -> list[Predicate]:
    """Return the predicates with few rules that some body contains."""
    rules, uses = rules_of(system), PredicateUses(system)
    return [p for p in system.predicates if len(rules[p]) <= _MOST_RULES and uses.number(p)]


def _unfold_use(system: System, choices: Choices) -> PredicateTransformation | None:
    found = _usable(system)
    if not found:
        return None
    old = choices.pick(found)
    place = PredicateUses(system).pick(old, choices)
    plainly = choices.boolean()
    names = Names(system)
    bodies = [resolved(rule, place.term.children, names, plainly) for rule in rules_of(system)[old]]
    read = as_read(put(system, place, disjunction(*bodies)), system)
    return None if read is None else PredicateTransformation(read, {}, lambda facts: facts)


# Fold ----------------------------------------------------------------------------------------------


def _is_part(term: Term) -> bool:
    return not isinstance(term, Value)


def _parts(system: System) -> Places:
    """Return the formulas that bodies contain positively."""
    return monotone(system, "part", _is_part)


def _fold(system: System, choices: Choices) -> PredicateTransformation | None:
    """Replace adjacent members of a conjunction, or a whole formula, by a new predicate.

    Its arguments are all variables of the part, or those that also occur elsewhere.
    """
    found = _parts(system)
    if not found:
        return None
    place = found.pick(choices)
    part, rest = place.term, []
    if is_operator(part, "and"):
        start = choices.index(len(part.children))
        end = start + 1 + choices.index(len(part.children) - start)
        rest = [part.children[:start], part.children[end:]]
        part = conjunction(*part.children[start:end])
    variables = free_variables(part)
    if choices.boolean():
        elsewhere = set(
            subterms(
                put(system, place, conjunction(*(term for side in rest for term in side))).clauses[place.clause].formula
            )
        )
        variables = tuple(variable for variable in variables if variable in elsewhere)
    names = Names(system)
    new = names.predicate("part", [variable.sort for variable in variables])
    atom = Atom(new, variables)
    after = put(system, place, conjunction(*rest[0], atom, *rest[1]) if rest else atom)
    after = inserted(_declaring(after, new, choices), Clause(closed(implication(part, atom))), choices)
    inner = [variable for variable in free_variables(part) if variable not in variables]
    body = Quantifier("exists", inner, part) if inner else part
    read = as_read(after, system)
    if read is None:  # the part may contain (not head), which can be a member of the body's conjunction
        return None
    meanings = {new: Meaning(variables, body)}
    return PredicateTransformation(read, meanings, lambda facts: with_guessed_facts(facts, new, variables, part))


def _declaring(system: System, new: Predicate, choices: Choices) -> System:
    at = choices.index(len(system.predicates) + 1)
    return replace(system, predicates=(*system.predicates[:at], new, *system.predicates[at:]))


# Tuple ---------------------------------------------------------------------------------------------


def _pairs(system: System) -> Places:
    """Return the conjunctions that have two or more atoms as members."""

    def wanted(term: Term) -> bool:
        return is_operator(term, "and") and sum(isinstance(child, Atom) for child in term.children) > 1

    return monotone(system, "pair", wanted)


def _tuple(system: System, choices: Choices) -> PredicateTransformation | None:
    """Replace two atoms of a conjunction by one of a new predicate that holds where both do.

    A rule derives it from both atoms; or one rule for each pair of their rules derives it from the two bodies.
    """
    found = _pairs(system)
    if not found:
        return None
    place = found.pick(choices)
    members = place.term.children
    atoms = [number for number, term in enumerate(members) if isinstance(term, Atom)]
    at = choices.index(len(atoms))
    first, second = atoms[at], atoms[(at + 1 + choices.index(len(atoms) - 1)) % len(atoms)]
    names = Names(system)
    one, other = (members[number] for number in (first, second))
    assert isinstance(one, Atom)
    assert isinstance(other, Atom)
    p, q = one.predicate, other.predicate
    new = names.predicate(f"{p.name}-{q.name}", (*p.parameters, *q.parameters))
    rest = [term for number, term in enumerate(members) if number not in (first, second)]
    after = _declaring(
        put(system, place, conjunction(Atom(new, (*one.children, *other.children)), *rest)), new, choices
    )
    variables = [names.variable(sort) for sort in new.parameters]
    own, others = variables[: len(p.parameters)], variables[len(p.parameters) :]
    rules = rules_of(system)
    bodies = [conjunction(Atom(p, own), Atom(q, others))]
    if 0 < len(rules[p]) * len(rules[q]) <= _MOST_COPIES and choices.boolean():
        bodies = [
            conjunction(resolved(a, own, names, True), resolved(b, others, names, True))
            for a, b in product(rules[p], rules[q])
        ]
    for body in bodies:
        after = inserted(after, Clause(closed(implication(body, Atom(new, variables)))), choices)
    meaning = Meaning(
        itself(new).parameters,
        conjunction(Atom(p, itself(new).parameters[: len(own)]), Atom(q, itself(new).parameters[len(own) :])),
    )
    read = as_read(after, system)

    def facts(given: Facts) -> Facts:
        return with_guessed_facts(given, new, variables, conjunction(Atom(p, own), Atom(q, others)))

    return None if read is None else PredicateTransformation(read, {new: meaning}, facts)


MUTATIONS = (
    transformation_row(
        "unfolding.unfold-predicate",
        "a predicate is eliminated: the bodies of its rules replace its atoms",
        "Tamaki and Sato 1984; eager inlining: Z3's dl_mk_rule_inliner.cpp",
        _unfold,
        lambda system: bool(_unfoldable(system)),
    ),
    transformation_row(
        "unfolding.unfold-use",
        "the bodies of a predicate's rules replace one of its atoms",
        "Tamaki and Sato 1984",
        _unfold_use,
        lambda system: bool(_usable(system)),
    ),
    transformation_row(
        "unfolding.fold",
        "a part of a body becomes a new predicate",
        "Tamaki and Sato 1984; undoes inlining",
        _fold,
        lambda system: bool(_parts(system)),
    ),
    transformation_row(
        "unfolding.tuple",
        "two atoms of a body become one atom of a new predicate that holds where both do",
        "tupling: Burstall and Darlington 1977",
        _tuple,
        lambda system: bool(_pairs(system)),
    ),
)
