"""Formulas whose quantifiers are nested so deep that two of them do not fit into each other."""


def deep(inside: str) -> str:
    """The formula inside 60 quantifiers, in each of which something exists."""
    for number in range(60):
        inside = f"(exists ((y{number} Int)) (and (> y{number} 0) {inside}))"
    return inside
