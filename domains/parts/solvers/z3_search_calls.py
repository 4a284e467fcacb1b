"""The parts of Z3's interface that search: consequences, cubes, soft constraints, Pareto fronts and proofs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice, pairwise
from typing import Any

import z3
from chcfuzz.domains.parts.solvers.calls import PARETO_BOUND, CallError, soft_weights
from chcfuzz.domains.parts.solvers.z3_question import Z3Question
from chcfuzz.solvers.model_text import standard

_MOST_CUBES = 64
_MOST_STEPS = 100  # of a proof, whose first ones are kept
_MOST_LENGTH = 4_000  # characters of a step of a proof
_PROOF_RULES = tuple(value for name, value in vars(z3).items() if name.startswith("Z3_OP_PR_"))
_MOST_POINTS = 6  # of a Pareto front


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


def _pareto(asked: Z3Question) -> tuple[str, ...]:
    """Return the last answer, which is unsat after a whole front, and the models of its points."""
    optimize = z3.Optimize(ctx=asked.context)
    optimize.set("rlimit", asked.query.rlimit)
    optimize.set("priority", "pareto")
    optimize.add(*asked.assertions)
    for variable in asked.variables:
        (optimize.minimize if asked.options.get("direction") == "minimize" else optimize.maximize)(variable)
        if z3.is_arith(variable):
            optimize.add(variable >= -PARETO_BOUND, variable <= PARETO_BOUND)
    points: list[str] = []
    while len(points) < _MOST_POINTS and (answer := optimize.check()) == z3.sat:
        points.append(standard(optimize.model().sexpr()))
    return (str(answer), *points)


def _proof(asked: Z3Question) -> tuple[str, ...]:
    """Return the answer, the conclusion, and for each step its rule and a formula.

    The formula is that the premises of the step imply its conclusion.
    """
    return refutation(asked.solver(), asked)


def refutation(solver: Any, asked: Z3Question) -> tuple[str, ...]:
    """Return the answer of a solver to the assertions, and of a refutation the conclusion and the steps."""
    solver.add(*asked.assertions)
    answer = solver.check()
    if answer != z3.unsat:
        return (str(answer),)
    proof = solver.proof()
    steps = (text for step in islice(_steps(proof), _MOST_STEPS) for text in step if len(step[1]) <= _MOST_LENGTH)
    return (str(answer), str(conclusion(proof).sexpr()), *steps)


def _steps(proof: Any) -> Iterator[tuple[str, str]]:
    """Yield the rule of each step, and the formula that its premises imply its conclusion."""
    for here in proof_steps(proof):
        premises = [conclusion(each) for each in here.children() if _is_step(each)]
        concluded = conclusion(here)
        formula = z3.Implies(z3.And(*premises), concluded) if premises else concluded
        yield str(here.decl().name()), str(formula.sexpr())


def proof_steps(proof: Any) -> Iterator[Any]:
    """Yield each step once, premises first."""
    seen, stack = set(), [(proof, False)]
    while stack:
        here, is_open = stack.pop()
        if is_open:
            yield here
        elif here.get_id() not in seen:
            seen.add(here.get_id())
            stack.append((here, True))
            stack += [(each, False) for each in reversed(here.children()) if _is_step(each)]


def _is_step(term: Any) -> bool:
    return z3.is_app(term) and term.decl().kind() in _PROOF_RULES


def conclusion(step: Any) -> Any:
    """Return the formula that a step of a proof concludes."""
    return step.arg(step.num_args() - 1)


CALLS: Mapping[str, Callable[[Z3Question], tuple[str, ...]]] = {
    "qsat": _qsat,
    "consequences": _consequences,
    "cube": _cube,
    "soft": _soft,
    "proof": _proof,
    "pareto": _pareto,
}
