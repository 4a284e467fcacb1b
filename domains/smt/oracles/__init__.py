"""Oracles for SMT problems: models by our own evaluator, answers against answers, and messages of errors.

A model is right if every assertion evaluates to true, wrong if one evaluates to false, and undecided otherwise: an
assertion with a value that SMT-LIB leaves open is not evidence. Two different answers are a disagreement, which only
accuses; the examination then searches a witness.

Never let a solver under test judge its own model, and never report a message as an internal error that the solver
prints about the input: `errors.py` has the patterns of both, and a new pattern needs a test with the real message.

Evidence scripts repeat the problem with the model as definitions, and negate one assertion: any solver answers at
once.
"""
