"""Benchmarks; README.md lists them by question."""
