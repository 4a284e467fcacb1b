"""Strategies of the mutator: their shares, the neighbours of a root, and halves of the families."""

from collections import Counter
from dataclasses import replace

import pytest
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.grammar.choices import Choices
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.custom import Mutator
from chcfuzz.mutators.mutation import Kind, Parameter, Promise, Scope
from chcfuzz.mutators.neighbourhood import FIRST, NEAR, Neighbourhood
from chcfuzz.mutators.policy import Equal, Rows
from chcfuzz.mutators.portfolio import BREADTH_FIRST, SWARM_RUNS, Portfolio, Shares, Strategy, Swarm
from chcfuzz.mutators.recently_used import RecentlyUsed
from chcfuzz.mutators.recipe import Recipe, Step, canonical, decode, encode
from chcfuzz.mutators.registry import Registry
from chcfuzz.mutators.seeds import canonical_seed
from chcfuzz.solvers.z3_parameters import ENGINE

SEED = canonical(Recipe(BUILT_IN[0]))
LONG = canonical(Recipe(BUILT_IN[0], tuple(Step("names.rename-predicate", bytes([n])) for n in range(NEAR))))


def stream(number: int) -> Choices:
    return Choices(b"", number.to_bytes(2, "little"))


def portfolio(chains: Chains, shares: Shares) -> Portfolio:
    return Portfolio(Neighbourhood(chains, chains.registry), shares)


def mutator(chains: Chains, shares: Shares, seed: str = SEED.seed) -> Mutator:
    used = RecentlyUsed[str](100, (seed,))
    return Mutator(chains, Equal(Rows.of(chains.registry)), (), used, portfolio(chains, shares))


def test_a_worker_begins_with_neighbours_and_then_chooses_by_shares(chains: Chains) -> None:
    given = portfolio(chains, {Strategy.NEIGHBOURHOOD: 1, Strategy.SWARM: 1, Strategy.NOVELTY: 2})
    assert {given.choose(stream(n)) for n in range(BREADTH_FIRST)} == {Strategy.NEIGHBOURHOOD}
    later = Counter(given.choose(stream(n)) for n in range(2000))
    assert later[Strategy.NOVELTY] == pytest.approx(1000, abs=120)
    assert later[Strategy.SWARM] == pytest.approx(500, abs=120)


def test_a_strategy_without_a_share_is_never_chosen(chains: Chains) -> None:
    given = portfolio(chains, {Strategy.NEIGHBOURHOOD: 0, Strategy.NOVELTY: 1})
    assert {given.choose(stream(n)) for n in range(300)} == {Strategy.NOVELTY}


def test_without_rows_for_neighbours_every_mutation_is_of_another_strategy(chains: Chains) -> None:
    rewrites = chains.registry.limited([Kind.REWRITE])
    given = Portfolio(Neighbourhood(chains, rewrites), {Strategy.NEIGHBOURHOOD: 1})
    assert given.choose(stream(0)) is Strategy.NOVELTY


def test_each_parameter_in_scope_is_set_once_on_a_root_before_any_is_set_again(chains: Chains) -> None:
    near = Neighbourhood(chains, chains.registry)
    wanted = {row.name for row in chains.registry.parameters if row.scope is not Scope.EXPERIMENTAL and not row.needs}
    neighbours = [near.neighbour(SEED, stream(n)) for n in range(400)]
    names = [recipe.parameters[0][0] for recipe in neighbours if recipe.parameters]
    assert len(names) > len(wanted)
    assert sorted(names[: len(wanted)]) == sorted(wanted)


def test_a_root_tries_a_random_part_of_many_parameters_first(chains: Chains) -> None:
    rows = tuple(Parameter(f"fp.p{n}", "0", ("1",), Scope.SINGLE_SWITCH, "made up") for n in range(3 * FIRST))
    near = Neighbourhood(chains, Registry(chains.registry.mutations, rows))
    neighbours = [near.neighbour(SEED, stream(n)) for n in range(900)]
    early = [recipe.parameters[0][0] for recipe in neighbours[: 3 * FIRST] if recipe.parameters]
    assert len(set(early)) >= FIRST
    later = sum(bool(recipe.parameters) for recipe in neighbours[300:])
    assert later == pytest.approx(150, abs=40)


def test_a_campaign_begins_with_neighbours_only_once(chains: Chains) -> None:
    given = Portfolio(
        Neighbourhood(chains, chains.registry),
        {Strategy.NEIGHBOURHOOD: 1, Strategy.NOVELTY: 1},
        lambda: BREADTH_FIRST - 2,
    )
    while_reading = {given.choose_while_reading(stream(n)) for n in range(20)}
    assert while_reading == {Strategy.NEIGHBOURHOOD}, "they are not counted"
    assert {given.choose(stream(n)) for n in range(2)} == {Strategy.NEIGHBOURHOOD}
    assert Strategy.NOVELTY in {given.choose(stream(n)) for n in range(20)}


def test_most_mutants_of_a_system_that_goes_to_the_datalog_engine_select_spacer(chains: Chains) -> None:
    text = "(declare-fun p ((_ BitVec 4)) Bool)(assert (p #x0))(assert (=> (p #xf) false))"
    seeds = {True: Recipe(canonical_seed(text)), False: SEED}
    for is_usual, seed in seeds.items():
        for shares in ({Strategy.NEIGHBOURHOOD: 1}, {Strategy.NOVELTY: 1}):
            given = mutator(chains, shares, seed.seed)
            made = [decode(given.mutate(encode(seed), 10_000, n)) for n in range(40)]
            fits = [
                recipe
                for recipe in made
                if chains.registry.applies(f"parameter.{ENGINE[0]}", chains.apply(recipe).problem)
            ]
            selecting = [recipe for recipe in fits if ENGINE in recipe.parameters]
            assert len(fits) / 2 < len(selecting) < len(fits) if is_usual else not fits


def test_a_crossover_may_be_a_neighbour(chains: Chains) -> None:
    near = mutator(chains, {Strategy.NEIGHBOURHOOD: 1})
    other = encode(canonical(Recipe(BUILT_IN[1])))
    made = [decode(near.crossover(encode(SEED), other, 4096, n)) for n in range(30)]
    assert all(recipe.steps == () or len(recipe.steps) <= NEAR for recipe in made)
    assert len({encode(recipe) for recipe in made}) > 20


def test_other_chance_gives_a_root_its_parameters_in_another_order(chains: Chains) -> None:
    def names(first: int) -> list[str]:
        near = Neighbourhood(chains, chains.registry)
        found = [near.neighbour(SEED, stream(first + n)).parameters for n in range(40)]
        return [pairs[0][0] for pairs in found if pairs]

    assert names(0) == names(0) != names(1000)


def test_every_row_that_applies_has_its_turn_on_a_root_before_any_row_has_another_round(chains: Chains) -> None:
    near = Neighbourhood(chains, chains.registry)
    problem = chains.apply(SEED).problem
    keeps = (Promise.EQUIVALENT, Promise.EQUISATISFIABLE)
    rows = [row for row in chains.registry.mutations if row.kind is Kind.OWN and row.applies(problem)]
    wanted = [row for row in rows if (row.promise in keeps and not row.takes_system) or row.permutes or row.light]
    turns = sum(2 if row.permutes else 1 for row in wanted)
    neighbours = [near.neighbour(SEED, stream(n), may_set=False) for n in range(turns)]
    assert all(len(recipe.steps) == 1 for recipe in neighbours)
    had = Counter(recipe.steps[0].mutation for recipe in neighbours)
    assert had == {row.id: 2 if row.permutes else 1 for row in wanted}


def test_half_of_the_neighbours_set_a_parameter_from_the_first_neighbour_on(chains: Chains) -> None:
    near = Neighbourhood(chains, chains.registry)
    neighbours = [near.neighbour(SEED, stream(n)) for n in range(60)]
    assert sum(bool(recipe.parameters) for recipe in neighbours) == pytest.approx(30, abs=12)


def test_every_second_parameter_has_a_step_beside_it_in_the_first_round_of_rows_and_none_later(chains: Chains) -> None:
    near = Neighbourhood(chains, chains.registry)
    neighbours = [near.neighbour(SEED, stream(n)) for n in range(700)]
    steps = [len(recipe.steps) for recipe in neighbours if recipe.parameters]
    assert sum(steps[:20]) == pytest.approx(10, abs=8)
    assert set(steps[:20]) == {0, 1}
    assert set(steps[-40:]) == {0}


def test_a_unit_with_a_long_chain_is_replaced_by_its_root(chains: Chains) -> None:
    near = Neighbourhood(chains, chains.registry)
    neighbours = [near.neighbour(LONG, stream(n)) for n in range(300)]
    assert all(recipe.steps[:1] != LONG.steps[:1] or len(recipe.steps) <= 3 for recipe in neighbours)
    short = Recipe(LONG.seed, LONG.steps[:1])
    kept = [near.neighbour(short, stream(n)) for n in range(400)]
    assert any(recipe.steps[:1] == short.steps for recipe in kept)


def test_roots_that_were_offered_have_their_turns_whichever_unit_is_mutated(chains: Chains) -> None:
    near = Neighbourhood(chains, chains.registry)
    others = [canonical(Recipe(text)).seed for text in BUILT_IN[1:4]]
    for other in others:
        near.offer(other, 0)
    first = Counter(near.neighbour(SEED, stream(n)).seed for n in range(150))
    assert set(first) == set(others)
    assert min(first.values()) > 30
    late = Counter(near.neighbour(SEED, stream(n)).seed for n in range(150, 2000))
    assert late[SEED.seed] > 1000  # the turns of the others are over


def is_one_sided(recipe: Recipe, chains: Chains) -> bool:
    row = chains.registry.get(recipe.steps[-1].mutation) if recipe.steps else None
    return row is not None and row.promise in (Promise.SAT_PRESERVING, Promise.UNSAT_PRESERVING)


@pytest.mark.parametrize("strategy", [Strategy.NEIGHBOURHOOD, Strategy.SWARM, Strategy.NOVELTY])
def test_three_of_four_mutants_of_a_unit_that_a_limit_ended_are_weaker_or_stronger(
    chains: Chains, strategy: Strategy
) -> None:
    near = Neighbourhood(chains, chains.registry, is_limited=lambda recipe: recipe == SEED)
    seeds = RecentlyUsed[str](100, (SEED.seed,))
    given = Mutator(chains, Equal(Rows.of(chains.registry)), (), seeds, Portfolio(near, {strategy: 1}))
    for unit, number in ((SEED, 150), (LONG, 0)):
        mutated = [decode(given.mutate(encode(unit), 10_000, n)) for n in range(200)]
        crossed = [decode(given.crossover(encode(unit), encode(unit), 10_000, n)) for n in range(200)]
        for made in (mutated, crossed):
            assert sum(is_one_sided(recipe, chains) for recipe in made) == pytest.approx(number, abs=35)


def test_weaker_and_stronger_mutants_are_new_and_each_step_changes_them(chains: Chains) -> None:
    unit = replace(SEED, steps=(Step("names.unknown", b""),))
    near = Neighbourhood(chains, chains.registry, is_limited=lambda recipe: recipe == unit)
    known: set[bytes] = set()
    given = Mutator(chains, Equal(Rows.of(chains.registry)), known, RecentlyUsed(100, ()), Portfolio(near, {}))
    again = 0
    for n in range(150):
        made = decode(given.mutate(encode(unit), 10_000, n))
        key = chains.apply(made).key
        again += key in known
        known.add(key)
        if is_one_sided(made, chains):
            assert made == chains.without_idle_steps(made)
    assert again <= 3


def test_a_chain_is_not_changed_by_limits(chains: Chains) -> None:
    near = Neighbourhood(chains, chains.registry, is_limited=lambda _: True)
    policy, seeds = Equal(Rows.of(chains.registry)), RecentlyUsed[str](100, (SEED.seed,))
    given = Mutator(chains, policy, (), seeds, Portfolio(near, {Strategy.CHAIN: 1}))
    usual = mutator(chains, {Strategy.CHAIN: 1})
    made = [given.mutate(encode(SEED), 10_000, n) for n in range(30)]
    assert made == [usual.mutate(encode(SEED), 10_000, n) for n in range(30)]


def test_without_rows_that_keep_one_answer_a_unit_that_a_limit_ended_is_mutated_like_any_other(chains: Chains) -> None:
    rows = chains.registry.limited([Kind.OWN], called=["names.*"])
    policy, seeds = Equal(Rows.of(rows)), RecentlyUsed[str](100, (SEED.seed,))
    given = Mutator(chains, policy, (), seeds, Portfolio(Neighbourhood(chains, rows, is_limited=lambda _: True), {}))
    made = {decode(given.mutate(encode(SEED), 10_000, n)) for n in range(30)}
    assert {step.mutation.partition(".")[0] for recipe in made for step in recipe.steps} == {"names"}


def test_a_decided_unit_has_neighbours_of_its_own_if_a_limit_ended_its_root(chains: Chains) -> None:
    near = Neighbourhood(chains, chains.registry, is_limited=lambda recipe: recipe == SEED)
    made = [near.neighbour(LONG, stream(n)) for n in range(300)]
    assert all(recipe.steps[: len(LONG.steps)] == LONG.steps for recipe in made)
    assert len({encode(recipe) for recipe in made}) > 200
    assert any(recipe.parameters for recipe in made)


def test_the_origin_of_a_neighbour_is_the_root_that_had_its_turn(chains: Chains) -> None:
    near = Neighbourhood(chains, chains.registry)
    root = canonical(Recipe(BUILT_IN[1]))
    near.offer(root.seed, 0)
    seeds = RecentlyUsed[str](100, (SEED.seed, root.seed))
    shares = {Strategy.NEIGHBOURHOOD: 1, Strategy.NOVELTY: 1}
    given = Mutator(chains, Equal(Rows.of(chains.registry)), (), seeds, Portfolio(near, shares, lambda: BREADTH_FIRST))
    origins = {decode(given.mutate(encode(SEED), 10_000, n)).seed == root.seed: given.origin for n in range(20)}
    assert origins == {True: encode(root), False: encode(SEED)}


def test_a_root_that_costs_much_has_fewer_turns(chains: Chains) -> None:
    near = Neighbourhood(chains, chains.registry)
    cheap, dear = (canonical(Recipe(text)).seed for text in BUILT_IN[:2])
    near.offer(cheap, 0)
    near.offer(canonical(Recipe(BUILT_IN[2])).seed, 0)
    near.offer(dear, 1_000_000)
    had = Counter(near.neighbour(SEED, stream(n)).seed for n in range(100))
    assert had[dear] < 10 < had[cheap]


def test_workers_share_the_turns_on_a_root(chains: Chains) -> None:
    taken: set[int] = set()

    def take(turn: int) -> bool:
        is_new = turn not in taken
        taken.add(turn)
        return is_new

    first = Neighbourhood(chains, chains.registry, take)
    made = [first.neighbour(SEED, stream(n)) for n in range(30)]
    second = Neighbourhood(chains, chains.registry, take)  # the worker that replaces it
    made += [second.neighbour(SEED, stream(n)) for n in range(100, 130)]
    parameters = Counter(recipe.parameters[0][0] for recipe in made if recipe.parameters)
    assert len(parameters) > 20
    assert set(parameters.values()) == {1}
    permuting = {row.id for row in chains.registry.mutations if row.permutes}
    rows = Counter(recipe.steps[0].mutation for recipe in made if recipe.steps)
    assert max(number for row, number in rows.items() if row not in permuting) == 1
    assert max(rows[row] for row in permuting) <= 2


def test_a_chain_grows_by_one_row_and_is_not_crossed(chains: Chains) -> None:
    made = mutator(chains, {Strategy.CHAIN: 1})
    data = encode(LONG)
    for number in range(40):
        mutants = made.mutate(data, 1 << 20, number), made.crossover(data, data, 1 << 20, number)
        for recipe in map(decode, mutants):
            assert recipe.steps[: len(LONG.steps)] == LONG.steps
            assert (len(recipe.steps) == len(LONG.steps) + 1) != bool(recipe.parameters)


def test_a_swarm_allows_a_part_of_the_families_for_a_while(chains: Chains) -> None:
    swarm = Swarm(chains.registry)
    families = {row.partition(".")[0] for row in chains.registry.ids}

    def allowed(number: int) -> frozenset[str]:
        allows = swarm.allows(stream(number))
        return frozenset(family for family in families if allows(f"{family}.row"))

    first = {allowed(n) for n in range(SWARM_RUNS)}
    second = {allowed(SWARM_RUNS + n) for n in range(SWARM_RUNS)}
    assert len(first) == len(second) == 1
    assert first != second
    (one,) = first
    assert 0 < len(one) < len(families)


def test_novelty_alone_mutates_as_a_mutator_without_a_portfolio(chains: Chains) -> None:
    data = encode(LONG)
    plain = Mutator(chains, Equal(Rows.of(chains.registry)), (), RecentlyUsed[str](100, (SEED.seed,)))
    alone = mutator(chains, {Strategy.NOVELTY: 1})
    assert [alone.mutate(data, 4096, n) for n in range(30)] == [plain.mutate(data, 4096, n) for n in range(30)]


@pytest.mark.parametrize("strategy", list(Strategy))
def test_every_strategy_makes_recipes_that_fit_and_repeat(chains: Chains, strategy: Strategy) -> None:
    data = encode(LONG)
    one, other = mutator(chains, {strategy: 1}), mutator(chains, {strategy: 1})
    made = [one.mutate(data, 4096, n) for n in range(60)]
    assert made == [other.mutate(data, 4096, n) for n in range(60)]
    assert all(len(unit) <= 4096 and encode(decode(unit)) == unit for unit in made)
    assert len(set(made)) > 30
