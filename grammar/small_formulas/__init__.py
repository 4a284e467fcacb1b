"""Small formulas over the constants of one theory, drawn together with a model.

The room promises that a drawn formula is true in its model by our own evaluator, whatever SMT-LIB leaves open, and that
it depends on nothing but the theory and the choices. No solver runs.

Questions to parts of solvers and drawn CHC systems are made of these formulas. `templates` has the theories, each with
its declarations and the templates of its terms. `assignments` draws values and models, and keeps a model true while a
formula changes.

Forbidden here:

- Chance from anywhere but `Choices`.
- Another formula for stored choices: units with the row `parts.drawn` draw again. Add templates to a new theory, and a
  new theory at the end of `THEORIES`, since units choose theories by their position.

Odd on purpose: literals share few constants and small numbers. Larger terms find less (see `templates`).
"""
