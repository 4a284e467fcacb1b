"""Mutation testing of Z3: faults in its own code, and the share of them that campaigns notice.

`sites` finds places for faults, `drawing` chooses among them, `build` compiles one traced Z3 that holds all of them,
`solver` is Spacer with one of them on, `sorting` tries each on seeds, and `run` lets campaigns look for the stubborn
ones. What must never happen: a fault that is on outside of the call of the solver under test, an outcome that is used
for another fault, and a kill that does not vanish with the fault off. Nothing of Z3's code is stored: a site is a
file, a line, a function and an operator.
"""
