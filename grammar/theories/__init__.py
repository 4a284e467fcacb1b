"""The built-in theories, one in a module: everything that the project knows about it.

A module promises a `THEORY` (`grammar.theory.Theory`) with tables: the kinds of its sorts, its operators with typing
rules and values, its literals, the forms that only Z3 reads, and the names that solvers take for themselves. The
reader, the printers, the evaluator, drawing, reduction and the learned models read these tables, and do not know any
theory by name. `docs/adding-a-theory.md` explains each part with a complete example that is registered from outside.

Forbidden here:

- Another order of operators, of sorts or of the numbers in `draw`. Stored choices count them: append, and give
  operators that existing units must not see `is_for_smt`.
- A value that SMT-LIB does not fix. Return `UNDETERMINED`; a complete evaluation gets its value from `by_zero`.
- Terms that are made while the module is imported, since theories are still being loaded then. Make them in functions.
- Imports of other rooms than `grammar`, and `values`, `languages` and `ieee` of `grammar.evaluation`. Theories may use
  each other.

To add an operator, add a row to the table of its theory, samples to the tests of evaluation, and let Z3 and cvc5 judge
it (`tests/grammar/evaluation/test_evaluate.py`). To add a theory, add a module and its name to `BUILT_IN`.

Odd on purpose: Int has the operators that it shares with Real, and `abs` is in `reals`, because this is the order in
which stored choices count them. Data types and uninterpreted sorts are kinds that are named by the command that
declares them, since their sorts may have any name. Arrays and data types have operators that depend on the sort
(`as const`, constructors); their kinds list them in `productions`.
"""
