"""The rows for interpolation problems: their own families, and the rows for SMT problems that keep contradictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chcfuzz.domains.interpolation.rows import groups as itp_groups
from chcfuzz.domains.interpolation.rows import symbols as itp_symbols
from chcfuzz.domains.smt.rows import registry as smt_rows
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.interpolation.grouped import Interpolation
from chcfuzz.mutators.mutation import Mutation, Needs, Parameter, Promise
from chcfuzz.mutators.registry import Registry

OWN = (itp_groups, itp_symbols)
# Rows that preserve only satisfiability are left out as well: a satisfiable problem does not have interpolants.
OFFERED = (Needs.FORMULAS, Needs.ASSERTIONS, Needs.GROUPS)


def rows() -> tuple[Mutation, ...]:
    """Return the mutations of all families."""
    own = tuple(row for family in OWN for row in family.MUTATIONS)
    shared = tuple(
        _with_a_cut(row)
        for row in smt_rows.rows()
        if row.promise is not Promise.SAT_PRESERVING and row.needs in OFFERED
    )
    return (*own, *shared)


def _with_a_cut(row: Mutation) -> Mutation:
    """Return the row without mutants whose assertions are all in one group, such as those of `smt_order.join`."""

    def rewrite(problem: Interpolation, choices: Choices) -> Interpolation | None:
        mutant: Interpolation | None = row.rewrite(problem, choices)
        return None if mutant is None or mutant.cuts < 1 <= problem.cuts else mutant

    return replace(row, rewrite=rewrite)


def registry(parameters: Sequence[Parameter] = ()) -> Registry:
    """Return the mutations of all families, and these parameters of the solvers under test."""
    return Registry(rows(), parameters)
