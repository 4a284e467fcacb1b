"""Roots that a domain draws: a change of a recipe, stored as text."""

from chcfuzz.domains.smt.rows.registry import rows
from chcfuzz.grammar.reading import parse
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.changes import CHANGES, Around
from chcfuzz.mutators.custom import chance
from chcfuzz.mutators.policy import Equal, Rows
from chcfuzz.mutators.recently_used import RecentlyUsed
from chcfuzz.mutators.recipe import Recipe, decode, encode, read
from chcfuzz.mutators.registry import Registry
from chcfuzz.mutators.roots import active

from tests.domains.smt.rows.judge import smt_roots

REGISTRY = Registry(rows(), ())


def around() -> Around:
    """Return what a change may use in the domain of this process."""
    return Around(Chains(REGISTRY), Equal(Rows.of(REGISTRY)), RecentlyUsed(100, []), None)


(CHANGE,) = (row for row in CHANGES if row.description == "draw another root")


def test_a_recipe_gets_a_drawn_root_as_its_text() -> None:
    with smt_roots():
        old = Recipe(active().built_in[0])
        assert CHANGE.applies(old, around())
        found = [CHANGE.make(old, chance(b"", seed), around()) for seed in range(20)]
        assert len({recipe.seed for recipe in found}) > 15
        for recipe in found:
            assert active().print(parse.problem(recipe.seed)) == recipe.seed
            assert decode(encode(recipe)) == recipe


def test_other_domains_draw_no_roots() -> None:
    assert not CHANGE.applies(Recipe(active().built_in[0]), around())


def test_a_unit_that_is_decoded_later_keeps_the_domain_in_which_it_was_read() -> None:
    with smt_roots():
        unit, built_in = read(b"any bytes"), active().built_in
    assert unit.recipe.seed in built_in
    assert read(b"any bytes").recipe.seed in active().built_in
