"""Location of a bug: parameters, steps, events, code, releases."""
