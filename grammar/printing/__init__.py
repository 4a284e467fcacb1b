"""From systems and problems to text.

The room promises that a text states the same system or problem, and reads back as it: `parse` of the text of `printer`
is the same object, term by term. A text for one solver (`dialects`, `alt_ergo`) has the same answer; it may use other
operators, and new functions with axioms.

`printer` writes the canonical text; recipes, caches and findings rely on it, so it has one form for everything, and a
change of this form changes every corpus. `dialects` has one row for each reader with the forms that it lacks.
`constant_arrays`, `matches` and `rereading` translate a problem before it is printed. `rules_text` and `alt_ergo` write
languages that are not SMT-LIB. `witness` holds models and refutations, which are stored as text.

Forbidden here:

- Choices. Two calls for one problem return the same text, in this process and in any other.
- Recursion over a term, and time that grows with the tree of a term instead of its distinct subterms.
- A new name that a symbol or a bound variable of the problem already has: use `fresh_name`.

To add a solver with a language of its own, add a row to `dialects`, or a module like `alt_ergo` if its language is not
SMT-LIB, and let its solver read the drawn problems of `tests/grammar/printing/test_dialects.py`.

Odd on purpose: the text of a clause is kept with its formula, because a mutant shares most clauses with its seed.
Shared subterms get a name with `let` only if the text would otherwise be much longer, because solvers preprocess both
forms in different ways and plain trees are easier to read and to reduce.
"""
