"""Chains and parameters: nothing is left that is not needed, and numbers stand near their defaults."""

from itertools import combinations

import pytest
from chcfuzz.mutators.recipe import Step
from chcfuzz.triage.shrink.recipe import Parameters, reduce_chain, reduce_parameters

CHAIN = tuple(Step(f"boolean.row-{number}", bytes([number])) for number in range(30))


def test_a_chain_keeps_the_steps_that_are_needed_in_their_order() -> None:
    needed = (CHAIN[2], CHAIN[11], CHAIN[29])
    assert reduce_chain(CHAIN, lambda steps: set(needed) <= set(steps)) == needed


def test_a_chain_is_minimal_where_a_step_needs_another_before_it() -> None:
    def keeps(steps: tuple[Step, ...]) -> bool:
        present = {step.choices[0] for step in steps}
        return 20 in present and all(number - 5 in present for number in present if number > 4)

    found = reduce_chain(CHAIN, keeps)
    assert [step.choices[0] for step in found] == [0, 5, 10, 15, 20]
    assert not any(keeps(rest) for rest in combinations(found, 4))


def test_equal_steps_of_a_chain_are_told_apart() -> None:
    again = (CHAIN[1], CHAIN[2], CHAIN[1], CHAIN[1])
    assert reduce_chain(again, lambda steps: steps.count(CHAIN[1]) >= 2) == (CHAIN[1], CHAIN[1])


def test_of_two_ways_to_keep_it_the_earlier_steps_stay() -> None:
    assert reduce_chain(CHAIN, lambda steps: CHAIN[3] in steps or CHAIN[20] in steps) == (CHAIN[3],)


def test_a_chain_that_is_not_needed_is_empty() -> None:
    assert reduce_chain(CHAIN, lambda _steps: True) == ()
    assert reduce_chain((), lambda _steps: True) == ()


PARAMETERS = (
    ("fp.spacer.ctp", "false"),
    ("fp.spacer.random_seed", "4711"),
    ("fp.spacer.restart_initial_threshold", "1"),
    ("fp.xform.slice", "false"),
)


def test_parameters_that_are_not_needed_go() -> None:
    wanted = {("fp.xform.slice", "false"), ("fp.spacer.ctp", "false")}
    found = reduce_parameters(PARAMETERS, lambda given: wanted <= set(given))
    assert found == (("fp.spacer.ctp", "false"), ("fp.xform.slice", "false"))


@pytest.mark.parametrize(("least", "found"), [(1, "1"), (2, "2"), (1000, "1000"), (4710, "4710"), (4711, "4711")])
def test_numbers_go_towards_zero_where_no_default_is_told(least: int, found: str) -> None:
    def keeps(given: Parameters) -> bool:
        return int(dict(given).get("fp.spacer.random_seed", "0")) >= least

    assert reduce_parameters(PARAMETERS, keeps) == (("fp.spacer.random_seed", found),)


def test_numbers_go_towards_their_defaults_from_below() -> None:
    def keeps(given: Parameters) -> bool:
        return int(dict(given).get("fp.spacer.restart_initial_threshold", "10")) < 8

    found = reduce_parameters(PARAMETERS, keeps, {"fp.spacer.restart_initial_threshold": "10"})
    assert found == (("fp.spacer.restart_initial_threshold", "7"),)


def test_a_switch_that_is_needed_is_no_number_whatever_its_default() -> None:
    switch = ("fp.xform.slice", "false")
    assert reduce_parameters(PARAMETERS, lambda given: switch in given, {"fp.xform.slice": "true"}) == (switch,)


def test_no_set_of_parameters_is_asked_about_twice() -> None:
    asked = []

    def keeps(given: Parameters) -> bool:
        asked.append(given)
        return ("fp.xform.slice", "false") in given and int(dict(given).get("fp.spacer.random_seed", "0")) > 40

    assert reduce_parameters(PARAMETERS, keeps)[0] == ("fp.spacer.random_seed", "41")
    assert len(asked) == len(set(asked))
