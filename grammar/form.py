"""The form of a problem: how a text states it, apart from its meaning."""

from __future__ import annotations

from dataclasses import dataclass

from chcfuzz.grammar.definitions import DefinedFunction


@dataclass(frozen=True)
class Form:
    """How a text states a problem. Problems that differ only in their form have the same models.

    `definitions` may be called in the text, each in the formulas and in later definitions.
    """

    definitions: tuple[DefinedFunction, ...] = ()


PLAIN = Form()
