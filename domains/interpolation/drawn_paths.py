"""Drawn paths of C programs: their assignments are executed, and the last comparison contradicts the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from chcfuzz.domains.interpolation.memory_paths import (
    Address,
    Field,
    Path,
    PathVariable,
    Place,
    Pointed,
    Sum,
    Value,
    variables,
)
from chcfuzz.grammar.choices import Choices

_MOST_STATEMENTS = 12
_MOST_VARIABLES = 5
_FIELDS = 3  # of each compound
_MOST_NUMBER = 9
Location = tuple[int, ...]  # a variable, and the fields from it on
Content = int | Location


@dataclass
class _Run:
    """The contents of memory after the assignments so far: numbers, and addresses of locations."""

    number: int
    memory: dict[Location, Content] = field(default_factory=dict)
    assignments: list[tuple[Place, Value]] = field(default_factory=list)

    def location(self, place: Place) -> Location | None:
        """Return the location of a place; None if it needs a pointer that is not there."""
        if isinstance(place, PathVariable):
            return (place.location,)
        if isinstance(place, Field):
            compound = self.location(place.compound)
            return None if compound is None else (*compound, place.number)
        pointer = self.location(place.pointer)
        found = None if pointer is None else self.memory.get(pointer)
        return found if isinstance(found, tuple) else None

    def content(self, value: Value) -> Content | None:
        """Return a value; None if it is not known."""
        if isinstance(value, int):
            return value
        location = self.location(value.place)
        if isinstance(value, Address) or location is None:
            return location
        found = self.memory.get(location)
        return found + value.added if isinstance(found, int) else found if not value.added else None

    def assign(self, place: Place, value: Value) -> None:
        """Execute an assignment, unless its place or value is not known."""
        location, content = self.location(place), self.content(value)
        if location is not None and content is not None:
            self.memory[location] = content
            self.assignments.append((place, value))

    def place(self, choices: Choices) -> Place:
        """Draw a variable, a field of one, or the place or a field that a variable points at."""
        variable = choices.pick(variables(self.number))
        place: Place = Pointed(variable) if choices.index(3) == 0 else variable
        return Field(place, choices.index(_FIELDS)) if choices.index(4) == 0 else place

    def value(self, choices: Choices) -> Value:
        """Draw a number, an address, or the value at a place plus a number."""
        match choices.index(5):
            case 0:
                return choices.index(_MOST_NUMBER + 1)
            case 1:
                return Address(choices.pick(variables(self.number)))
        return Sum(self.place(choices), choices.index(3))

    @property
    def numbers(self) -> Mapping[Place, int]:
        """The places that an assignment names and that now contain a number."""
        found = {}
        for place, _ in self.assignments:
            content = self.content(Sum(place))
            if isinstance(content, int):
                found[place] = content
        return found


def drawn_path(choices: Choices) -> Path:
    """Draw a path that ends with a comparison that is false; its cut is drawn, too."""
    run = _Run(choices.integer(1, _MOST_VARIABLES))
    first = PathVariable(1)
    run.assign(first, choices.index(_MOST_NUMBER + 1))
    for _ in range(choices.integer(1, _MOST_STATEMENTS)):
        run.assign(run.place(choices), run.value(choices))
    if not run.numbers:
        run.assign(first, choices.index(_MOST_NUMBER + 1))
    place = choices.pick(tuple(run.numbers))
    different = (Sum(place), run.numbers[place])
    cut = choices.integer(1, max(1, len(run.assignments) - 1))
    return Path(tuple(run.assignments), different, cut, run.number)
