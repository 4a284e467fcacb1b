"""Well-formed CHC systems and SMT problems: sorts, terms, clauses, parser, printer, and values of ground terms.

The room promises that a value of one of its classes is well-formed: terms have sorts, systems consist of Horn clauses,
names are declared. It promises that printing a problem and reading the text gives a problem with the same meaning, and
that equal terms are one object, so that `is` compares and mutants share all that they did not change.

`sorts` and `terms` are the values; `theory` has the tables of operators that the modules of `theories/` fill; `problem`
and `system` are the two kinds of problems, with `form` and `written_checks` for the way in which a text states them;
`horn` decides which formulas are clauses. `choices` is the only door for chance. The rooms below it have essays of
their own: `reading`, `printing`, `evaluation`, `models`, `drawing`, `interpolation` and `theories`.

Forbidden here:

- Importing a solver, or any other room. A test compares this room with Z3, but the room never runs it.
- Changing a term or a problem. Each change makes a new value.
- Recursion over terms: mutants nest deeply. Only quantifiers, which are limited to a hundred levels, may recurse.
- A property of an operator outside of its theory: sorts, evaluation, drawing and names are in one table.

To add a theory, follow docs/adding-a-theory.md; an operator of a present theory is one row.

Odd on purpose: the tables of terms and sorts are weak, so that campaigns of months do not grow, and sizes count a
shared term once, except where a tree is needed (`MOST_AS_A_TREE`).
"""
