"""Calls of parts of solvers, in a child process that is forked again after a death.

The room promises that each question has a fresh context, and that its parent gets an outcome for whatever the part
does: a result, an exception with its message, a limit, or a death with the part's last words. `child.py` is the
process: it loads the solvers once, and forks a worker, which answers questions until it dies or has grown; the
next worker takes a fork and no start of Python. `calls.py` has the question as solvers get it, and `z3_question.py`
reads it. `z3_calls.py` and `z3_search_calls.py` have the parts of Z3's interface, `other_calls.py` those of cvc5 and
Bitwuzla, and `kept_z3.py` the command `z3 -in`, which stays open for the parts that only it offers
(`command_calls.py`).

Results are texts as the solver prints them. Nothing here judges them, and nothing here reads a question from a file.

To add the call of a part, add a function to the table of its solver. Tactics alone do not have a resource limit.
A limit in milliseconds ends them; the result is then a limit, and oracles do not judge limits.
"""
