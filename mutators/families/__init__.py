"""The rows: what a mutation does to a system and what it promises, a family a module."""
