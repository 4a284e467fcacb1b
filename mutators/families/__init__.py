"""Rows of the registry, one module for each family: how a mutation rewrites a system, and what it promises."""
