"""Trees of tokens: the shape of a script before its names have a meaning."""

from __future__ import annotations

from typing import Any

Node = Any  # a Token, or a Tree


class Tree:
    """A bracketed piece of the script: which rule it was, and its parts."""

    __slots__ = ("children", "rule")

    def __init__(self, rule: str, parts: list[Node]) -> None:
        self.rule = rule
        self.children = parts
