"""Benchmarks of oracles, and of the tests."""
