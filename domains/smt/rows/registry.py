"""The rows for SMT problems: their own families, and those rows for CHC systems that rewrite formulas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chcfuzz.domains.smt.rows import arguments as smt_arguments
from chcfuzz.domains.smt.rows import constant as smt_constant
from chcfuzz.domains.smt.rows import floats as smt_floats
from chcfuzz.domains.smt.rows import functions as smt_functions
from chcfuzz.domains.smt.rows import fusion as smt_fusion
from chcfuzz.domains.smt.rows import learned as smt_learned
from chcfuzz.domains.smt.rows import logic as smt_logic
from chcfuzz.domains.smt.rows import models as smt_models
from chcfuzz.domains.smt.rows import monotone as smt_monotone
from chcfuzz.domains.smt.rows import names as smt_names
from chcfuzz.domains.smt.rows import numbers as smt_numbers
from chcfuzz.domains.smt.rows import operator as smt_operator
from chcfuzz.domains.smt.rows import order as smt_order
from chcfuzz.domains.smt.rows import patterns as smt_patterns
from chcfuzz.domains.smt.rows import positions as smt_positions
from chcfuzz.domains.smt.rows import quantifiers as smt_quantifiers
from chcfuzz.domains.smt.rows import sets as smt_sets
from chcfuzz.domains.smt.rows import shape as smt_shape
from chcfuzz.domains.smt.rows import strings as smt_strings
from chcfuzz.domains.smt.rows import subterm as smt_subterm
from chcfuzz.domains.smt.rows import values as smt_values
from chcfuzz.domains.smt.rows import vectors as smt_vectors
from chcfuzz.mutators.families import arithmetic, bait, boolean, quantifiers, shapes
from chcfuzz.mutators.mutation import Mutation, Needs, Parameter
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
    smt_floats,
    smt_strings,
    smt_positions,
    smt_sets,
)
SHARED = (boolean, arithmetic, quantifiers, bait, shapes)  # families of CHC systems
OFFERED = (Needs.FORMULAS, Needs.ASSERTIONS, Needs.CHECK_SAT)


def rows() -> tuple[Mutation, ...]:
    """Return the mutations of all families; permutations get no share of their own, unlike in CHC systems."""
    shared = [row for family in SHARED for row in family.MUTATIONS if row.needs in OFFERED]
    found = (*(row for family in OWN for row in family.MUTATIONS), *shared)
    return tuple(replace(row, permutes=False, light=True) if row.permutes else row for row in found)


def registry(parameters: Sequence[Parameter] = ()) -> Registry:
    """Return the mutations of all families, and these parameters of the solvers under test."""
    return Registry(rows(), parameters)
