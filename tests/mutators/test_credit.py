"""Shares of strategies follow the signs of bugs that their mutants show."""

from collections import Counter

from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.credit import MOST, Credit, Signs
from chcfuzz.mutators.portfolio import Portfolio, Strategy

NOTHING, UNKNOWN, WRONG = Signs(), Signs(is_unknown=True), Signs(contradicts=True, costs_more=True)


def credit() -> Credit[str]:
    return Credit({"a": 50, "b": 25, "c": 25})


def shares(given: Credit[str]) -> dict[str, float]:
    weights = given.weights()
    return {name: weight / sum(weights.values()) for name, weight in weights.items()}


def test_without_signs_the_shares_are_those_that_were_given() -> None:
    given = credit()
    for _ in range(200):
        given.executed("a", NOTHING)
    assert shares(given) == {"a": 0.5, "b": 0.25, "c": 0.25}


def test_equal_rates_do_not_change_the_shares() -> None:
    given = credit()
    for number in range(300):
        for name in ("a", "b", "c"):
            given.executed(name, UNKNOWN if number % 10 == 0 else NOTHING)
    assert shares(given) == {"a": 0.5, "b": 0.25, "c": 0.25}


def test_a_strategy_whose_mutants_show_more_signs_gets_a_larger_share() -> None:
    given = credit()
    for number in range(200):
        given.executed("a", NOTHING)
        given.executed("b", WRONG if number % 4 == 0 else NOTHING)
        given.executed("c", UNKNOWN if number % 4 == 0 else NOTHING)
    assert shares(given)["b"] > 0.4
    assert shares(given)["b"] > shares(given)["a"]
    assert 0.1 < shares(given)["c"] < 0.25


def test_no_share_is_more_than_doubled_or_halved() -> None:
    given = credit()
    for _ in range(1000):
        given.executed("a", NOTHING)
        given.executed("b", WRONG)
        given.executed("c", NOTHING)
    start = credit().weights()
    assert given.weights() == {"a": start["a"] / MOST, "b": start["b"] * MOST, "c": start["c"] / MOST}


def test_a_few_signs_change_little() -> None:
    given = credit()
    given.executed("a", NOTHING)
    given.executed("b", UNKNOWN)
    assert abs(shares(given)["b"] - 0.25) < 0.01


def test_a_portfolio_that_adapts_draws_by_credit(chains: Chains) -> None:
    fixed = {Strategy.SWARM: 1, Strategy.NOVELTY: 1}
    given = Portfolio(chains, chains.registry, fixed)
    given.adapt()
    assert given.credit is not None
    for _ in range(400):
        given.credit.executed(Strategy.SWARM, WRONG)
        given.credit.executed(Strategy.NOVELTY, NOTHING)
    drawn = Counter(given.choose(Choices(b"", number.to_bytes(2, "little"))) for number in range(1000))
    assert drawn[Strategy.SWARM] > 3 * drawn[Strategy.NOVELTY] > 300
