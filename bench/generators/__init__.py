"""Benchmarks of generated problems."""
