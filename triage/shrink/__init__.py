"""Making a system small under a test."""
