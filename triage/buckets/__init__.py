"""Groups of findings with the same cause, and reports on them."""
