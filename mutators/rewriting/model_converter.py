"""Conversion of witnesses along a chain: `carried_model` and `carried_facts` apply the `ModelConverter` of each row.

The results are not trusted. The converted model is proved clause by clause (`domains.chc.oracles.model.check_text`),
and the steps of a refutation are searched again and evaluated (`domains.chc.oracles.derive.refutation_from_facts`). A
row without a converter keeps every predicate as it is (`SAME`), which is right for the EQUIVALENT rows.

A converter does not rewrite a model. For each predicate of the result it returns a formula over the predicates before,
its meaning. These formulas are composed along the chain, and the text of the model stays as it is, whoever printed it
and whatever auxiliary functions it has. For example, with p before and q after:

- arguments in another order: q(x, y) means p(y, x); the values of facts are permuted;
- an argument dropped: q(x) means (exists y) p(x, y), and facts lose a value; an argument added: q(x, y) means p(x);
- a predicate unfolded: the others keep their meaning, and its facts are left out, since the search for a step considers
  every earlier fact;
- a predicate split: both parts mean p restricted to a case, and a fact becomes one of them; predicates joined with a
  tag: q(tag, x) means (ite tag p1(x) p2(x));
- a new predicate for a part of a body: it means that part, with its other variables quantified.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from chcfuzz.grammar.errors import LimitError
from chcfuzz.grammar.printing.witness import Fact, Facts, Meaning, Meanings, plugged, print_definition
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import FALSE, Atom, Predicate, Variable
from chcfuzz.mutators.mutation import ModelConverter, Move, Mutation
from chcfuzz.mutators.rewriting.symbols import taken_names
from chcfuzz.solvers.model_text import name_of, pieces, renamed, symbols_of

MOST_NODES = 100_000  # of all composed meanings together


def no_meanings(_move: Move) -> Meanings | None:
    """Convert no model, since the row's result is unsat."""
    return None


def no_facts(_move: Move, _facts: Facts) -> Facts | None:
    """Convert no refutation, since the row's result is sat."""
    return None


def _by_position(before: System, after: System) -> dict[Predicate, Predicate] | None:
    """Return the predicates after by those at the same positions before."""
    old, new = before.predicates, after.predicates
    fits = len(old) == len(new) and all(a.parameters == b.parameters for a, b in zip(old, new, strict=True))
    return dict(zip(old, new, strict=True)) if fits else None


def _by_name(before: System, after: System) -> dict[Predicate, Predicate] | None:
    """Return the predicates after, if all of them existed before."""
    known = frozenset(before.predicates)
    return {predicate: predicate for predicate in after.predicates} if known.issuperset(after.predicates) else None


def _renaming(pairs: Callable[[System, System], Mapping[Predicate, Predicate] | None]) -> ModelConverter:
    """Return the converter for predicates that only change their names, or nothing."""

    def meanings(move: Move) -> Meanings | None:
        found = pairs(move.before, move.after)
        return None if found is None else {new: itself(old) for old, new in found.items()}

    def facts(move: Move, given: Facts) -> Facts | None:
        found = pairs(move.before, move.after)
        if found is None:
            return None
        return tuple(Fact(found[fact.predicate], fact.values) for fact in given if fact.predicate in found)

    return ModelConverter(meanings, facts)


SAME = _renaming(_by_name)
BY_POSITION = _renaming(_by_position)


def converter_of(row: Mutation) -> ModelConverter:
    """Return the converter of a row; a row without one keeps every predicate."""
    return row.converter or SAME


def itself(predicate: Predicate) -> Meaning:
    """Return the meaning of a predicate that is equivalent to this one."""
    parameters = tuple(Variable(f"x!{place}", sort) for place, sort in enumerate(predicate.parameters))
    return Meaning(parameters, Atom(predicate, parameters))


def carried_model(moves: Sequence[Move], definitions: str) -> str | None:
    """Convert a model of the system before the first move, as `define-fun`s, to the system after the last.

    A predicate that the model leaves out is false. None if a row cannot convert models, or if the result exceeds a
    limit.
    """
    if not moves:
        return definitions
    try:
        return _carried(moves, definitions)
    except LimitError:
        return None


def _carried(moves: Sequence[Move], definitions: str) -> str | None:
    start, end = moves[0].before, moves[-1].after
    meanings: Meanings = {predicate: itself(predicate) for predicate in start.predicates}
    for move in _that_change(moves):
        made = converter_of(move.row).meanings(move) if move.row else None
        if made is None:
            return None
        meanings = {new: Meaning(one.parameters, plugged(one.body, meanings)) for new, one in made.items()}
        if sum(meaning.body.size for meaning in meanings.values()) > MOST_NODES:
            return None
    return _written(start, end, definitions, meanings)


def carried_facts(moves: Sequence[Move], facts: Facts) -> Facts | None:
    """Convert the facts of a refutation of the system before the first move to the system after the last."""
    carried: Facts | None = facts
    for move in _that_change(moves):
        carried = converter_of(move.row).facts(move, carried) if move.row and carried is not None else None
    return carried


def _that_change(moves: Sequence[Move]) -> list[Move]:
    return [move for move in moves if move.after != move.before]


def _written(start: System, end: System, definitions: str, meanings: Meanings) -> str:
    """Return the model unchanged if all predicates keep their meaning, else with renamed and additional definitions."""
    if all(meanings.get(predicate) == itself(predicate) for predicate in end.predicates):
        return definitions
    found = pieces(definitions)
    taken = taken_names(end) | taken_names(start) | {symbol.strip("|") for each in found for symbol in symbols_of(each)}
    names: dict[str, str] = {}
    for predicate in start.predicates:
        names[predicate.name] = fresh_name(f"{predicate.name} before", taken)
        taken.add(names[predicate.name])
    moved = {old: Predicate(names[old.name], old.parameters) for old in start.predicates}
    lines = [renamed(each, names) for each in found]
    defined = {name_of(each).strip("|") for each in found}
    for old in start.predicates:
        if old.name not in defined:
            lines.append(print_definition(moved[old], Meaning(itself(old).parameters, FALSE)))
    under_other_names = {old: itself(new) for old, new in moved.items()}
    for predicate in end.predicates:
        meaning = meanings[predicate]
        parameters = tuple(
            Variable(fresh_name(f"x!{place}", taken), sort) for place, sort in enumerate(predicate.parameters)
        )
        body = plugged(meaning.of(parameters), under_other_names)
        lines.append(print_definition(predicate, Meaning(parameters, body)))
    return "\n".join(lines)
