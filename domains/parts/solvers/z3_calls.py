"""The parts of Z3 that its interface offers: each call gets a question and returns the texts of its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import z3
from chcfuzz.domains.parts.solvers import spacer_calls, z3_search_calls
from chcfuzz.domains.parts.solvers.calls import CORE_OPTION, CallError, PartQuery
from chcfuzz.domains.parts.solvers.z3_question import CORE, Z3Question, answer_of, read_question
from chcfuzz.solvers.model_text import standard
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_errors import OUT_OF_RESOURCES, message


def _project(asked: Z3Question) -> tuple[str, ...]:
    model, count = asked.model.model, len(asked.variables)
    found = CORE.Z3_qe_model_project(asked.context.ref(), model, count, asked.array, asked.formula.as_ast())
    return (asked.text(found),)


def _witness(asked: Z3Question) -> tuple[str, ...]:
    """Return the projection, and each variable with its binding."""
    if not hasattr(CORE, "Z3_qe_model_project_with_witness"):
        raise CallError("unsupported", f"Z3 {z3.get_version_string()} lacks Z3_qe_model_project_with_witness")
    bindings = z3.AstMap(ctx=asked.context)
    model, count = asked.model.model, len(asked.variables)
    found = CORE.Z3_qe_model_project_with_witness(
        asked.context.ref(), model, count, asked.array, asked.formula.as_ast(), bindings.map
    )
    keys = bindings.keys()
    bound = ((str(keys[number].sexpr()), str(bindings[keys[number]].sexpr())) for number in range(len(keys)))
    return (asked.text(found), *(text for pair in sorted(bound) for text in pair))


def _implicant(asked: Z3Question) -> tuple[str, ...]:
    found = CORE.Z3_model_extrapolate(asked.context.ref(), asked.model.model, asked.formula.as_ast())
    return (asked.text(found),)


def _simplify(asked: Z3Question) -> tuple[str, ...]:
    options = {name: value == "true" for name, value in asked.query.options}
    return (str(z3.simplify(asked.formula, **options).sexpr()),)


def _simplifier(asked: Z3Question) -> tuple[str, ...]:
    """Return the answer of a solver with simplifiers and its model, after a level with the first assertion."""
    if not hasattr(z3, "Simplifier"):
        raise CallError("unsupported", f"Z3 {z3.get_version_string()} lacks simplifiers")
    solver = z3.SimpleSolver(ctx=asked.context)
    for name in asked.query.subjects:
        solver = _named(z3.Simplifier, name, asked.context).add(solver)
    solver.set("rlimit", asked.query.rlimit)
    if dict(asked.query.options).get("push") == "true":
        solver.push()
        solver.add(*asked.assertions[:1])
        solver.check()
        solver.pop()
    solver.add(*asked.assertions)
    return answer_of(solver)


def _named(make: Callable[[str, Any], Any], name: str, context: Any) -> Any:
    """Make a tactic or a simplifier; raises `CallError` for a name that the release lacks."""
    try:
        return make(name, context)
    except z3.Z3Exception as error:
        raise CallError("unsupported", message(error)) from error


def _tactic(asked: Z3Question) -> tuple[str, ...]:
    """Return the answer after tactics, its model, the worst precision of the subgoals, and the core if it is wanted."""
    options = {name: value == "true" for name, value in asked.query.options if name != CORE_OPTION}
    first, *others = [_named(z3.Tactic, name, asked.context) for name in asked.query.subjects]
    first = z3.With(first, **options) if options else first
    whole = z3.Then(first, *others, ctx=asked.context) if others else first
    precision = max((subgoal.prec() for subgoal in asked.goal_after(whole, *asked.assertions)), default=0)
    solver = z3.Then(whole, z3.Tactic("smt", asked.context), ctx=asked.context).solver()
    solver.set("rlimit", asked.query.rlimit)
    if asked.options.get(CORE_OPTION) == "true":
        solver.set("unsat_core", True)  # else a solver made of tactics returns an empty core
        answer, model, *core = _with_core(solver, asked)
        return (answer, model, str(precision), *core)
    solver.add(*asked.assertions)
    return (*answer_of(solver), str(precision))


def _tactic_proof(asked: Z3Question) -> tuple[str, ...]:
    """Return the answer after tactics, and of a refutation the conclusion and the steps."""
    tactics = [_named(z3.Tactic, name, asked.context) for name in (*asked.query.subjects, "smt")]
    solver = z3.Then(*tactics, ctx=asked.context).solver()
    solver.set("rlimit", asked.query.rlimit)
    return z3_search_calls.refutation(solver, asked)


def _eliminate(asked: Z3Question) -> tuple[str, ...]:
    """Return the disjunction of the subgoals after a tactic has eliminated the variables."""
    by = dict(asked.query.options).get("by", "qe")
    goal = z3.Goal(ctx=asked.context)
    goal.add(z3.Exists(list(asked.variables), asked.formula))
    found = [subgoal.as_expr() for subgoal in _named(z3.Tactic, by, asked.context)(goal)]
    return (str((z3.Or(*found) if len(found) > 1 else found[0]).sexpr()),)


def _qe_lite(asked: Z3Question) -> tuple[str, ...]:
    """Return the formula after the elimination, and the variables that are left."""
    variables = z3.AstVector(ctx=asked.context)
    for variable in asked.variables:
        variables.push(variable)
    found = CORE.Z3_qe_lite(asked.context.ref(), variables.vector, asked.formula.as_ast())
    return (asked.text(found), *(str(variables[number].sexpr()) for number in range(len(variables))))


def _optimum(asked: Z3Question) -> tuple[str, ...]:
    """Return the answer, the model, and the bound of the first variable."""
    optimize = z3.Optimize(ctx=asked.context)
    optimize.set("rlimit", asked.query.rlimit)
    optimize.add(*asked.assertions)
    is_least = dict(asked.query.options).get("direction") == "minimize"
    goal = (optimize.minimize if is_least else optimize.maximize)(asked.variables[0])
    found = optimize.check()
    if found != z3.sat:
        return (str(found), "", "")
    bound = optimize.lower(goal) if is_least else optimize.upper(goal)
    return (str(found), standard(optimize.model().sexpr()), str(bound.sexpr()))


def _core(asked: Z3Question) -> tuple[str, ...]:
    """Return the answer, the model, and the numbers of the assertions in the core."""
    solver = asked.solver()
    if asked.options.get("minimize") == "true":
        solver.set("core.minimize", True)
    return _with_core(solver, asked)


def _with_core(solver: Any, asked: Z3Question) -> tuple[str, ...]:
    marks = [z3.Bool(f"chcfuzz!{number}", asked.context) for number in range(len(asked.assertions))]
    for mark, assertion in zip(marks, asked.assertions, strict=True):
        solver.assert_and_track(assertion, mark)
    found = answer_of(solver)
    core = [str(mark).removeprefix("chcfuzz!") for mark in solver.unsat_core()] if found[0] == "unsat" else []
    return (*found, *sorted(core))


def _push(asked: Z3Question) -> tuple[str, ...]:
    """Return the answer and model of a solver that has checked each assertion in a level of its own before."""
    solver = asked.solver()
    for assertion in asked.assertions:
        solver.push()
        solver.add(z3.Not(assertion))
        solver.check()
        solver.pop()
        solver.add(assertion)
        solver.check()
    return answer_of(solver)


NEED_PROOFS = ("proof", "tactic-proof")  # contexts

CALLS: Mapping[str, Callable[[Z3Question], tuple[str, ...]]] = {
    "simplify": _simplify,
    "simplifier": _simplifier,
    "tactic": _tactic,
    "eliminate": _eliminate,
    "qe-lite": _qe_lite,
    "optimum": _optimum,
    "core": _core,
    "push": _push,
    "project": _project,
    "witness": _witness,
    "implicant": _implicant,
    "tactic-proof": _tactic_proof,
    **z3_search_calls.CALLS,
    **spacer_calls.CALLS,
}


def call(query: PartQuery, watchdog: Watchdog) -> tuple[str, ...]:
    """Return the texts of a part's result; raises `CallError`."""
    context = z3.Context(proof=True) if query.part in NEED_PROOFS else z3.Context()
    with watchdog.guard(context):
        try:
            asked = read_question(query, context)
        except z3.Z3Exception as error:
            raise CallError("unsupported", message(error)) from error
        try:
            return CALLS[query.part](asked)
        except z3.Z3Exception as error:
            reason = message(error)
            if watchdog.interrupted:
                raise CallError("hang", "wall clock") from error
            raise CallError("limit" if reason in OUT_OF_RESOURCES else "error", reason) from error
