"""A learned generator: counts of how formulas of a training set are built, and drawing with these counts as weights.

The room promises that everything drawn is well-formed and typed, whatever the counts are: a model only changes how
often an allowed production is drawn. Equal training sets give equal files, and equal choices and models give equal
formulas.

A formula is a sequence of productions (`productions`), each a word of the `vocabulary` in a context of the nodes around
it (`places`). `training` counts them, `model_file` stores the counts, `formula_model` makes probabilities of them, and
`weighted_drawing` draws among the productions that the typing table allows (`possible`). `online` learns from the units
of a campaign, `tempering` chooses how closely a term follows the model, `active` holds the model of this process.

Forbidden here:

- Reading a model file without checking each number. It may come from somebody else.
- Floating-point numbers in a probability. All weights are integers, so that each machine draws the same.
- A probability of zero for a production without counts. It keeps a share, or it would never be drawn.
- Texts of a training set in a model file. It has counts of words, and names and sums of files.

To add an operator, add it to the typing table of the grammar: the vocabulary follows. Then train `builtin.model` again;
a test compares it with the shipped file.

Odd on purpose: the default is not to use a model. No measurement shows that campaigns find more with one
(docs/learned-generator.md). The room stays for drawing problems that resemble a user's own.
"""
