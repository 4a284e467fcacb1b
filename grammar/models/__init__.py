"""Models of problems: as solvers print them, and as structures in which terms have values.

The room promises that a formula which is true in a complete structure is satisfiable, and that a formula which is false
in a strict evaluation is false in every structure with these definitions. Each other result is `UNDETERMINED`. The
oracles for wrong models and wrong answers of SMT solvers are built on these two sentences.

`printed_models` reads the text of Z3, cvc5 and Bitwuzla into a `Structure`. `structures` evaluates. `universes` decides
equality if the number of elements of a sort is unknown. `function_arrays` evaluates arrays given as functions.

Forbidden here:

- Half a definition. A function stays undefined if any part of its definition is not understood, and
  `Structure.unreadable` names it.
- Evaluation without a limit: every node costs a step, and the steps of a structure are bounded (`MOST_STEPS`). Printed
  models contain quantifiers and functions that use each other.
- A verdict. This room returns values; `oracles/` decides what they mean.

To add a solver, add its spelling of elements and of arrays to `printed_models`, and let it print the models of
`tests/grammar/models/model_printers.py`.

Odd on purpose: strict and complete evaluation are two modes of one evaluator and not two evaluators, since they differ
only where a definition is missing. The reader of models is not the reader of scripts: solvers print forms that no
script may contain (`U!val!0`, `(as @U_0 U)`, `(_ as-array f)`), and a model with one strange definition is
still useful.
"""
