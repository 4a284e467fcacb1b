"""Candidate fixes of the solver: patches, and traced builds with them."""
