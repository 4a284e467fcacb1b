"""Benchmarks of readers, solvers and rows of the domains."""
