"""Parts of solvers: projections, simplifiers, tactics, eliminations and other parts, each tested alone by its contract.

A problem is an SMT problem with a question (`question.py`): a part, the variables or names that it works on, a model
and options. `question_text.py` reads and prints it. A question keeps its meaning under rows for SMT problems: a
`PartProblem` fits its question to its declarations, and `rows/` keeps the model true by negating assertions that
became false, so that a formula may change freely and its witness stays.

The room promises that a violation of a contract has a witness that a person can check: values, computed by our own
evaluator, and where a formula must lack a solution, two projects that agree. Nothing rests on the status of a seed.

Questions are drawn (`drawing.py`), read from SMT problems (`roots.py`), or made of the formulas that Spacer projects on
a CHC system (`spacer_projections.py`). `bridge.py` goes back: a faulty projection becomes a CHC system with a wrong
answer.

Parts crash often, so they run in a child that is forked from a process which has loaded the solvers
(`solvers/child.py`): a death costs a fork. `oracles/known_limits.py` lists answers that look wrong and are documented,
each with a test; they are never reported.

To add a part, add a row to `PARTS` in `question.py`, its call to a table in `solvers/`, and its contract to the table
in `oracles/contracts.py`.
"""
