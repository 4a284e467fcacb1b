"""The table of everything that can be done to a problem: mutations, solver parameters and configurations."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.mutators.mutation import Configuration, Kind, Mutation, Parameter, Scope


class Registry:
    """All rows in a fixed order. Needs the Z3 of this process only for rows that come from it."""

    def __init__(
        self,
        mutations: Sequence[Mutation],
        parameters: Sequence[Parameter],
        configurations: Sequence[Configuration] = (),
    ) -> None:
        self.mutations = tuple(mutations)
        self.parameters = tuple(parameters)
        self.configurations = tuple(configurations)
        self._by_id = {mutation.id: mutation for mutation in self.mutations}
        if len(self._by_id) != len(self.mutations):
            raise ValueError("two mutations have the same id")
        self._parameters = {row.id: row for row in self.parameters}
        self._configurations = {row.id: row for row in self.configurations}
        self._largest_first = sorted(self.configurations, key=lambda row: -len(row.settings))
        self._by_kind = {kind: tuple(row for row in self.mutations if row.kind is kind) for kind in Kind}

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of all rows: mutations, parameters, configurations."""
        return (*self._by_id, *self._parameters, *self._configurations)

    def get(self, mutation_id: str) -> Mutation | None:
        """Return the mutation with this id; None if it is unknown (a rewrite of another Z3, for example)."""
        return self._by_id.get(mutation_id)

    def parameter(self, row_id: str) -> Parameter | None:
        """Return the parameter with this id; None if it is unknown."""
        return self._parameters.get(row_id)

    def settings(self, row_id: str, choices: Choices) -> tuple[tuple[str, str], ...]:
        """Return the names and values of the parameters that the row with this id sets; empty for a mutation."""
        configuration = self._configurations.get(row_id)
        if configuration is not None:
            return configuration.settings
        parameter = self.parameter(row_id)
        return () if parameter is None else ((parameter.name, choices.pick(parameter.values)),)

    def added(self, before: Collection[tuple[str, str]], after: Collection[tuple[str, str]]) -> tuple[str, ...]:
        """Return the ids of the rows that change one set of parameters into the other, configurations first.

        A configuration counts if it was incomplete before and is complete now, the largest first; its
        parameters do not count again.
        """
        new, rows = set(after) - set(before), []
        for row in self._largest_first if new else ():
            if not new.isdisjoint(row.settings) and set(row.settings) <= set(after):
                rows.append(row.id)
                new -= set(row.settings)
        return (*rows, *sorted(f"parameter.{name}" for name, _ in new))

    def takes(self, name: str, value: str) -> bool:
        """Return whether a parameter of this name has a row with this value."""
        row = self.parameter(f"parameter.{name}")
        return row is not None and value in row.values

    def applies(self, row_id: str, problem: BaseProblem) -> bool:
        """Return whether a row may change the problem, or how it is solved; most parameters can always be set."""
        mutation, parameter = self.get(row_id), self.parameter(row_id)
        if parameter is not None and parameter.usual is not None:
            return parameter.usual(problem)
        return mutation is None or mutation.applies(problem)

    def of_kind(self, kind: Kind) -> tuple[Mutation, ...]:
        """Return the mutations of one of HornFuzz's or HornGator's kinds."""
        return self._by_kind[kind]

    def limited(
        self, kinds: Collection[Kind], without: Collection[Scope] = (), called: Sequence[str] = ("*",)
    ) -> Registry:
        """Return the rows of these kinds whose ids match a shell pattern.

        Parameters and configurations of the scopes `without` are left out. Raises `ValueError` for a pattern
        that matches no row of this registry.
        """
        ids = self.ids
        for pattern in called:
            if not any(fnmatchcase(row_id, pattern) for row_id in ids):
                raise ValueError(f"no mutation, parameter or configuration is called {pattern!r}")
        parameters = Kind.PARAMETER in kinds

        def is_called(row: Mutation | Parameter | Configuration) -> bool:
            return any(fnmatchcase(row.id, pattern) for pattern in called)

        return Registry(
            [row for row in self.mutations if row.kind in kinds and is_called(row)],
            [row for row in self.parameters if parameters and row.scope not in without and is_called(row)],
            [row for row in self.configurations if parameters and row.scope not in without and is_called(row)],
        )

    def without_models(self) -> Registry:
        """Return the rows that draw nothing with a model."""
        rows = [row for row in self.mutations if row.data_for is None]
        return Registry(rows, self.parameters, self.configurations)

    def rows(self) -> list[tuple[str, ...]]:
        """Return a heading, and all rows: id, promise, scope, description, source."""
        rows: list[tuple[str, ...]] = [("id", "promise", "scope", "description", "source")]
        rows += [(m.id, m.promise.value, m.scope.value, m.summary, m.source) for m in self.mutations]
        for row in self.parameters:
            description = f"{' or '.join(row.values)} instead of {row.default}"
            rows.append((row.id, "equisatisfiable", row.scope.value, description, row.source))
        for several in self.configurations:
            source = f"{several.source}; {' '.join(map('='.join, several.settings))}"
            rows.append((several.id, "equisatisfiable", several.scope.value, "these parameters together", source))
        return rows

    def table(self) -> str:
        """Return the rows as aligned columns, which `chcfuzz mutations` prints."""
        rows = self.rows()
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
        )
