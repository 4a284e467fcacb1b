"""Options of a solver's command line, as rows of a table."""

from __future__ import annotations

from dataclasses import dataclass

ON = "on"


@dataclass(frozen=True)
class Option:
    """`values` are worth trying, the `default` is none of them; `ON` alone is a switch without a value.

    `source` is where the solver reads it. `experimental` says why findings under it need to be justified first.
    """

    name: str
    default: str
    values: tuple[str, ...]
    source: str
    experimental: str = ""

    def switch(self, value: str) -> str:
        """The word of a command line that sets it."""
        return f"-{self.name}" if value == ON else f"-{self.name}:{value}"
