"""Reducing a finding."""
