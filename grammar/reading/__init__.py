"""From bytes to systems, problems and terms.

The room promises two things. A text that it accepts has, for every solver, the meaning that the returned terms have. A
text that it does not accept gives a `GrammarError` with the file, the line, the column, and the text at that place.

The way of a script: `decoding` makes text of bytes; `taken_words` renames the symbols that some solver would misread;
`syntax` makes a `Tree` of tokens with lark, by `smtlib.lark`; `commands` runs the commands in order, and `declarations`
keeps the names that they declare; `elaboration` makes terms; `horn_script` or `problem_script` keeps what is stated in
the end. `parse` is the only entry for other rooms. `sexpr` reads the models of solvers, which need neither positions
nor good error messages.

Forbidden here:

- A second reader of scripts. A form that lark must read is a rule in `smtlib.lark`. Reading takes a hundredth of a
  campaign's time, so a faster reader would gain nothing (`docs/measurements.md`).
- Recursion over a text. Mutants nest deeply, and every loop over trees and terms has a stack of its own.
- An exception other than `GrammarError`, for whatever text. `tests/grammar/reading/test_broken_text.py` breaks texts at
  random places.
- A term that Z3 would read in another way. If in doubt, refuse the text.

To add a command, add it to the table in `commands`, `horn_script` or `problem_script`, and a text with it to
`tests/grammar/reading/test_commands.py`. An operator is not added here but in its theory; another name for one,
or a form that only Z3 reads, is a row in `leniences`.

Odd on purpose: one symbol can have several meanings, because data types share the names of constructors, and the sorts
of the arguments choose. Bound variables get other names if they would hide a symbol, since Z3 has read that
differently from release to release. CHC systems lose the patterns of their quantifiers, which Spacer ignores.
"""
