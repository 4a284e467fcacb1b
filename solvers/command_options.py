"""Options of a solver's command line, as rows of a table."""

from __future__ import annotations

from dataclasses import dataclass

ON = "on"


@dataclass(frozen=True)
class Option:
    """An option of a solver: `values` to try, without the `default`; `ON` alone is a switch without a value.

    `source` is the file in which the solver reads it. `experimental` is the reason why findings under it must be
    justified first. `form` is the format of a value on the command line, `on` that of a switch.
    """

    name: str
    default: str
    values: tuple[str, ...]
    source: str
    experimental: str = ""
    form: str = "-{name}:{value}"
    on: str = "-{name}"

    def switch(self, value: str) -> str:
        """Return the argument that sets the option."""
        return (self.on if value == ON else self.form).format(name=self.name, value=value)
