"""Interpolation problems: assertions in groups, and solvers that give a formula for each cut between them.

An answer is not sat or unsat alone here: the interpolants are the answer, and each is checked by its definition. It
is implied by one side, it contradicts the other, and it has only shared symbols. `sources.py` reads the many
notations of solvers, `drawing.py` and `memory_families.py` draw problems, some of them as paths of Horn systems.

The room promises that a wrong interpolant is reported only if an implication fails under values that our evaluator
confirms, or that Z3 and cvc5 both find. It must never compare interpolants with each other: there are many right
ones.

It builds on the other two domains, as `layers.toml` states: the engines are those of SMT, Spacer solves the Horn form
of a problem, and an interpolation problem is an SMT problem with groups.
"""
