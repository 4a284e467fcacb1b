"""Oracles for interpolation problems: checks of interpolants, and their evidence."""
