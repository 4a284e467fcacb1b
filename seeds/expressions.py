"""S-expressions of the notations in which seeds are written."""

import re
from collections.abc import Iterator

TOKEN = re.compile(r"\|[^|]*\||;[^\n]*|[()]|[^\s();|]+")


def expressions(text: str) -> Iterator[str]:
    """Yield the S-expressions and comments of a text, with normalized white space."""
    words: list[str] = []
    depth = 0
    for word in TOKEN.findall(text):
        depth += (word == "(") - (word == ")")
        words.append(word)
        if depth == 0:
            yield " ".join(words).replace("( ", "(").replace(" )", ")")
            words = []
    if words:
        raise ValueError(f"unbalanced parentheses: {' '.join(words)[:80]}")
