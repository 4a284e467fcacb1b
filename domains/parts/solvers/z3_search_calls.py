"""The parts of Z3's interface that search: consequences, cubes, soft constraints, proofs, and covers of Spacer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice, pairwise
from typing import Any

import z3
from chcfuzz.domains.parts.solvers.calls import CallError, soft_weights
from chcfuzz.domains.parts.solvers.z3_question import CORE, Z3Question
from chcfuzz.solvers.model_text import standard
from chcfuzz.solvers.z3_errors import message

_MOST_CUBES = 64
_MOST_STEPS = 100  # of a proof, whose first ones are kept
_MOST_LENGTH = 4_000  # characters of a step of a proof
_PROOF_RULES = tuple(value for name, value in vars(z3).items() if name.startswith("Z3_OP_PR_"))
_STATES = "chcfuzz!states"
_SPACER = {
    "engine": "spacer",
    "xform.slice": False,
    "xform.inline_linear": False,
    "xform.inline_eager": False,
}


def _qsat(asked: Z3Question) -> tuple[str, ...]:
    """Return the answer of the tactic to the formula, whose variables are bound by a quantifier."""
    bind = z3.ForAll if asked.options.get("bound") == "forall" else z3.Exists
    (goal,) = asked.goal_after(z3.Tactic("qsat", asked.context), bind(list(asked.variables), asked.formula))
    return ("unsat" if goal.inconsistent() else "sat" if goal.size() == 0 else "unknown",)


def _consequences(asked: Z3Question) -> tuple[str, ...]:
    """Return the answer and the literals that fix variables; assumptions may stand for the assertions."""
    solver, marks = asked.solver(), []
    for number, assertion in enumerate(asked.assertions):
        if asked.options.get("assumed") == "true":
            marks.append(z3.Bool(f"chcfuzz!{number}", asked.context))
            assertion = z3.Implies(marks[-1], assertion)
        solver.add(assertion)
    answer, found = solver.consequences(marks, list(asked.variables))
    fixed = (each.arg(1) if z3.is_implies(each) else each for each in found)
    return (str(answer), *sorted(str(each.sexpr()) for each in fixed))


def _cube(asked: Z3Question) -> tuple[str, ...]:
    """Return all cubes, each as a conjunction."""
    solver = asked.solver()
    solver.add(*asked.assertions)
    cubes = [list(each) for each in islice(solver.cube(), _MOST_CUBES + 1)]
    if len(cubes) > _MOST_CUBES:
        raise CallError("limit", f"more than {_MOST_CUBES} cubes")
    return tuple(str(z3.And(*cube).sexpr()) if cube else "true" for cube in cubes)


def _soft(asked: Z3Question) -> tuple[str, ...]:
    """Return the answer, the model and the cost, where each assertion and its negation is soft."""
    optimize = z3.Optimize(ctx=asked.context)
    optimize.set("rlimit", asked.query.rlimit)
    if "engine" in asked.options:
        optimize.set("maxsat_engine", asked.options["engine"])
    optimize.add(*(z3.Or(*pair) for pair in pairwise(asked.assertions)))
    for number, assertion in enumerate(asked.assertions):
        here, there = soft_weights(number)
        optimize.add_soft(assertion, here)
        cost = optimize.add_soft(z3.Not(assertion), there)
    found = optimize.check()
    if found != z3.sat:
        return (str(found), "", "")
    return (str(found), standard(optimize.model().sexpr()), str(cost.value().sexpr()))


def _proof(asked: Z3Question) -> tuple[str, ...]:
    """Return the answer, the conclusion, and for each step its rule and a formula.

    The formula is that the premises of the step imply its conclusion.
    """
    solver = asked.solver()
    solver.add(*asked.assertions)
    answer = solver.check()
    if answer != z3.unsat:
        return (str(answer),)
    proof = solver.proof()
    steps = (text for step in islice(_steps(proof), _MOST_STEPS) for text in step if len(step[1]) <= _MOST_LENGTH)
    return (str(answer), str(_conclusion(proof).sexpr()), *steps)


def _steps(proof: Any) -> Iterator[tuple[str, str]]:
    """Yield each step once, premises first."""
    seen, stack = set(), [(proof, False)]
    while stack:
        here, is_open = stack.pop()
        if is_open:
            premises = [_conclusion(each) for each in here.children() if _is_step(each)]
            conclusion = _conclusion(here)
            formula = z3.Implies(z3.And(*premises), conclusion) if premises else conclusion
            yield str(here.decl().name()), str(formula.sexpr())
        elif here.get_id() not in seen:
            seen.add(here.get_id())
            stack.append((here, True))
            stack += [(each, False) for each in reversed(here.children()) if _is_step(each)]


def _is_step(term: Any) -> bool:
    return z3.is_app(term) and term.decl().kind() in _PROOF_RULES


def _conclusion(step: Any) -> Any:
    return step.arg(step.num_args() - 1)


def _cover(asked: Z3Question) -> tuple[str, ...]:
    """Return Spacer's answer about a rule, its cover of the states that it derives, and those that it has reached.

    The formula is the body of the rule, and the other constants are its state. The query is whether a state is derived
    at which the formula is false with the model's values of the variables.
    """
    eliminated = {each.get_id() for each in asked.variables}
    rest = [term for term, _ in asked.values if term.get_id() not in eliminated]
    states = z3.Function(_STATES, *(each.sort() for each in rest), z3.BoolSort(asked.context))
    engine = z3.Fixedpoint(ctx=asked.context)
    engine.set(**_SPACER)
    engine.set("rlimit", asked.query.rlimit)
    engine.register_relation(states)
    engine.declare_var(*(term for term, _ in asked.values))
    engine.rule(states(*rest), asked.formula)
    known = [pair for pair in asked.values if pair[0].get_id() in eliminated]
    query = z3.And(states(*rest), z3.Not(z3.substitute(asked.formula, *known)))
    answer = engine.query(z3.Exists(rest, query) if rest else query)
    found = [engine.get_cover_delta(-1, states), _reached(engine, states, asked.context)]
    return (str(answer), *(str(z3.substitute_vars(each, *rest).sexpr()) for each in found))


def _reached(engine: Any, states: Any, context: Any) -> Any:
    """Return the states that Spacer has reached: none where its facts have variables of their own, which it refuses."""
    try:
        return _reachable(engine, states, context)
    except z3.Z3Exception as error:
        if "not implemented" not in message(error):
            raise
        return z3.BoolVal(False, context)


def _reachable(engine: Any, states: Any, context: Any) -> Any:
    return z3.BoolRef(CORE.Z3_fixedpoint_get_reachable(context.ref(), engine.fixedpoint, states.ast), context)


CALLS: Mapping[str, Callable[[Z3Question], tuple[str, ...]]] = {
    "qsat": _qsat,
    "consequences": _consequences,
    "cube": _cube,
    "soft": _soft,
    "proof": _proof,
    "cover": _cover,
}
