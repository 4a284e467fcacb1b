"""The budget of parameters: shares of work, the free start, and rare switches."""

from collections import Counter

import pytest
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.budget import (
    ACCEPTED_SHARE,
    DEFAULT_SHARE,
    FREE,
    ONE_IN,
    Pairs,
    ParameterBudget,
    ParameterStanding,
    standing_of,
)
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.recipe import Recipe

PLAIN = ("fp.xform.inline_eager", "false")
OTHER = ("fp.xform.slice", "false")
UNSUPPORTED = ("fp.spacer.gpdr", "true")
STRANGE = ("fp.strange", "true")


def stream(number: int) -> Choices:
    return Choices(b"", number.to_bytes(2, "little"))


def recipe(*parameters: tuple[str, str]) -> Recipe:
    return Recipe(BUILT_IN[0], (), tuple(parameters))


@pytest.mark.parametrize(
    ("parameters", "standing"),
    [
        ((), ParameterStanding.DEFAULT),
        ((PLAIN,), ParameterStanding.SWITCH),
        ((STRANGE,), ParameterStanding.SWITCH),
        ((UNSUPPORTED,), ParameterStanding.BEYOND),
        ((PLAIN, OTHER), ParameterStanding.BEYOND),
    ],
)
def test_maintainers_accept_one_plain_switch(chains: Chains, parameters: Pairs, standing: ParameterStanding) -> None:
    assert standing_of(parameters, chains.registry) is standing


def worked(
    budget: ParameterBudget, chains: Chains, runs: int, *parameters: tuple[str, str]
) -> Counter[ParameterStanding]:
    """Execute mutants that all want the same parameters, and return how many have which standing."""
    came = Counter[ParameterStanding]()
    for number in range(runs):
        given = budget.within(recipe(*parameters), stream(number)).parameters
        budget.spend(given, 1000)
        came[standing_of(given, chains.registry)] += 1
    return came


def test_work_under_default_parameters_keeps_its_share(chains: Chains) -> None:
    came = worked(ParameterBudget(chains.registry, limits=True, done=FREE), chains, 1000, PLAIN)
    assert came[ParameterStanding.DEFAULT] == pytest.approx(1000 * DEFAULT_SHARE, abs=2)
    assert came[ParameterStanding.SWITCH] == pytest.approx(1000 * (1 - DEFAULT_SHARE), abs=2)


def test_several_switches_become_one_plain_one(chains: Chains) -> None:
    came = worked(ParameterBudget(chains.registry, limits=True, done=FREE), chains, 1000, PLAIN, UNSUPPORTED)
    assert came[ParameterStanding.BEYOND] == pytest.approx(1000 * (1 - ACCEPTED_SHARE), abs=2)
    assert came[ParameterStanding.DEFAULT] == pytest.approx(1000 * DEFAULT_SHARE, abs=2)
    assert sum(came.values()) == 1000


def test_unsupported_switches_alone_leave_default_parameters(chains: Chains) -> None:
    came = worked(ParameterBudget(chains.registry, limits=True, done=FREE), chains, 1000, UNSUPPORTED)
    assert came[ParameterStanding.SWITCH] == 0
    assert came[ParameterStanding.BEYOND] == pytest.approx(1000 * (1 - ACCEPTED_SHARE), abs=2)


def test_costly_executions_count_more(chains: Chains) -> None:
    budget = ParameterBudget(chains.registry, limits=True, done=FREE)
    budget.spend((), 10**6)
    assert budget.has_room_for_a_switch
    budget.spend((PLAIN,), 10**8)
    assert not budget.has_room_for_a_switch


def test_the_first_executions_of_a_campaign_are_free(chains: Chains) -> None:
    budget = ParameterBudget(chains.registry, limits=True)
    assert worked(budget, chains, FREE, PLAIN, OTHER) == {ParameterStanding.BEYOND: FREE}
    assert worked(budget, chains, 1, PLAIN, OTHER) == {ParameterStanding.DEFAULT: 1}


def test_without_limits_recipes_stay_as_they_are(chains: Chains) -> None:
    budget = ParameterBudget(chains.registry, limits=False)
    assert worked(budget, chains, 500, PLAIN, OTHER) == {ParameterStanding.BEYOND: 500}


def test_a_rare_switch_stays_in_few_recipes_even_without_limits(chains: Chains) -> None:
    budget = ParameterBudget(chains.registry, limits=False)
    budget.make_rare({PLAIN[0]})
    assert budget.is_rare(PLAIN[0])
    given = [budget.within(recipe(PLAIN, OTHER), stream(number)).parameters for number in range(2000)]
    assert all(OTHER in parameters for parameters in given)
    assert sum(PLAIN in parameters for parameters in given) == pytest.approx(2000 / ONE_IN, abs=40)
