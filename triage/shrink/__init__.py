"""Reduction of systems, chains and parameters under a test."""
