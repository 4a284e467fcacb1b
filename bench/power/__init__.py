"""Benchmarks of campaigns: traces and findings."""
