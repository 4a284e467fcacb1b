"""Problem domains: what the machine has to know of CHC systems, and of other kinds of problems."""
