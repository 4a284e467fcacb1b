"""Reader of the table of known wrong answers (`known.toml`)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.mutators.recipe import Recipe, Step
from chcfuzz.solvers.z3_program import LIBRARY

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Known:
    """A row of the table, which describes its fields."""

    name: str
    release: str
    good_before: str | None
    first_good: str | None
    answer: str
    parameters: tuple[tuple[str, str], ...]
    steps: tuple[Step, ...]
    fix: str | None
    bug: int | None
    front_end: str

    @property
    def seed(self) -> Path:
        """File of its clean seed."""
        return _FOLDER / f"{self.name}.smt2"

    @property
    def recipe(self) -> Recipe:
        """Recipe that shows the wrong answer."""
        return Recipe(self.seed.read_text(), self.steps, self.parameters)


def table() -> tuple[Known, ...]:
    """Return every row, in the order of the file."""
    rows = tomllib.loads((_FOLDER / "known.toml").read_text())
    return tuple(
        Known(
            name=name,
            release=row["release"],
            good_before=row.get("good_before"),
            first_good=row.get("first_good"),
            answer=row["answer"],
            parameters=tuple((parameter, value) for parameter, value in row.get("parameters", ())),
            steps=tuple(Step(mutation, *map(bytes.fromhex, read)) for mutation, *read in row.get("steps", ())),
            fix=row.get("fix"),
            bug=row.get("bug"),
            front_end=row.get("front_end", LIBRARY),
        )
        for name, row in rows.items()
    )
