"""Formulas with quantifiers nested so deep that nesting one in another exceeds the limit."""


def deep(inside: str) -> str:
    """Return the formula below 60 existential quantifiers."""
    for number in range(60):
        inside = f"(exists ((y{number} Int)) (and (> y{number} 0) {inside}))"
    return inside
