"""Everything that can be done to a system, as a table."""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence

from chcfuzz.grammar.system import System
from chcfuzz.mutators import arithmetic, boolean, interrogation, names, order, parameters, quantifiers, rewrites, rules
from chcfuzz.mutators.mutation import Kind, Mutation, Parameter, Scope
from chcfuzz.solvers.dialects import DIALECTS


class Registry:
    """`mutations` and `parameters` in a fixed order. Needs the Z3 of this process only where a row comes from it."""

    def __init__(self, mutations: Sequence[Mutation], parameters: Sequence[Parameter]) -> None:
        self.mutations = tuple(mutations)
        self.parameters = tuple(parameters)
        self._by_id = {mutation.id: mutation for mutation in self.mutations}
        if len(self._by_id) != len(self.mutations):
            raise ValueError("two mutations have one id")
        self._parameters = {row.id: row for row in self.parameters}
        self._by_kind = {kind: tuple(row for row in self.mutations if row.kind is kind) for kind in Kind}

    def get(self, mutation_id: str) -> Mutation | None:
        """The mutation with this id, None if there is none here (another Z3's rewrite, say)."""
        return self._by_id.get(mutation_id)

    def parameter(self, row_id: str) -> Parameter | None:
        """The parameter with this id, None if there is none here."""
        return self._parameters.get(row_id)

    def takes(self, name: str, value: str) -> bool:
        """Whether a parameter by this name has a row, and the row this value."""
        row = self.parameter(f"parameter.{name}")
        return row is not None and value in row.values

    def applies(self, row_id: str, system: System) -> bool:
        """Whether a row may change the system; a parameter can always be set."""
        mutation = self.get(row_id)
        return mutation is None or mutation.applies(system)

    def of_kind(self, kind: Kind) -> tuple[Mutation, ...]:
        """The mutations of a kind."""
        return self._by_kind[kind]

    def limited(self, kinds: Collection[Kind], without: Collection[Scope] = ()) -> Registry:
        """The rows of these kinds alone, and without the parameters of some scopes."""
        parameters = self.parameters if Kind.PARAMETER in kinds else ()
        return Registry(
            [row for row in self.mutations if row.kind in kinds],
            [row for row in parameters if row.scope not in without],
        )

    def table(self) -> str:
        """Every row for people: id, promise, scope, what it does, where it comes from."""
        rows = [("id", "promise", "scope", "what it does", "source")]
        rows += [(m.id, m.promise.value, m.scope.value, m.summary, m.source) for m in self.mutations]
        for row in self.parameters:
            does = f"{' or '.join(row.values)} instead of {row.default}"
            rows.append((row.id, "equisatisfiable", row.scope.value, does, row.source))
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
        )


@functools.cache
def registry(dialect: str | None = None) -> Registry:
    """All families, as the Z3 of this process has them, and the parameters of the solver under test.

    These are Spacer's, or with the name of a dialect (`solvers.dialects`) the options of such a command: a recipe for
    one has no use for what the other takes.
    """
    own = (boolean, quantifiers, arithmetic, rules, order, names)
    rows = [row for module in own for row in module.MUTATIONS]
    rows_of_solver = parameters.parameters() if dialect is None else parameters.of_dialect(DIALECTS[dialect])
    return Registry([*rows, *rewrites.mutations(), *interrogation.MUTATIONS], rows_of_solver)
