"""Locating where a finding comes from."""
