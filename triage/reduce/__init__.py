"""Reduction of findings."""
