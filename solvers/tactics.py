"""Results of Z3's tactics as text: other forms of a problem, with the same answer."""

from __future__ import annotations

TACTICS = (
    "simplify",
    "solve-eqs",
    "elim-uncnstr",
    "propagate-values",
    "nnf",
    "bit-blast",
    "blast-term-ite",
)
_RLIMIT = 2_000_000


def applied(text: str, tactic: str) -> str | None:
    """Return the problem after a tactic, as a script; None if Z3 refuses the text, gives up, or splits the problem."""
    import z3

    context = z3.Context(rlimit=_RLIMIT)
    goal = z3.Goal(ctx=context)
    try:
        goal.add(z3.parse_smt2_string(text, ctx=context))
        found = z3.Tactic(tactic, ctx=context)(goal)
    except z3.Z3Exception:
        return None
    if len(found) != 1:
        return None
    solver = z3.Solver(ctx=context)
    solver.add(found[0].as_expr())
    script: str = solver.to_smt2()
    return script
