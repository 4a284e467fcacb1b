"""From bytes to mutants, and from what was observed to the next mutant.

The room promises that any bytes are a recipe, and that equal bytes are equal mutants, on each machine and for ever: ids
of rows and the formats of recipes are stored in users' corpora. Each row promises how the answer of its mutant follows
from the answer of its argument, and `Promise.weakest` joins these promises along a chain.

The way of a unit: `recipe` decodes its bytes (`envelope`) into a seed, steps and parameters; `chain` applies the rows
of the steps; `reading_back` checks a printed mutant. The way of a mutation: `custom` is called by libFuzzer,
`portfolio` picks a strategy, `neighbourhood` and `policy` pick rows and parameters, and `budget` removes parameters
that took more than their share. `registry` holds the rows of a domain, `mutation` describes one. `families` has the
rows that work on any formula, `rewriting` the code that families share; the rows of one domain are in
`domains/<domain>/rows`.

Forbidden here:

- Chance that does not come from `Choices`. The byte that is changed is the decision that changes.
- Changing an argument, or a result that depends on earlier calls. Chains are cached by their prefixes.
- Renaming a row, using an id twice, inserting into `Roots.built_in` or `Roots.entropy_rows`. Stored bytes would change
  their meaning; 500 pinned units would show that.
- An `applies` that wrongly returns False, or that is slow: it runs for each row that is drawn.

To add a row, follow docs/adding-a-mutation.md. Its promise is judged on hundreds of systems
(`tests/mutators/judge.py`).

Odd on purpose: eight bytes hold the first eight decisions of a step, and a key generates all others, so that a row
never runs out of choices and small changes of the bytes are small changes of the mutant. A chain skips steps of unknown
rows, and steps that would make a mutant too large: any bytes are a recipe, and a corpus may come from another version.
"""
