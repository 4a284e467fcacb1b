"""Oracles for SMT problems: models, answers and errors of several solvers."""
