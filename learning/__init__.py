"""A learned generator: formulas as sequences of productions, a model that counts them, and drawing with its weights."""
