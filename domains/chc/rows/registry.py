"""The rows for CHC systems."""

from __future__ import annotations

import functools

from chcfuzz.domains.chc.rows import (
    clauses,
    coarse,
    configurations,
    fusion,
    interrogation,
    learned,
    monotone,
    names,
    order,
    parameters,
    predicates,
    rewrites,
    rules,
    signatures,
    unfolding,
    wrappers,
)
from chcfuzz.mutators.families import arithmetic, bait, boolean, quantifiers, shapes
from chcfuzz.mutators.registry import Registry
from chcfuzz.solvers.dialects import DIALECTS

OWN = (  # one per line, so that families which are added at the same time merge without conflicts
    boolean,
    quantifiers,
    arithmetic,
    rules,
    order,
    names,
    monotone,
    bait,
    signatures,
    predicates,
    unfolding,
    clauses,
    shapes,
    fusion,
    wrappers,
    coarse,
    learned,
)


@functools.cache
def registry(dialect: str | None = None) -> Registry:
    """Return all families, as the Z3 of this process has them, and the parameters of the solver under test.

    These are Spacer's or, with the name of a dialect (`solvers.dialects`), the options of such a command.
    """
    rows = [row for module in OWN for row in module.MUTATIONS]
    mutations = [*rows, *rewrites.mutations(), *interrogation.MUTATIONS]
    if dialect is None:
        return Registry(mutations, parameters.parameters(), configurations.configurations())
    return Registry(mutations, parameters.of_dialect(DIALECTS[dialect]))
