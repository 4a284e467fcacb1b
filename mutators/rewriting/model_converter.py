"""Witnesses along a chain: each row has a `ModelConverter`, and `carried_model` and `carried_facts` apply them.

Nothing here is trusted. A model that was carried is proved at the end, clause by clause (`oracles.model.check_text`),
and the steps of a refutation are found again and evaluated (`oracles.derive.refutation_from_facts`). So a row that says
nothing is taken to keep every predicate as it is (`SAME`), which is what the EQUIVALENT ones do.

A row does not rewrite a model: it says what each predicate of its result means over the predicates before it, as a
formula. Such sayings are put into each other along a chain, and the model stays the text it is, whoever wrote it and
whatever auxiliary functions it has. What rows that change signatures say, p being before and q after:

- arguments in another order: q(x, y) holds where p(y, x) does; the values of facts change places;
- an argument dropped: q(x) where (exists y) p(x, y); facts lose a value. One added: q(x, y) where p(x);
- a predicate unfolded: the others are what they were; its facts are left out, as the search for a step looks at every
  fact before it;
- a predicate split: both mean what it meant, and a fact becomes two. Predicates joined under a tag: q(tag, x) holds
  where (ite tag p1(x) p2(x)) does;
- a new predicate for a part of a body: it holds where that part does, its variables quantified.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from chcfuzz.grammar.errors import LimitError
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import FALSE, Atom, Predicate, Variable, fresh_name
from chcfuzz.grammar.witness import Fact, Facts, Meaning, Meanings, plugged, print_definition
from chcfuzz.mutators.mutation import ModelConverter, Move, Mutation
from chcfuzz.mutators.rewriting.symbols import taken_names
from chcfuzz.solvers.model_text import name_of, pieces, renamed, symbols_of

MOST_NODES = 100_000  # of what a chain makes of all predicates


def no_meanings(_move: Move) -> Meanings | None:
    """No model goes on: the row's result is unsat."""
    return None


def no_facts(_move: Move, _facts: Facts) -> Facts | None:
    """No refutation goes on: the row's result is sat."""
    return None


def _by_position(before: System, after: System) -> dict[Predicate, Predicate] | None:
    """The predicates after by those in their places before."""
    old, new = before.predicates, after.predicates
    fits = len(old) == len(new) and all(a.parameters == b.parameters for a, b in zip(old, new, strict=True))
    return dict(zip(old, new, strict=True)) if fits else None


def _by_name(before: System, after: System) -> dict[Predicate, Predicate] | None:
    """The predicates after, which were there before."""
    known = frozenset(before.predicates)
    return {predicate: predicate for predicate in after.predicates} if known.issuperset(after.predicates) else None


def _renaming(pairs: Callable[[System, System], Mapping[Predicate, Predicate] | None]) -> ModelConverter:
    """Predicates of other names, or of the same: what holds of one holds of the other."""

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
    """That it means what the predicate does."""
    parameters = tuple(Variable(f"x!{place}", sort) for place, sort in enumerate(predicate.parameters))
    return Meaning(parameters, Atom(predicate, parameters))


def carried_model(moves: Sequence[Move], definitions: str) -> str | None:
    """What a model of the system before the first move, as `define-fun`s, becomes after the last: `define-fun`s again.

    A predicate that the model leaves out is false. None where a row does not know what becomes of models, or what it
    becomes is too big or too deep.
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
        meanings = {new: Meaning(said.parameters, plugged(said.body, meanings)) for new, said in made.items()}
        if sum(meaning.body.size for meaning in meanings.values()) > MOST_NODES:
            return None
    return _written(start, end, definitions, meanings)


def carried_facts(moves: Sequence[Move], facts: Facts) -> Facts | None:
    """What the facts of a refutation of the system before the first move become after the last one."""
    carried: Facts | None = facts
    for move in _that_change(moves):
        carried = converter_of(move.row).facts(move, carried) if move.row and carried is not None else None
    return carried


def _that_change(moves: Sequence[Move]) -> list[Move]:
    return [move for move in moves if move.after != move.before]


def _written(start: System, end: System, definitions: str, meanings: Meanings) -> str:
    """The model as it is where predicates keep their meaning, else under other names, and the new ones after it."""
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
        said = Meaning(parameters, plugged(meaning.of(parameters), under_other_names))
        lines.append(print_definition(predicate, said))
    return "\n".join(lines)
