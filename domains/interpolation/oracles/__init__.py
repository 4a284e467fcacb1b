"""Oracles for interpolation problems: each cut has implications, and each implication is an SMT query.

`interpolant.py` reads the texts, tests which symbols both sides share, and decides every implication under a resource
limit; `answers.py` does that for all solvers of an execution, and compares their answers. `evidence.py` writes the
scripts that show a failing implication to any solver.

A failing implication is a finding only with values under which our evaluator confirms it, or with the agreement of Z3
and cvc5. A text that only one other reader knows is unreadable, which is a finding of its own kind, and an
interpolant with a symbol of one side is one, too, because a client of the solver could not use it.

Never skip the test of symbols because the implications hold: the definition has three parts. `another_path.py` needs
no implication from A: if an interpolant refutes another rest of the same prefix A, then A must refute that rest, too.
"""
