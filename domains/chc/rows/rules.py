"""New rules that can never fire: they change nothing, but Spacer has to find that out."""

from __future__ import annotations

from collections.abc import Callable

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.sorts import BOOL, INT, REAL
from chcfuzz.grammar.substitution import fresh_name
from chcfuzz.grammar.system import System
from chcfuzz.grammar.terms import FALSE, Atom, Term, Variable, apply, conjunction, integer, negation, real, vector
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.rewriting.clause_making import inserted, rule
from chcfuzz.mutators.rewriting.symbols import general_atom, taken_names

_MOST_CYCLE = 10


def _unsatisfiable(variables: list[Variable], choices: Choices) -> Term:
    """Return a formula over some of the variables that no values satisfy."""
    candidates: list[Callable[[], Term]] = [lambda: FALSE]
    for variable in variables:
        candidates += _impossible(variable)
    return choices.pick(candidates)()


def _impossible(x: Variable) -> list[Callable[[], Term]]:
    found: list[Callable[[], Term]] = [lambda: apply("distinct", x, x), lambda: negation(apply("=", x, x))]
    if x.sort is BOOL:
        found.append(lambda: conjunction(x, negation(x)))
    elif x.sort in (INT, REAL):
        one, zero = (integer(1), integer(0)) if x.sort is INT else (real(1), real(0))
        found.append(lambda: apply("<", x, x))
        found.append(lambda: apply("=", x, apply("+", x, one)))
        found.append(lambda: conjunction(apply(">", x, zero), apply("<", x, zero)))
        if x.sort is INT:
            found.append(lambda: apply("=", apply("+", x, x), integer(1)))
            found.append(lambda: conjunction(apply(">", x, integer(0)), apply("<", x, integer(1))))
    elif x.sort.is_bitvector:
        found.append(lambda: apply("bvult", x, x))
        found.append(lambda: apply("bvult", x, vector(0, x.sort.width)))
    return found


def _add_linear(system: System, choices: Choices) -> System | None:
    if not system.predicates:
        return None
    variables, head = general_atom(choices.pick(system.predicates), taken_names(system))
    return inserted(system, rule(variables, _unsatisfiable(variables, choices), head), choices)


def _add_nonlinear(system: System, choices: Choices) -> System | None:
    """Add a rule with the body (x1 > x2 and P(..)) and ... and (xn > x1 and P(..)), which no numbers satisfy."""
    if not system.predicates:
        return None
    predicate = choices.pick(system.predicates)
    taken = taken_names(system)
    variables, head = general_atom(predicate, taken)
    cycle = []
    for i in range(choices.integer(1, _MOST_CYCLE)):
        cycle.append(Variable(fresh_name(f"x{i}", taken), INT))
        taken.add(cycle[-1].name)
    everything = [*cycle, *variables]
    links = []
    for i, x in enumerate(cycle):
        arguments = [choices.pick([v for v in everything if v.sort is sort]) for sort in predicate.parameters]
        links.append(conjunction(apply(">", x, cycle[(i + 1) % len(cycle)]), Atom(predicate, arguments)))
    return inserted(system, rule(everything, conjunction(*links), head), choices)


def _has_predicates(system: System) -> bool:
    return bool(system.predicates)


MUTATIONS = (
    Mutation(
        "rules.add-lin-rule",
        Promise.EQUIVALENT,
        "a rule with an unsatisfiable body is added",
        "HornFuzz 7 ADD_LIN_RULE",
        _add_linear,
        _has_predicates,
        needs=Needs.CLAUSES,
    ),
    Mutation(
        "rules.add-nonlin-rule",
        Promise.EQUIVALENT,
        "a rule is added whose body requires a descending cycle of numbers",
        "HornFuzz 8 ADD_NONLIN_RULE",
        _add_nonlinear,
        _has_predicates,
        needs=Needs.CLAUSES,
    ),
)
