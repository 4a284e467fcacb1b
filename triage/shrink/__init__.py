"""Reduction of systems, chains and parameters under a test.

The room promises three things. A reduction ends, because every accepted candidate is smaller in a well-founded order
(`size`). It is 1-minimal: no single edit of any pass is left (`search.until_minimal`). It is the same for any number
of processes, because the first candidate in order wins, and not the first to finish.

`search` knows neither systems nor solvers. `passes` is the table of what can be edited, from coarse to fine, each with
its effect on the meaning; the modules beside it (`clauses`, `arguments`, `terms`, `sorts`, ...) list and apply edits.
`recipe` does the same for chains and parameters. `explain` tries other constants in the result, so that a reader knows
which of them matter. Domains add passes of their own (`domains/<domain>/passes.py`).

A pass is stateless. It has to list the edits of equal inputs in the same order, without trying them, and to apply any
part of its list at once. Edits that change nothing waste time, and two passes that undo each other would never end;
`size` excludes these, because only a smaller problem replaces the best one.

Forbidden here: the test itself. A pass does not know whether a solver, a proof or a person judges its candidates.

To add a pass, add a row to `PASSES` with its effect, and a case with a system that it leaves alone to
`tests/triage/shrink/test_pass_table.py`.

Odd on purpose: after any success, all passes have another turn, the coarsest first, although most of their candidates
failed before. Failed texts are remembered, so these cost no run. Candidates are built as if all before them had failed,
which is the reason why many processes find the same result as one.
"""
