"""Campaigns on disk: run folders and their statistics."""
