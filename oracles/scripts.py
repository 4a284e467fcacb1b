"""Texts that every solver reads: definitions in an order of use, and numbers in constant arrays."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from chcfuzz.solvers.model_text import name_of, pieces, symbols_of

_CONSTANT = "((as const "
_NEGATIVE = re.compile(r"\A(\)\s+)\(- ([\d.]+)\)")


def joined(lines: Sequence[str]) -> str:
    """Join the lines, with -1 for (- 1) in constant arrays: cvc5 requires a literal there, and Z3 accepts it."""
    first, *parts = "\n".join([*lines, ""]).split(_CONSTANT)
    for number, part in enumerate(parts):
        sort = len(pieces(part)[0])
        parts[number] = part[:sort] + _NEGATIVE.sub(r"\1-\2", part[sort:])
    return _CONSTANT.join([first, *parts])


def ordered(text: str, wanted: Container[str] | None = None) -> list[str]:
    """Return definitions, each after those that it uses (Z3 prints auxiliary functions in any order).

    Only those of `wanted` names, without bars, and what they use, or else all.
    """
    found = {name_of(piece): piece for piece in pieces(text)}
    begun: set[str] = set()
    ordered: dict[str, str] = {}
    stack = [name for name in reversed(found) if wanted is None or name.strip("|") in wanted]
    while stack:
        name = stack[-1]
        if name in begun:
            ordered.setdefault(name, found[stack.pop()])
        else:
            begun.add(name)
            stack += sorted(set(symbols_of(found[name])) & found.keys() - begun, reverse=True)
    return list(ordered.values())
