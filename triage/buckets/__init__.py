"""Grouping findings by cause."""
