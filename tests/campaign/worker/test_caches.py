"""The caches of a worker are bounded, and drop what was not used for longest."""

from chcfuzz.campaign.worker.caches import Caches


def test_membership_of_a_cache_is_not_a_use() -> None:
    costs = Caches().costs
    for number in range(20_000):
        costs[str(number)] = number
    assert "0" in costs  # the mutator checks which mutants are known, and must not change which ones stay
    costs["new"] = 1
    assert "0" not in costs
    assert "1" in costs


def test_a_worker_forgets_the_executions_that_it_used_least_recently() -> None:
    costs = Caches().costs
    for number in range(25_000):
        costs["used again and again"] = -1
        costs[str(number)] = number
    assert len(costs) == 20_000
    assert costs.get("used again and again") == -1
    assert (costs.get("0"), costs.get("24999")) == (None, 24_999)
