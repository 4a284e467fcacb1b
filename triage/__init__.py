"""Confirmation of suspicions in a new process, and storage, reduction, location, grouping and reports of findings."""
