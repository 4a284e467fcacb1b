"""Benchmarks of reduction, location and buckets."""
