"""Oracles for Horn systems: models, refutations, derivations, and their evidence."""
