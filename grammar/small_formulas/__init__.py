"""Small formulas over the constants of one theory, drawn together with a model.

Questions to parts of solvers and the drawn CHC systems are made of them. `templates.py` has the theories, each with its
declarations and the templates of its terms; `assignments.py` draws values and models, and keeps a model true while a
formula changes. No solver runs: values are those of our own evaluator.

To add a theory, add a row to `THEORIES`, at the end: stored units choose a theory by its position. Never draw from
anything but `Choices`.
"""
