"""The variants of a finding, and the result of a release on all of them."""

from chcfuzz.domains.chc.domain import DOMAIN
from chcfuzz.domains.smt.domain import DOMAIN as SMT
from chcfuzz.execution.solving import Solving
from chcfuzz.mutators import roots
from chcfuzz.mutators.recipe import Recipe, Step
from chcfuzz.triage.locate.finding_variants import variants

from tests.triage.examine.test_examination import SAT
from tests.triage.shrink.test_variants import PROBLEM

SEED, SLICE = "fp.spacer.random_seed", ("fp.xform.slice", "false")


def test_a_system_has_variants_in_names_orders_and_random_seeds() -> None:
    found = variants(DOMAIN, Solving(), Recipe(SAT, (), (SLICE,)))
    assert [each.name for each in found][-2:] == [f"{SEED}=1", f"{SEED}=2"]
    assert len(found) <= 8
    assert found[-1].recipe.parameters == ((SEED, "2"), SLICE)
    assert {each.recipe.parameters for each in found[:-2]} == {(SLICE,)}
    assert all(each.is_known for each in found)


def test_the_random_seed_of_the_finding_is_not_a_variant() -> None:
    found = variants(DOMAIN, Solving(), Recipe(SAT, (), ((SEED, "1"),)))
    assert [each.name for each in found][-2:] == [f"{SEED}=2", f"{SEED}=48"]


def test_a_unit_with_steps_has_other_random_seeds_alone() -> None:
    found = variants(DOMAIN, Solving(), Recipe(SAT, (Step("boolean.dup-and", b"", b"k"),)))
    assert [each.name for each in found] == [f"{SEED}=1", f"{SEED}=2"]


def test_the_random_seeds_of_an_smt_solver_are_changed_together() -> None:
    roots.activate(SMT.roots)
    found = variants(SMT, Solving(domain="smt"), Recipe(PROBLEM, (), (("solver", "z3"),)))
    assert [each.name for each in found][-1] == "z3.sat.random_seed=7, z3.smt.random_seed=7"
