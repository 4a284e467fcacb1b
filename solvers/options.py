"""Options of a solver's command line, as rows of a table."""

from __future__ import annotations

from dataclasses import dataclass

ON = "on"


@dataclass(frozen=True)
class Option:
    """`values` are worth trying, the `default` is none of them; `ON` alone is a switch without a value.

    `source` is where the solver reads it. `experimental` says why findings under it need to be justified first.
    `form` is how a value is written on the command line, `on` a switch.
    """

    name: str
    default: str
    values: tuple[str, ...]
    source: str
    experimental: str = ""
    form: str = "-{name}:{value}"
    on: str = "-{name}"

    def switch(self, value: str) -> str:
        """The word of a command line that sets it."""
        return (self.on if value == ON else self.form).format(name=self.name, value=value)
