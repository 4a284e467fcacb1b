"""Neighbours of SMT problems: half of them exchange something, the others keep answers or are light as well."""

from collections import Counter

import pytest
from chcfuzz.domains.smt.rows.registry import rows
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.custom import chance
from chcfuzz.mutators.mutation import Promise
from chcfuzz.mutators.neighbourhood import EXCHANGES, Neighbourhood
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.mutators.registry import Registry
from chcfuzz.mutators.roots import active

from tests.domains.smt.rows.judge import smt_roots


def test_half_of_the_neighbours_exchange_something_by_type() -> None:
    registry = Registry(rows(), ())
    with smt_roots():
        near = Neighbourhood(Chains(registry), registry)
        steps = [near.neighbour(Recipe(active().built_in[0]), chance(b"", n)).steps for n in range(400)]
    promises = Counter(row.promise for each in steps if each and (row := registry.get(each[0].mutation)))
    families = Counter(each[0].mutation.partition(".")[0] for each in steps if each)
    assert promises[Promise.NOTHING] == pytest.approx(200, abs=50)
    assert {"smt_operator", "smt_constant", "smt_subterm", "smt_logic", "smt_functions", "smt_order"} <= set(families)


def test_the_first_exchanges_on_a_root_are_single_steps() -> None:
    """Rows for positions in strings do not apply to a root of integers, and take no turns of the others."""
    families = ("smt_operator", "smt_values", "smt_positions")
    registry = Registry([row for row in rows() if row.family in families], ())
    with smt_roots():
        near = Neighbourhood(Chains(registry), registry)
        steps = [len(near.neighbour(Recipe(active().built_in[0]), chance(b"", n)).steps) for n in range(2 * EXCHANGES)]
    assert set(steps[:EXCHANGES]) == {1}
    assert set(steps[EXCHANGES:]) == {1, 2, 3}
