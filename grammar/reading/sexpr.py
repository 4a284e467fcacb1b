"""S-expressions of models as tokens and nested lists: a reader without positions, faster than the parser of scripts."""

from __future__ import annotations

import re
from typing import TypeAlias

from chcfuzz.grammar.errors import ChcfuzzError

Sexpr: TypeAlias = "str | list[Sexpr]"

_TOKEN = re.compile(r';[^\n]*|\|[^|]*\||"(?:[^"]|"")*"|[()]|[^\s()|";]+')


def tokens(text: str) -> list[str]:
    """Return the tokens of a text without comments."""
    return [token for token in _TOKEN.findall(text) if not token.startswith(";")]


def sexprs(text: str) -> list[Sexpr]:
    """Return the expressions of a text without comments; raises `ChcfuzzError` for an unbalanced parenthesis."""
    found: list[Sexpr] = []
    open_lists: list[list[Sexpr]] = [found]
    for token in tokens(text):
        if token == "(":
            inner: list[Sexpr] = []
            open_lists[-1].append(inner)
            open_lists.append(inner)
        elif token == ")":
            open_lists.pop()
            if not open_lists:
                raise ChcfuzzError("a model with a parenthesis that closes nothing")
        else:
            open_lists[-1].append(token)
    if len(open_lists) > 1:
        raise ChcfuzzError("a model that ends inside a parenthesis")
    return found


def name_in(symbol: str) -> str:
    """Return the name of a symbol, without its bars."""
    return symbol[1:-1] if symbol.startswith("|") and symbol.endswith("|") and len(symbol) > 1 else symbol
