"""Systems beside a finding's: well-formed, different, the same each time."""

from pathlib import Path

from chcfuzz.domains.chc.domain import DOMAIN
from chcfuzz.domains.chc.rows.registry import registry
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.triage.locate.neighbours import answered, edited, mutated
from chcfuzz.triage.shrink.passes import PASSES

from tests.triage.examine.test_examination import SAT

RECIPE = Recipe(print_system(parse(SAT, "sat")), (), (("fp.spacer.ctp", "false"),))


def test_edits_are_systems_of_several_passes_and_no_two_are_alike() -> None:
    found = edited(DOMAIN, RECIPE, 12)
    texts = [neighbour.recipe.seed for neighbour in found]
    assert len(set(texts)) == len(texts) == 12
    assert RECIPE.seed not in texts
    assert len({neighbour.name.partition(" (")[0] for neighbour in found} & {one.name for one in PASSES}) > 4
    for neighbour in found:
        assert print_system(parse(neighbour.recipe.seed, "edited")) == neighbour.recipe.seed
        assert neighbour.recipe.parameters == RECIPE.parameters
        assert not neighbour.is_known


def test_mutations_keep_the_answer_and_change_the_system() -> None:
    found = mutated(registry(), RECIPE, "sat", 8)
    assert len({neighbour.name for neighbour in found}) == len(found) == 8
    for neighbour in found:
        assert neighbour.recipe.seed != RECIPE.seed
        assert neighbour.recipe.parameters == RECIPE.parameters
        assert neighbour.is_known


def test_they_are_the_same_each_time() -> None:
    assert edited(DOMAIN, RECIPE, 20) == edited(DOMAIN, RECIPE, 20)
    assert mutated(registry(), RECIPE, "unsat", 20) == mutated(registry(), RECIPE, "unsat", 20)


def test_seeds_with_an_answer_are_evenly_spread_and_have_the_parameters(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"{number:02}.smt2").write_text(f"(set-info :status {'unsat' if number % 2 else 'sat'}); {number}")
    recipe = Recipe("", (), (("fp.xform.slice", "false"),))
    found = answered(tmp_path, recipe, "unsat", 3)
    assert [neighbour.name for neighbour in found] == ["01.smt2", "07.smt2", "13.smt2"]
    assert {neighbour.recipe.parameters for neighbour in found} == {recipe.parameters}
    assert answered(None, recipe, "unsat", 3) == ()
