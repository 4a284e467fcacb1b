"""A derivation of false, and its check by our own evaluator: no solver has a say in it.

A refutation is a sequence of ground steps. Each takes a clause of the system, a value for each of its variables and
facts of earlier steps; the clause's body holds there, so its head is a fact too. The last step's head is false. The
clauses are those of the system that was solved, before any transformation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.evaluate import UNDETERMINED, Ground, Undetermined, as_term, evaluate, has_sort
from chcfuzz.grammar.parse import parse_term
from chcfuzz.grammar.printer import print_term
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import (
    Atom,
    Predicate,
    Quantifier,
    Term,
    Variable,
    fresh_name,
    is_operator,
    kept,
    substitute,
)
from chcfuzz.grammar.witness import Fact, Facts


@dataclass(frozen=True)
class Step:
    """`fact` follows from the system's clause number `clause` and the facts of the steps numbered `premises`.

    `values` are those of `opened(clause).variables`, in that order; a `fact` of None is false.
    """

    clause: int
    premises: tuple[int, ...]
    values: tuple[Ground, ...]
    fact: Fact | None


Refutation = tuple[Step, ...]


def facts_of(refutation: Refutation) -> Facts:
    """What its steps derive, in their order, without the false at the end."""
    return tuple(step.fact for step in refutation if step.fact is not None)


def needed(refutation: Refutation) -> Refutation:
    """The steps that the last one follows from, and it; the others are left out."""
    wanted: set[int] = set()
    stack = [len(refutation) - 1] if refutation else []
    while stack:
        number = stack.pop()
        if number not in wanted:
            wanted.add(number)
            stack += refutation[number].premises
    place = {old: new for new, old in enumerate(sorted(wanted))}
    steps = ((refutation[old], tuple(place[premise] for premise in refutation[old].premises)) for old in place)
    return tuple(replace(step, premises=premises) for step, premises in steps)


@dataclass(frozen=True)
class Fault:
    """Why a refutation is none. `certain`: a step is wrong; else our evaluator cannot tell whether it is right."""

    words: str
    certain: bool = True


@dataclass(frozen=True)
class Opened:
    """A clause whose body bears no quantifier that a value can stand for: `variables` holds what those bound, too."""

    variables: tuple[Variable, ...]
    body: tuple[Term, ...]
    head: Term


def opened(clause: Clause) -> Opened:
    """The clause with `exists` taken out of its body, the variables renamed apart: bodies are monotone."""

    def derive() -> Opened:
        variables = list(clause.variables)
        body = tuple(without_exists(member, variables) for member in clause.body)
        return Opened(tuple(variables), body, clause.head)

    return kept(clause.formula, "opened", derive)


def without_exists(member: Term, variables: list[Variable]) -> Term:
    """What is said, without the quantifiers that assert existence where they stand; adds what they bound."""
    done: dict[tuple[Term, bool], Term] = {}
    stack: list[tuple[Term, bool, Term | None]] = [(member, True, None)]
    while stack:
        here, positive, below = stack.pop()  # below: what stands in a quantifier's place, once it is known
        if (here, positive) in done:
            continue
        if below is None and isinstance(here, Quantifier) and (here.kind == "exists") == positive:
            below = _with_fresh_names(here, variables)
            stack += [(here, positive, below), (below, positive, None)]
        elif below is not None:
            done[here, positive] = done[below, positive]
        else:
            polarities = _polarities(here, positive) if here.depth else None
            parts = [part for part in zip(here.children, polarities or (), strict=False) if part[1] is not None]
            missing = [(child, bool(p), None) for child, p in parts if (child, bool(p)) not in done]
            if missing:
                stack += [(here, positive, None), *reversed(missing)]
            elif polarities is None:
                done[here, positive] = here
            else:
                pairs = zip(here.children, polarities, strict=True)
                done[here, positive] = here.rebuild([c if p is None else done[c, p] for c, p in pairs])
    return done[member, True]


def _with_fresh_names(term: Quantifier, variables: list[Variable]) -> Term:
    taken = {variable.name for variable in variables}
    fresh: dict[Variable, Term] = {}
    for variable in term.variables:
        new = Variable(fresh_name(variable.name, taken), variable.sort)
        taken.add(new.name)
        variables.append(new)
        fresh[variable] = new
    return substitute(term.body, fresh)


def _polarities(term: Term, positive: bool) -> tuple[bool | None, ...] | None:
    """Of each child, None for one that must not be touched; None for a term with no such structure."""
    number = len(term.children)
    if is_operator(term, "and") or is_operator(term, "or"):
        return (positive,) * number
    if is_operator(term, "not"):
        return (not positive,)
    if is_operator(term, "=>"):
        return (not positive,) * (number - 1) + (positive,)
    if is_operator(term, "ite"):
        return (None, positive, positive)
    return None


def fault(system: System, refutation: Refutation) -> Fault | None:
    """What is wrong with a refutation; None if it is one: then the system is unsatisfiable."""
    for number, step in enumerate(refutation):
        found = fault_of_step(system, refutation, number, step)
        if found is not None:
            return Fault(f"step {number}: {found.words}", found.certain)
    if not refutation or refutation[-1].fact is not None:
        return Fault("the last step does not derive false")
    return None


def fault_of_step(system: System, refutation: Sequence[Step], number: int, step: Step) -> Fault | None:
    """What is wrong with a step that has this number, if the steps before it are right."""
    if step.clause not in range(len(system.clauses)):
        return Fault(f"the system has no clause {step.clause}")
    if any(premise not in range(number) for premise in step.premises):
        return Fault("it follows from a step that is not before it")
    clause = opened(system.clauses[step.clause])
    sorts = [variable.sort for variable in clause.variables]
    if len(sorts) != len(step.values) or not all(map(has_sort, step.values, sorts)):
        return Fault(f"clause {step.clause} does not take these values")
    values = dict(zip(clause.variables, step.values, strict=True))
    facts = {refutation[premise].fact for premise in step.premises}

    def holds(predicate: Predicate, args: tuple[Ground, ...]) -> bool:
        return Fact(predicate, args) in facts

    found = [_untrue(member, value) for member in clause.body if (value := evaluate(member, values, holds)) is not True]
    found += filter(None, [_head_fault(clause.head, values, step.fact)])
    return next((one for one in found if one.certain), found[0] if found else None)


def _head_fault(head: Term, values: Mapping[Variable, Ground], fact: Fact | None) -> Fault | None:
    if not isinstance(head, Atom):
        value = evaluate(head, values)
        if fact is not None:
            return Fault("the clause has no predicate in its head, and the step has a fact")
        return None if value is False else Fault(f"{print_term(head)} is not false", value is not UNDETERMINED)
    args = tuple(evaluate(argument, values) for argument in head.children)
    if UNDETERMINED in args:
        return Fault(f"{print_term(head)} has no known value", certain=False)
    if fact is not None and not _is_well_sorted(fact):
        return Fault(f"{quoted(fact.predicate.name)} does not take the values of the fact")
    if fact is None or fact != Fact(head.predicate, args):  # type: ignore[arg-type]
        return Fault(f"the head is not {'false' if fact is None else fact}")
    return None


def _is_well_sorted(fact: Fact) -> bool:
    """Whether the values are of the predicate's sorts: to Python, 1 and true are equal."""
    sorts = fact.predicate.parameters
    return len(sorts) == len(fact.values) and all(map(has_sort, fact.values, sorts))


def _untrue(member: Term, value: Ground | Undetermined) -> Fault:
    unknown = value is UNDETERMINED
    return Fault(f"{print_term(member)} {'has no known value' if unknown else 'does not hold'}", not unknown)


class RefutationError(ChcfuzzError):
    """The text of a refutation that cannot be read."""


def print_refutation(system: System, refutation: Refutation) -> str:
    """A line a step, for people and for `parse_refutation`: `1: clause 1, from 0, x = 0, y = 2 |- (loop 2)`."""
    return "".join(f"{line}\n" for line in _lines(system, refutation))


def _lines(system: System, refutation: Refutation) -> Iterator[str]:
    for number, step in enumerate(refutation):
        words = [f"{number}: clause {step.clause}"]
        if step.premises:
            words.append(f"from {' '.join(map(str, step.premises))}")
        variables = opened(system.clauses[step.clause]).variables
        for variable, value in zip(variables, step.values, strict=True):
            words.append(f"{quoted(variable.name)} = {print_term(as_term(value, variable.sort))}")
        yield f"{', '.join(words)} |- {'false' if step.fact is None else step.fact}"


def parse_refutation(system: System, text: str) -> Refutation:
    """Read what `print_refutation` wrote; raises `RefutationError` with the line. Nothing is checked beyond that."""
    steps: list[Step] = []
    at = 0
    while at < len(text):
        try:
            step, end = _step(system, len(steps), text, at)
        except (ValueError, KeyError, IndexError, ChcfuzzError) as error:
            line = text[at:].split("\n", 1)[0][:60]
            raise RefutationError(f"step {len(steps)} of a refutation cannot be read: {line!r}") from error
        steps.append(step)
        at = end
    return tuple(steps)


_START = re.compile(r"(\d+): clause (\d+)(?:, from (\d+(?: \d+)*))?")
_TOKEN = re.compile(r"\s*(\|[^|]*\||[()]|[^\s()|,]+)")


def _step(system: System, number: int, text: str, at: int) -> tuple[Step, int]:
    """The step whose line begins here, and where the next one does."""
    start = _START.match(text, at)
    if start is None or int(start[1]) != number:
        raise ValueError("no step of this number")
    clause = int(start[2])
    given: dict[str, str] = {}
    at = start.end()
    while text.startswith(", ", at):
        equals = _expression_end(text, at + 2)
        end = _expression_end(text, _after(" = ", text, equals))
        given[text[at + 2 : equals]] = text[equals + 3 : end]
        at = end
    at = _after(" |- ", text, at)
    end = _expression_end(text, at)
    fact = None if text[at:end] == "false" else parse_fact(system, text[at:end])
    names = [quoted(variable.name) for variable in opened(system.clauses[clause]).variables]
    if set(names) != set(given):
        raise ValueError("not the variables of this clause")
    premises = tuple(map(int, start[3].split())) if start[3] else ()
    values = tuple(_value(system, given[name]) for name in names)
    return Step(clause, premises, values, fact), end if end == len(text) else _after("\n", text, end)


def _after(wanted: str, text: str, at: int) -> int:
    """Where that ends which has to stand here."""
    if not text.startswith(wanted, at):
        raise ValueError(f"no {wanted!r}")
    return at + len(wanted)


def _expression_end(text: str, at: int) -> int:
    """Where the symbol, constant or expression in brackets ends that begins here."""
    depth = 0
    while True:
        token = _TOKEN.match(text, at)
        if token is None:
            raise ValueError("no expression")
        depth += (token[1] == "(") - (token[1] == ")")
        at = token.end()
        if depth <= 0:
            return at


def parse_fact(system: System, text: str) -> Fact:
    """Read a ground atom; raises `ChcfuzzError` for anything else."""
    atom = parse_term(text, (), system)
    if not isinstance(atom, Atom):
        raise RefutationError(f"{text[:60]!r} is no atom")
    return Fact(atom.predicate, tuple(_known(evaluate(argument, {}), text) for argument in atom.children))


def _value(system: System, text: str) -> Ground:
    return _known(evaluate(parse_term(text, (), system), {}), text)


def _known(value: Ground | Undetermined, text: str) -> Ground:
    if value is UNDETERMINED:
        raise RefutationError(f"{text[:60]!r} has no known value")
    return value
