"""Mutation testing of Z3: faults in its own code, and the share of them that campaigns notice.

`sites` finds places for faults, `drawing` chooses among them, `build` compiles one traced Z3 that holds all of them,
`solver` is Spacer with one of them on, `units` draws mutants, and `sorting` tries each fault on seeds and mutants.
`run` lets campaigns look for the stubborn ones, and `hazard` compares their kinds. `score` lets campaigns run without a
fault, and tries each fault on a sample of their mutants, which `recording` stores; `peer` does the same
with those of HornGator.

These must never happen: a fault is on outside of the call of the solver under test, an outcome is used for
another fault, and a kill is counted that stays with the fault off. Nothing of Z3's code is stored: a site is a
file, a line, a function and an operator.

To add an operator, add it to the table of `sites` with its schema. A third of the stubborn faults is kept apart, and
only tables that are published use it, so that arms are not tuned for it.
"""
