"""Questions about the formulas that Spacer projects while it solves a CHC system.

Spacer makes each obligation by a projection: of the body of a rule, with the formula of the parent obligation at its
head, onto the arguments of an atom in the body. The obligations come from its log, the rules from its output after all
transforms (`chc.solver_steps`). The model is one of Z3's, inside of the obligation if the formula is consistent with
it. As in Spacer, `p_0_n` is an argument of the head and `p_0_0` one of the atom.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from chcfuzz.domains.chc.oracles.rule import replaced
from chcfuzz.domains.chc.solver_steps.formulas import FormulaReader
from chcfuzz.domains.chc.solver_steps.frames import Claim, read_claim, rules_of
from chcfuzz.domains.chc.solver_steps.observation import ObservedRun
from chcfuzz.domains.chc.solver_steps.spacer_output import steps_in
from chcfuzz.domains.chc.solver_steps.spacer_rules import real_rules
from chcfuzz.domains.chc.solver_steps.steps import Obligation
from chcfuzz.domains.chc.solver_steps.text_format import without_queries
from chcfuzz.domains.interpolation.solvers.quick_z3 import conjuncts
from chcfuzz.domains.parts.oracles.violating_values import SecondProject
from chcfuzz.domains.parts.question import PartProblem, PartQuestion
from chcfuzz.grammar.problem import Assertion, Problem
from chcfuzz.grammar.reading import parse
from chcfuzz.grammar.small_formulas.assignments import is_model
from chcfuzz.grammar.substitution import fresh_name, substitute
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import TRUE, Call, Function, Term, Variable, apply, conjunction, free_variables, is_operator
from chcfuzz.solvers.watchdog import Watchdog

ASKED = ("mbp", "project", "implicant")  # about each formula
MOST_FORMULAS = 20  # of a run
_MOST_STEPS = 2_000  # that are read for them
_MOST_NODES = 400


@dataclass(frozen=True)
class SpacerProjection:
    """A formula that Spacer projects: the variables that it eliminates, and the obligation that it gets."""

    problem: Problem
    eliminated: tuple[str, ...]
    obligation: Term


@dataclass(frozen=True)
class SpacerTransition:
    """A transition as Spacer has it: `kept` are the arguments of the atom, `head` those of the head."""

    kept: tuple[Variable, ...]
    head: tuple[Variable, ...]
    formulas: tuple[Term, ...]
    obligation: Term  # over `kept`


def projected(observed: ObservedRun, watchdog: Watchdog) -> Iterator[PartProblem]:
    """Yield questions to the parts in `ASKED` about each formula that Spacer projects in a run, if it has a model."""
    solvers, found = SecondProject(watchdog), 0
    for projection in _different(observed):
        model = _model(projection, solvers)
        if model:
            yield from _questions(projection, tuple(model.items()))
            found += 1
        if found == MOST_FORMULAS:
            return


def _questions(projection: SpacerProjection, model: tuple[tuple[str, Term], ...]) -> Iterator[PartProblem]:
    for part in ASKED:
        question = PartProblem.of(projection.problem, PartQuestion(part, projection.eliminated, model))
        if question.is_askable:
            yield question


def _model(projection: SpacerProjection, solvers: SecondProject) -> dict[str, Term]:
    """Return values at which all assertions are true; empty if none are found."""
    problem = projection.problem
    inside = replace(problem, assertions=(*problem.assertions, Assertion(projection.obligation)))
    for each in (inside, problem):
        values = solvers.model(each) or {}
        if len(values) == len(problem.functions) and is_model(problem, values):
            return values
    return {}


def _different(observed: ObservedRun) -> Iterator[SpacerProjection]:
    """Yield the formulas without quantifiers, each once, in the order of the obligations."""
    system = parse.parse(observed.text, "the system")
    seen = set()
    for transition in _transitions(observed, system):
        projection = _projection(system, transition)
        if projection is not None and projection.problem.assertions not in seen:
            seen.add(projection.problem.assertions)
            yield projection


def _transitions(observed: ObservedRun, system: System) -> Iterator[SpacerTransition]:
    """Yield the transitions from the states of each obligation into those of its parents."""
    rules = real_rules(observed.printed, system) or without_queries(system)
    reader = FormulaReader(system)
    for step in islice(steps_in(observed.log, observed.printed), _MOST_STEPS):
        if isinstance(step, Obligation):
            texts = ((step.predicate, step.formula), *step.parents)
            child, *parents = (read_claim(rules, reader, *each) for each in texts)
            for parent in parents:
                if isinstance(child, Claim) and isinstance(parent, Claim):
                    yield from _into(rules.system, child, parent)


def _into(system: System, child: Claim, parent: Claim) -> Iterator[SpacerTransition]:
    """Yield a transition for each rule of the parent's predicate and each atom of the obligation's in its body."""
    kept = tuple(Variable(f"{child.predicate.name}_{i}_0", sort) for i, sort in enumerate(child.predicate.parameters))
    for rule in rules_of(system, parent.predicate):
        members = replaced(rule.body, dict.fromkeys(rule.atoms, TRUE))
        heads = tuple(map(_equal, parent.parameters, rule.head.children))
        for atom in rule.atoms:
            if atom.predicate is child.predicate:
                formulas = (*map(_equal, kept, atom.children), *members, *heads, parent.formula)
                yield SpacerTransition(kept, parent.parameters, formulas, child.at(kept))


def _equal(parameter: Term, argument: Term) -> Term:
    return apply("=", parameter, argument)


def _projection(system: System, transition: SpacerTransition) -> SpacerProjection | None:
    """Return a formula over constants; None if nothing is eliminated, or if it is large."""
    members = _without_copies(conjuncts(transition.formulas), (*transition.kept, *transition.head))
    whole = conjunction(*members)
    gone = [each for each in free_variables(whole) if each not in transition.kept]
    if not gone or whole.depth or whole.size > _MOST_NODES:
        return None
    taken = set(system.signature)
    constants: dict[Variable, Term] = {}
    for each in (*transition.kept, *gone):
        name = fresh_name(each.name if each in transition.kept or each in transition.head else "x", taken)
        taken.add(name)
        constants[each] = Call(Function(name, (), each.sort))
    functions = tuple(each.function for each in constants.values() if isinstance(each, Call))
    formulas = [substitute(each, constants) for each in members]
    problem = Problem(system.datatypes, (), functions, tuple(map(Assertion, formulas)))
    names = tuple(each.name for each in functions[len(transition.kept) :])
    return SpacerProjection(problem, names, substitute(transition.obligation, constants))


def _without_copies(members: Sequence[Term], parameters: Sequence[Variable]) -> list[Term]:
    """Return the members without equalities of a parameter and a variable, which the parameter replaces."""
    left = list(members)
    while True:
        copy = next((pair for each in left if (pair := _copy_in(each, parameters)) is not None), None)
        if copy is None:
            return [each for each in left if each is not TRUE and not _is_trivial(each)]
        left = [substitute(each, dict([copy])) for each in left]


def _is_trivial(member: Term) -> bool:
    return is_operator(member, "=") and len(set(member.children)) == 1


def _copy_in(member: Term, parameters: Sequence[Variable]) -> tuple[Variable, Variable] | None:
    """Return a variable and the parameter that a member makes equal to it."""
    if is_operator(member, "=") and len(member.children) == 2:
        for parameter, other in (member.children, reversed(member.children)):
            if parameter in parameters and isinstance(other, Variable) and other not in parameters:
                assert isinstance(parameter, Variable)
                return other, parameter
    return None
