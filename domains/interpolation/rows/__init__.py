"""Mutations that only interpolation problems have."""
