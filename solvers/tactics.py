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
_MEGABYTES = 256  # of Z3's memory: a product of wide bit-vectors has gigabytes of bits
_MOST_CHARACTERS = 100_000  # of a result; larger ones have more productions than a model learns


def applied(text: str, tactic: str) -> str | None:
    """Return the problem after a tactic, as a script; None if Z3 refuses the text, gives up, or splits the problem.

    A result that is too large is None, too. Call this in a process of its own, whose memory it bounds.
    """
    import z3

    z3.set_param("memory_max_size", _MEGABYTES)
    context = z3.Context(rlimit=_RLIMIT)
    goal = z3.Goal(ctx=context)
    try:
        goal.add(z3.parse_smt2_string(text, ctx=context))
        found = z3.Tactic(tactic, ctx=context)(goal)
        if len(found) != 1:
            return None
        solver = z3.Solver(ctx=context)
        solver.add(found[0].as_expr())
        script: str = solver.to_smt2()
    except z3.Z3Exception:
        return None
    return script if len(script) <= _MOST_CHARACTERS else None
