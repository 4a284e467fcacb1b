"""Helpers that several mutation families share."""
