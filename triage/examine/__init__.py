"""Examining a suspicion in a fresh process."""
