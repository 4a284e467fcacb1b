"""Mutations of SMT problems, one family in a module."""
