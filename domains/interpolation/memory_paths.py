"""Paths of C programs with pointers, as interpolation problems: assignments, and a last condition that is false.

Memory is a function from locations to values, with a version for each assignment. Three encodings:

- `axioms`: each version is a function `V0`, `V1`, ..., and an assignment states with a quantifier that all other
  locations keep their values. `A` is the address of a location and `L` the location of an address, `S` the location
  of a field in a compound, `B` and `O` the compound and the field of such a location; axioms relate them. Locations
  are numbers above 0; those of variables are 1 to N, and those of fields are greater. With `first`, a compound begins
  at its field 0.
- `arrays`: each version is an array of variables and an array of compounds, without quantifiers. Addresses are
  locations.
- `vectors`: the same with bit-vectors as values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.interpolation.group_text import read
from chcfuzz.grammar.interpolation.grouped import AXIOM, Interpolation, group_name

ENCODINGS = ("axioms", "arrays", "vectors")
_WIDTH = 32  # of the vectors


@dataclass(frozen=True)
class PathVariable:
    """The place of a variable, by its location."""

    location: int


@dataclass(frozen=True)
class Pointed:
    """The place that a pointer points at."""

    pointer: Place


@dataclass(frozen=True)
class Field:
    """The place of a field, or of an element, of the compound at a place."""

    compound: Place
    number: int


Place = PathVariable | Pointed | Field


@dataclass(frozen=True)
class Address:
    """The address of a place, as a value."""

    place: Place


@dataclass(frozen=True)
class Sum:
    """The value at a place, plus a number."""

    place: Place
    added: int = 0


Value = int | Address | Sum


@dataclass(frozen=True)
class Path:
    """Assignments and the values that must differ after them. The first `cut` assignments are the side A."""

    assignments: tuple[tuple[Place, Value], ...]
    different: tuple[Value, Value]
    cut: int
    variables: int
    first: bool = False  # whether compounds begin at their first fields


class _Axioms:
    """Versions of memory as functions."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def declarations(self, versions: int) -> list[str]:
        unary = ["A", "L", "B", "O", *(f"V{number}" for number in range(versions))]
        return [f"(declare-fun {name} (Int) Int)" for name in unary] + ["(declare-fun S (Int Int) Int)"]

    def axioms(self) -> list[str]:
        bound = [
            "(forall ((x Int)) (=> (> x 0) (> (A x) 0)))",
            "(forall ((x Int)) (= (L (A x)) x))",
            "(forall ((x Int)) (= (A (L x)) x))",
        ]
        about = [f"(> (S x f) {self._path.variables})", "(= (B (S x f)) x)", "(= (O (S x f)) f)"]
        if self._path.first:
            bound.append("(forall ((x Int)) (= (A x) (A (S x 0))))")
            about = [f"(=> (distinct f 0) {each})" for each in about]
        return bound + [f"(forall ((x Int) (f Int)) {each})" for each in about]

    def assigned(self, place: Place, value: Value, version: int) -> str:
        where, new = self._location(place, version), self.value(value, version)
        old, now = f"V{version}", f"V{version + 1}"
        kept = f"(forall ((l Int)) (=> (distinct l {where}) (= ({now} l) ({old} l))))"
        return f"(and (= ({now} {where}) {new}) {kept})"

    def value(self, value: Value, version: int) -> str:
        if isinstance(value, int):
            return str(value)
        if isinstance(value, Address):
            return f"(A {self._location(value.place, version)})"
        found = self._read(value.place, version)
        return f"(+ {found} {value.added})" if value.added else found

    def _read(self, place: Place, version: int) -> str:
        return f"(V{version} {self._location(place, version)})"

    def _location(self, place: Place, version: int) -> str:
        if isinstance(place, PathVariable):
            return str(place.location)
        if isinstance(place, Pointed):
            return f"(L {self._read(place.pointer, version)})"
        return f"(S {self._location(place.compound, version)} {place.number})"


class _Arrays:
    """Versions of memory as an array of variables and an array of compounds."""

    def __init__(self, path: Path, is_vector: bool) -> None:
        self._sort = f"(_ BitVec {_WIDTH})" if is_vector else "Int"
        self._add = "bvadd" if is_vector else "+"
        self._is_vector = is_vector
        self._has_compounds = any(isinstance(place, Field) for place in _places(path))

    def declarations(self, versions: int) -> list[str]:
        array = f"(Array {self._sort} {self._sort})"
        names = [f"(declare-fun V{number} () {array})" for number in range(versions)]
        compounds = f"(Array {self._sort} {array})"
        return names + [f"(declare-fun H{number} () {compounds})" for number in range(versions) if self._has_compounds]

    def axioms(self) -> list[str]:
        return []

    def assigned(self, place: Place, value: Value, version: int) -> str:
        new = self.value(value, version)
        variables, compounds = f"V{version}", f"H{version}"
        if isinstance(place, Field):
            where, field = self._location(place.compound, version), self._number(place.number)
            compounds = f"(store {compounds} {where} (store (select {compounds} {where}) {field} {new}))"
        else:
            variables = f"(store {variables} {self._location(place, version)} {new})"
        changed = f"(= V{version + 1} {variables})"
        return f"(and {changed} (= H{version + 1} {compounds}))" if self._has_compounds else changed

    def value(self, value: Value, version: int) -> str:
        if isinstance(value, int):
            return self._number(value)
        if isinstance(value, Address):
            return self._location(value.place, version)
        found = self._read(value.place, version)
        return f"({self._add} {found} {self._number(value.added)})" if value.added else found

    def _number(self, number: int) -> str:
        return f"#x{number:0{_WIDTH // 4}x}" if self._is_vector else str(number)

    def _read(self, place: Place, version: int) -> str:
        if isinstance(place, Field):
            where, field = self._location(place.compound, version), self._number(place.number)
            return f"(select (select H{version} {where}) {field})"
        return f"(select V{version} {self._location(place, version)})"

    def _location(self, place: Place, version: int) -> str:
        if isinstance(place, PathVariable):
            return self._number(place.location)
        if isinstance(place, Pointed):
            return self._read(place.pointer, version)
        raise ChcfuzzError("the address of a field needs the encoding axioms")


def _places(path: Path) -> list[Place]:
    """Return the places that a path assigns or reads."""
    values = [value for _, value in path.assignments] + list(path.different)
    return [place for place, _ in path.assignments] + [value.place for value in values if not isinstance(value, int)]


def path_problem(path: Path, encoding: str, steps: bool = False) -> Interpolation:
    """Return a path as a pair, cut at its own cut, or with a group for each of its `steps`."""
    if encoding not in ENCODINGS:
        raise ChcfuzzError(f"{encoding} is not an encoding of memory; name one of {', '.join(ENCODINGS)}")
    memory = _Axioms(path) if encoding == "axioms" else _Arrays(path, encoding == "vectors")
    last = len(path.assignments)
    lines = ["(set-logic ALL)", "(set-info :status unsat)", *memory.declarations(last + 1)]
    for version, (place, value) in enumerate(path.assignments):
        group = version if steps else int(version >= path.cut)
        lines.append(_asserted(memory.assigned(place, value, version), group))
    one, other = (memory.value(value, last) for value in path.different)
    lines.append(_asserted(f"(distinct {one} {other})", last if steps else 1))
    lines += [_asserted(axiom, AXIOM) for axiom in memory.axioms()]
    return read("\n".join([*lines, "(check-sat)"]), "a path")


def _asserted(formula: str, group: int) -> str:
    return f"(assert (! {formula} :interpolation-group {group_name(group)}))"


def assignments(*pairs: tuple[Place, Value]) -> tuple[tuple[Place, Value], ...]:
    """Return assignments, each a pair of a place and a value, in the form that `Path` takes."""
    return pairs


def variables(number: int) -> Sequence[PathVariable]:
    """Return `number` variables, at the locations from 1 on."""
    return [PathVariable(location) for location in range(1, number + 1)]
