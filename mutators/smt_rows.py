"""The rows for SMT problems: their own families, and those rows for CHC systems that rewrite formulas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chcfuzz.mutators.families import (
    arithmetic,
    bait,
    boolean,
    quantifiers,
    shapes,
    smt_arguments,
    smt_constant,
    smt_functions,
    smt_fusion,
    smt_learned,
    smt_logic,
    smt_models,
    smt_monotone,
    smt_names,
    smt_numbers,
    smt_operator,
    smt_order,
    smt_patterns,
    smt_quantifiers,
    smt_shape,
    smt_subterm,
    smt_values,
    smt_vectors,
)
from chcfuzz.mutators.mutation import Mutation, Parameter
from chcfuzz.mutators.registry import Registry

OWN = (  # one per line, so that families which are added at the same time merge without conflicts
    smt_order,
    smt_names,
    smt_operator,
    smt_constant,
    smt_subterm,
    smt_monotone,
    smt_logic,
    smt_numbers,
    smt_vectors,
    smt_quantifiers,
    smt_functions,
    smt_fusion,
    smt_models,
    smt_patterns,
    smt_learned,
    smt_shape,
    smt_arguments,
    smt_values,
)
SHARED = (boolean, arithmetic, quantifiers, bait, shapes)  # families of CHC systems
ABOUT_CLAUSES = (  # rows of theirs that need bodies, heads, or predicates
    "bait.new-variable",
    "shapes.reshape",
    "shapes.exists-out",
    "shapes.exists-in",
    "shapes.cell-for-variable",
    "shapes.split-prefix",
    "shapes.name-argument",
    "shapes.use-equation",
)


def rows() -> tuple[Mutation, ...]:
    """Return the mutations of all families; permutations get no share of their own, unlike in CHC systems."""
    shared = [row for family in SHARED for row in family.MUTATIONS if row.id not in ABOUT_CLAUSES]
    found = (*(row for family in OWN for row in family.MUTATIONS), *shared)
    return tuple(replace(row, permutes=False, light=True) if row.permutes else row for row in found)


def registry(parameters: Sequence[Parameter] = ()) -> Registry:
    """Return the mutations of all families, and these parameters of the solvers under test."""
    return Registry(rows(), parameters)
