"""Interpolating solvers: for each cut of a problem without a model, a formula between the groups on both sides."""
