"""Mutations that only Horn systems have, one family in a module."""
