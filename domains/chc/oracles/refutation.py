"""A derivation of false, and its check by our own evaluator without any solver.

A refutation is a sequence of ground steps. Each has a clause of the system, a value for each of the clause's variables,
and facts of earlier steps. The clause's body holds at the values, so its head is a fact too. The last step's head is
false. The clauses are those of the system that was solved, before any transformation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from chcfuzz.grammar.evaluation.evaluate import evaluate
from chcfuzz.grammar.evaluation.values import UNDETERMINED, Ground, Undetermined, has_sort
from chcfuzz.grammar.printing.printer import print_term
from chcfuzz.grammar.printing.witness import Fact, Facts
from chcfuzz.grammar.substitution import fresh_name, substitute
from chcfuzz.grammar.symbols import quoted
from chcfuzz.grammar.system import Clause, System
from chcfuzz.grammar.terms import Atom, Predicate, Quantifier, Term, Variable, is_operator, kept


@dataclass(frozen=True)
class DerivationStep:
    """The derivation of `fact` from the clause with number `clause` and the facts of the steps numbered `premises`.

    `values` are those of `prenex(clause).variables`, in that order; a `fact` of None is false.
    """

    clause: int
    premises: tuple[int, ...]
    values: tuple[Ground, ...]
    fact: Fact | None


Refutation = tuple[DerivationStep, ...]


def facts_of(refutation: Refutation) -> Facts:
    """Return the facts that its steps derive, in order, without the false at the end."""
    return tuple(step.fact for step in refutation if step.fact is not None)


def needed(refutation: Refutation) -> Refutation:
    """Return the last step and all steps that it depends on."""
    required: set[int] = set()
    stack = [len(refutation) - 1] if refutation else []
    while stack:
        number = stack.pop()
        if number not in required:
            required.add(number)
            stack += refutation[number].premises
    place = {old: new for new, old in enumerate(sorted(required))}
    steps = ((refutation[old], tuple(place[premise] for premise in refutation[old].premises)) for old in place)
    return tuple(replace(step, premises=premises) for step, premises in steps)


@dataclass(frozen=True)
class Fault:
    """The fault of a refutation: a wrong step if `certain`, otherwise a step that our evaluator cannot check."""

    message: str
    certain: bool = True


@dataclass(frozen=True)
class PrenexClause:
    """A clause without existential quantifiers in its body: `variables` includes the variables that they bound."""

    variables: tuple[Variable, ...]
    body: tuple[Term, ...]
    head: Term


def prenex(clause: Clause) -> PrenexClause:
    """Return the clause with `exists` moved out of its body and variables renamed apart, which is sound in bodies."""

    def derive() -> PrenexClause:
        variables = list(clause.variables)
        body = tuple(without_exists(member, variables) for member in clause.body)
        return PrenexClause(tuple(variables), body, clause.head)

    return kept(clause.formula, "opened", derive)


def without_exists(member: Term, variables: list[Variable]) -> Term:
    """Return the formula without quantifiers that assert existence; append their new variables to `variables`."""
    done: dict[tuple[Term, bool], Term] = {}
    stack: list[tuple[Term, bool, Term | None]] = [(member, True, None)]
    while stack:
        here, positive, below = stack.pop()  # below: the replacement of a quantifier, once it is known
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
    """Return the polarity of each child, None for one that must stay; None for a term without such a structure."""
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
    """Return the fault of a refutation; None if it is valid, so that the system is unsatisfiable."""
    for number, step in enumerate(refutation):
        found = fault_of_step(system, refutation, number, step)
        if found is not None:
            return Fault(f"step {number + 1}: {found.message}", found.certain)
    if not refutation or refutation[-1].fact is not None:
        return Fault("the last step does not derive false")
    return None


def fault_of_step(
    system: System, refutation: Sequence[DerivationStep], number: int, step: DerivationStep
) -> Fault | None:
    """Return the fault of a step with this number, given that the steps before it are right."""
    if step.clause not in range(len(system.clauses)):
        return Fault(f"clause {step.clause + 1} does not exist in the system")
    if any(premise not in range(number) for premise in step.premises):
        return Fault("it follows from a step that is not before it")
    clause = prenex(system.clauses[step.clause])
    sorts = [variable.sort for variable in clause.variables]
    if len(sorts) != len(step.values) or not all(map(has_sort, step.values, sorts)):
        return Fault(f"clause {step.clause + 1} does not take these values")
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
            return Fault("the step has a fact, but the clause is a query")
        return None if value is False else Fault(f"{print_term(head)} is not false", value is not UNDETERMINED)
    args = tuple(evaluate(argument, values) for argument in head.children)
    if UNDETERMINED in args:
        return Fault(f"{print_term(head)} has an unknown value", certain=False)
    if fact is not None and not _is_well_sorted(fact):
        return Fault(f"{quoted(fact.predicate.name)} does not take the values of the fact")
    if fact is None or fact != Fact(head.predicate, args):  # type: ignore[arg-type]
        return Fault(f"the head is not {'false' if fact is None else fact}")
    return None


def _is_well_sorted(fact: Fact) -> bool:
    """Return whether the values have the predicate's sorts: to Python, 1 and true are equal."""
    sorts = fact.predicate.parameters
    return len(sorts) == len(fact.values) and all(map(has_sort, fact.values, sorts))


def _untrue(member: Term, value: Ground | Undetermined) -> Fault:
    unknown = value is UNDETERMINED
    return Fault(f"{print_term(member)} {'has an unknown value' if unknown else 'does not hold'}", not unknown)
