"""Implementations of `Domain`: CHC systems, SMT problems and interpolation problems."""
