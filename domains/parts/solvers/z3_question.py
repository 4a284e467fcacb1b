"""A question whose terms Z3 has read, in a context of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import z3
from chcfuzz.domains.parts.solvers.calls import PartQuery
from chcfuzz.solvers.model_text import standard

CORE = z3.z3core
TACTIC_MILLISECONDS = 3000  # behind the resource limit, which tactics alone do not have


@dataclass(frozen=True)
class Z3Question:
    """A question in a context: the formula, the variables, and the model if there is one."""

    query: PartQuery
    context: Any
    formula: Any
    assertions: Sequence[Any]
    variables: Sequence[Any]
    values: Sequence[tuple[Any, Any]]
    model: Any

    @property
    def array(self) -> Any:
        """The variables as an array of C."""
        return (z3.Ast * len(self.variables))(*(each.as_ast() for each in self.variables))

    @property
    def options(self) -> Mapping[str, str]:
        """The options of the question."""
        return dict(self.query.options)

    def text(self, ast: Any) -> str:
        """Return the text of a formula that a function of the C interface returned."""
        return str(z3.BoolRef(ast, self.context).sexpr())

    def solver(self) -> Any:
        """Return a solver within the resource limit."""
        solver = z3.Solver(ctx=self.context)
        solver.set("rlimit", self.query.rlimit)
        return solver

    def goal_after(self, tactic: Any, *formulas: Any) -> Any:
        """Return the subgoals after a tactic, within a time limit."""
        goal = z3.Goal(ctx=self.context)
        goal.add(*formulas)
        return z3.TryFor(tactic, TACTIC_MILLISECONDS, self.context)(goal)


def read_question(query: PartQuery, context: Any) -> Z3Question:
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
    return Z3Question(query, context, formula, formulas, variables, pairs, _model(context, pairs))


def _model(context: Any, pairs: Sequence[tuple[Any, Any]]) -> Any:
    """Return the model with these values; functions have one value for all arguments.

    Values are simplified, since Z3 reads `(- 1)` as an operator, and expects numerals in models.
    """
    model = z3.ModelRef(CORE.Z3_mk_model(context.ref()), context)
    for term, value in pairs:
        declaration = term.decl()
        add = CORE.Z3_add_func_interp if declaration.arity() else CORE.Z3_add_const_interp
        add(context.ref(), model.model, declaration.ast, z3.simplify(value).as_ast())
    return model


def answer_of(solver: Any) -> tuple[str, ...]:
    """Return the answer of a check and its model."""
    found = solver.check()
    return (str(found), standard(solver.model().sexpr()) if found == z3.sat else "")
