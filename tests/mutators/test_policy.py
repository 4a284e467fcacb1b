"""Policies: all begin with every kind equally likely, and learn from what opened a trace."""

import json
from collections import Counter

import numpy as np
import pytest
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.mutators.mutation import Kind
from chcfuzz.mutators.policy import OPENED, POLICIES, TRIED, Bandit, Equal, HornFuzz, Rows, context_of, contexts
from chcfuzz.mutators.recipe import Recipe, Step
from chcfuzz.mutators.registry import Registry


@pytest.fixture
def numbered(rows: Registry) -> Rows:
    return Rows.of(rows)


def chance(number: int) -> Choices:
    return Choices(b"", str(number).encode())


@pytest.mark.parametrize("name", sorted(POLICIES))
def test_weights_add_up_and_leave_out_no_row(numbered: Rows, name: str) -> None:
    policy = POLICIES[name](numbered)
    for context in range(len(contexts())):
        weights = policy.weights(context)
        assert weights.sum() == pytest.approx(1)
        assert (weights > 0).all()


@pytest.mark.parametrize("name", ["equal", "hornfuzz"])
def test_kinds_are_equally_likely(numbered: Rows, name: str) -> None:
    weights = POLICIES[name](numbered).weights(0)
    for kind in range(len(Kind)):
        assert weights[numbered.kinds == kind].sum() == pytest.approx(1 / len(Kind))


def test_choices_follow_the_weights(numbered: Rows) -> None:
    policy = Equal(numbered)
    kinds = Counter(
        numbered.kinds[numbered.ids.index(policy.choose(chance(number), 0, lambda _row: True))]
        for number in range(3000)
    )
    assert all(0.9 < count * len(Kind) / 3000 < 1.1 for count in kinds.values())
    assert len(kinds) == len(Kind)


@pytest.mark.slow
def test_rows_that_apply_are_drawn_by_their_weights_and_no_others(numbered: Rows) -> None:
    policy = Equal(numbered)
    wanted = ("boolean.swap-and", "interrogation.core", "parameter.fp.spacer.ctp")
    drawn = Counter(policy.choose(chance(number), 0, wanted.__contains__) for number in range(4000))
    weights = dict(zip(numbered.ids, policy.weights(0), strict=True))
    total = sum(weights[row] for row in wanted)
    assert set(drawn) == set(wanted)
    assert all(drawn[row] / 4000 == pytest.approx(weights[row] / total, abs=0.04) for row in wanted)


def test_if_no_row_applies_one_is_still_chosen(numbered: Rows) -> None:
    assert Equal(numbered).choose(chance(1), 0, lambda _row: False) in numbered.ids


def test_hornfuzz_weights_are_its_formula(numbered: Rows) -> None:
    policy = HornFuzz(numbered)
    fresh = numbered.empty()
    fresh[0, 0], fresh[1, 0] = (4, 1), (4, 3)
    policy.learn(fresh)
    known = policy.state()["weights"]
    assert isinstance(known, dict)
    assert known[numbered.ids[0]] == pytest.approx(0.62 * 0.1 + 0.38 * 0.5)
    assert known[numbered.ids[1]] == 0.1, "not tried, not changed"


def test_hornfuzz_counts_all_applications_of_the_campaign_also_after_a_restart(numbered: Rows) -> None:
    policy, again = HornFuzz(numbered), HornFuzz(numbered)
    fresh, later = numbered.empty(), numbered.empty()
    fresh[0, 0], fresh[0, 1], later[1, 0] = (4, 4), (2, 1), (4, 0)
    policy.learn(fresh)
    again.resume(json.loads(json.dumps(policy.state())))
    for each in (policy, again):
        each.learn(later)
        known = each.state()["weights"]
        assert isinstance(known, dict)
        assert known[numbered.ids[0]] == pytest.approx(0.62 * (0.62 * 0.1 + 0.38 * 1) + 0.38 * 0.5, abs=1e-5)
        assert known[numbered.ids[1]] == pytest.approx(0.62 * (0.62 * 0.1 + 0.38 * 0.5) + 0.38 * 0.5, abs=1e-5)


def test_the_bandit_prefers_what_opened_traces_here(numbered: Rows) -> None:
    policy = Bandit(numbered)
    before = policy.weights(0).copy()
    fresh = numbered.empty()
    fresh[0, :, TRIED] = 50
    fresh[0, 3, OPENED] = 40
    policy.learn(fresh)
    assert policy.weights(0)[3] > 5 * before[3]
    assert policy.weights(0)[3] > policy.weights(1)[3] > before[3], "other contexts learn from it, but less"


def test_the_bandit_weights_families_by_the_mean_rate_of_their_rows_not_by_their_number(numbered: Rows) -> None:
    policy = Bandit(numbered)
    simplify, rules = (np.array([row.startswith(family) for row in numbered.ids]) for family in ("simplify", "rules"))
    assert simplify.sum() > 10 * rules.sum()
    fresh = numbered.empty()
    fresh[:, :, TRIED] = 10_000
    fresh[:, :, OPENED] = 1000
    fresh[:, rules, OPENED] = 4000
    policy.learn(fresh)
    learned = policy.weights(0) - 0.25 * Equal(numbered).weights(0)
    assert learned[rules].sum() / learned[simplify].sum() == pytest.approx(0.42 / 0.12, rel=0.01)


def test_the_bandit_weights_interrogation_by_traces_for_its_cost(numbered: Rows) -> None:
    policy = Bandit(numbered)
    asking = numbered.kinds == list(Kind).index(Kind.INTERROGATION)
    rules = np.array([row.startswith("rules") for row in numbered.ids])
    fresh = numbered.empty()
    fresh[:, :, TRIED] = 10_000
    fresh[:, :, OPENED] = 3000
    policy.learn(fresh)
    learned = policy.weights(0) - 0.25 * Equal(numbered).weights(0)
    assert learned[rules].sum() / learned[asking].sum() == pytest.approx(3)


def test_the_bandit_leaves_parameters_the_share_of_the_plain_choice(numbered: Rows) -> None:
    policy = Bandit(numbered)
    parameters = numbered.kinds == list(Kind).index(Kind.PARAMETER)
    fresh = numbered.empty()
    fresh[:, :, TRIED] = 10_000
    fresh[:, ~parameters, OPENED] = 4000
    policy.learn(fresh)
    assert policy.weights(0)[parameters].sum() == pytest.approx(1 / len(Kind))


def test_the_bandit_forgets(numbered: Rows) -> None:
    policy = Bandit(numbered)
    fresh = numbered.empty()
    fresh[0, :, TRIED] = 50
    fresh[0, 3, OPENED] = 40
    policy.learn(fresh)
    fresh[0, 3, OPENED] = 0
    liked = policy.weights(0)[3]
    for _ in range(200):
        policy.learn(fresh)
    assert policy.weights(0)[3] < liked / 3


@pytest.mark.parametrize("name", sorted(POLICIES))
def test_a_restart_continues_with_the_same_weights(numbered: Rows, name: str) -> None:
    policy, again = POLICIES[name](numbered), POLICIES[name](numbered)
    fresh = numbered.empty()
    fresh[2, 5], fresh[0, 7] = (9, 4), (3, 0)
    policy.learn(fresh)
    again.resume(json.loads(json.dumps(policy.state())))
    assert np.allclose(policy.weights(2), again.weights(2), atol=1e-4)


@pytest.mark.parametrize("name", sorted(POLICIES))
def test_rows_that_a_state_lacks_start_from_the_beginning(numbered: Rows, name: str) -> None:
    policy = POLICIES[name](numbered)
    policy.resume({"weights": {"gone": 0.5}, "tallies": [[0, "gone", 3, 1], [len(contexts()), numbered.ids[0], 3, 1]]})
    assert np.allclose(policy.weights(0), POLICIES[name](numbered).weights(0))


def test_the_context_is_theory_and_last_step(rows: Registry) -> None:
    system = parse(BUILT_IN[3])
    assert contexts()[context_of(system, Recipe(BUILT_IN[3]), rows)] == "Arrays, after start"
    chain = Recipe(BUILT_IN[0], (Step("order.swap-clauses", b""), Step("simplify.plain", b"")))
    assert contexts()[context_of(parse(BUILT_IN[0]), chain, rows)] == "LIA, after rewrite"
