"""The parts of Z3 that its interface offers: each call gets a question and returns the texts of its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import z3
from chcfuzz.domains.parts.solvers.calls import CallError, PartQuery
from chcfuzz.solvers.model_text import standard
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.solvers.z3_errors import OUT_OF_RESOURCES, message

_CORE = z3.z3core
_TACTIC_MILLISECONDS = 3000  # behind the resource limit, which tactics alone do not have


@dataclass(frozen=True)
class Z3Question:
    """A question in a context of its own: the formula, the variables, and the model if there is one."""

    query: PartQuery
    context: Any
    formula: Any
    assertions: Sequence[Any]
    variables: Sequence[Any]
    model: Any

    @property
    def array(self) -> Any:
        """The variables as an array of C."""
        return (z3.Ast * len(self.variables))(*(each.as_ast() for each in self.variables))

    def text(self, ast: Any) -> str:
        """Return the text of a formula that a function of the C interface returned."""
        return str(z3.BoolRef(ast, self.context).sexpr())


def _project(asked: Z3Question) -> tuple[str, ...]:
    model, count = asked.model.model, len(asked.variables)
    found = _CORE.Z3_qe_model_project(asked.context.ref(), model, count, asked.array, asked.formula.as_ast())
    return (asked.text(found),)


def _witness(asked: Z3Question) -> tuple[str, ...]:
    """Return the projection, and each variable with its binding."""
    if not hasattr(_CORE, "Z3_qe_model_project_with_witness"):
        raise CallError("unsupported", f"Z3 {z3.get_version_string()} lacks Z3_qe_model_project_with_witness")
    bindings = z3.AstMap(ctx=asked.context)
    model, count = asked.model.model, len(asked.variables)
    found = _CORE.Z3_qe_model_project_with_witness(
        asked.context.ref(), model, count, asked.array, asked.formula.as_ast(), bindings.map
    )
    keys = bindings.keys()
    bound = ((str(keys[number].sexpr()), str(bindings[keys[number]].sexpr())) for number in range(len(keys)))
    return (asked.text(found), *(text for pair in sorted(bound) for text in pair))


def _implicant(asked: Z3Question) -> tuple[str, ...]:
    found = _CORE.Z3_model_extrapolate(asked.context.ref(), asked.model.model, asked.formula.as_ast())
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
    return _answer(solver)


def _named(make: Callable[[str, Any], Any], name: str, context: Any) -> Any:
    """Make a tactic or a simplifier; raises `CallError` for a name that the release lacks."""
    try:
        return make(name, context)
    except z3.Z3Exception as error:
        raise CallError("unsupported", message(error)) from error


def _answer(solver: Any) -> tuple[str, ...]:
    """Return the answer of a check and its model."""
    found = solver.check()
    return (str(found), standard(solver.model().sexpr()) if found == z3.sat else "")


def _tactic(asked: Z3Question) -> tuple[str, ...]:
    """Return the answer after tactics, its model, and the worst precision of the subgoals."""
    options = {name: value == "true" for name, value in asked.query.options}
    first, *others = [_named(z3.Tactic, name, asked.context) for name in asked.query.subjects]
    first = z3.With(first, **options) if options else first
    whole = z3.Then(first, *others, ctx=asked.context) if others else first
    goal = z3.Goal(ctx=asked.context)
    goal.add(*asked.assertions)
    limited = z3.TryFor(whole, _TACTIC_MILLISECONDS, asked.context)
    precision = max((subgoal.prec() for subgoal in limited(goal)), default=0)
    solver = z3.Then(whole, z3.Tactic("smt", asked.context), ctx=asked.context).solver()
    solver.set("rlimit", asked.query.rlimit)
    solver.add(*asked.assertions)
    return (*_answer(solver), str(precision))


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
    found = _CORE.Z3_qe_lite(asked.context.ref(), variables.vector, asked.formula.as_ast())
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
    solver = z3.Solver(ctx=asked.context)
    solver.set("rlimit", asked.query.rlimit)
    marks = [z3.Bool(f"chcfuzz!{number}", asked.context) for number in range(len(asked.assertions))]
    for mark, assertion in zip(marks, asked.assertions, strict=True):
        solver.assert_and_track(assertion, mark)
    found = _answer(solver)
    core = [str(mark).removeprefix("chcfuzz!") for mark in solver.unsat_core()] if found[0] == "unsat" else []
    return (*found, *sorted(core))


def _push(asked: Z3Question) -> tuple[str, ...]:
    """Return the answer and model of a solver that has checked each assertion in a level of its own before."""
    solver = z3.Solver(ctx=asked.context)
    solver.set("rlimit", asked.query.rlimit)
    for assertion in asked.assertions:
        solver.push()
        solver.add(z3.Not(assertion))
        solver.check()
        solver.pop()
        solver.add(assertion)
        solver.check()
    return _answer(solver)


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
}


def call(query: PartQuery, watchdog: Watchdog) -> tuple[str, ...]:
    """Return the texts of a part's result; raises `CallError`."""
    context = z3.Context()
    with watchdog.guard(context):
        try:
            asked = _asked(query, context)
        except z3.Z3Exception as error:
            raise CallError("unsupported", message(error)) from error
        try:
            return CALLS[query.part](asked)
        except z3.Z3Exception as error:
            reason = message(error)
            if watchdog.interrupted:
                raise CallError("hang", "wall clock") from error
            raise CallError("limit" if reason in OUT_OF_RESOURCES else "error", reason) from error


def _asked(query: PartQuery, context: Any) -> Z3Question:
    """Return a question whose terms are read; raises `Z3Exception`.

    A solver reads all terms at once, since a reader forgets its declarations, and each term is a side of an equality.
    """
    reader = z3.Solver(ctx=context)
    equal = (*((name, name) for name in query.variables), *query.model)
    lines = [query.declarations, *(f"(assert {formula})" for formula in query.formulas)]
    reader.from_string("\n".join([*lines, *(f"(assert (= {left} {right}))" for left, right in equal)]))
    found = list(reader.assertions())
    if len(found) != len(query.formulas) + len(equal):
        raise z3.Z3Exception(f"{len(found)} of {len(lines) - 1} assertions are read".encode())
    count = len(query.formulas)
    formulas, variables = found[:count], [each.arg(0) for each in found[count : count + len(query.variables)]]
    formula = formulas[0] if len(formulas) == 1 else z3.And(*formulas) if formulas else z3.BoolVal(True, context)
    pairs = [(each.arg(0), each.arg(1)) for each in found[count + len(query.variables) :]]
    return Z3Question(query, context, formula, formulas, variables, _model(context, pairs))


def _model(context: Any, pairs: Sequence[tuple[Any, Any]]) -> Any:
    """Return the model with these values; functions have one value for all arguments.

    Values are simplified, since Z3 reads `(- 1)` as an operator, and expects numerals in models.
    """
    model = z3.ModelRef(_CORE.Z3_mk_model(context.ref()), context)
    for term, value in pairs:
        declaration = term.decl()
        add = _CORE.Z3_add_func_interp if declaration.arity() else _CORE.Z3_add_const_interp
        add(context.ref(), model.model, declaration.ast, z3.simplify(value).as_ast())
    return model
