"""libFuzzer's custom mutator and crossover: what they give fits, repeats, is mostly new, and reaches everything."""

import hashlib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import replace

import pytest
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.changes import CHANGES, Around
from chcfuzz.mutators.custom import Mutator, added_rows, chance
from chcfuzz.mutators.mutation import Kind
from chcfuzz.mutators.policy import Equal, Rows
from chcfuzz.mutators.recently_used import RecentlyUsed
from chcfuzz.mutators.recipe import Recipe, Step, canonical, decode, encode, fields
from chcfuzz.mutators.registry import Registry
from chcfuzz.mutators.seeds import canonical_seed, read_seed

# Steps that change something in any order.
STEPS = (
    Step("rules.add-lin-rule", b"\x01\x02"),
    Step("names.rename-predicate", b"\x03"),
    Step("arithmetic.add-ineq", b"\x01\x02\x01"),
    Step("boolean.dup-and", b"\x01\x00\x02"),
)
PARAMETERS = (("fp.spacer.ctp", "true"), ("fp.xform.slice", "false"))
RECIPE = canonical(Recipe(BUILT_IN[0], STEPS, PARAMETERS))
OTHER = canonical(
    Recipe(
        BUILT_IN[1],
        (
            Step("rules.add-nonlin-rule", b"\x03"),
            Step("boolean.swap-and", b"\x01"),
            Step("rules.add-lin-rule", b"\x02"),
        ),
        (("fp.spacer.order_children", "1"), ("fp.xform.inline_eager", "false")),
    )
)
DATA, SECOND = encode(RECIPE), encode(OTHER)
SEEDS = tuple(map(canonical_seed, BUILT_IN))
OWN = canonical_seed("(declare-fun mine (Int) Bool)(assert (forall ((x Int)) (=> (and (< x 0) (> x 9)) (mine x))))")
ODD = [b"", b"(", b"\x07\x09\xff\x13" * 9, BUILT_IN[2].encode(), DATA[: len(DATA) // 2], encode(Recipe("no system"))]


def mutator(chains: Chains, seeds: Sequence[str] = (), known: Container[bytes] = ()) -> Mutator:
    return Mutator(chains, Equal(Rows.of(chains.registry)), known, RecentlyUsed(100, seeds))


def mutate(data: bytes, max_size: int, seed: int, chains: Chains, seeds: Sequence[str] = ()) -> bytes:
    return mutator(chains, seeds).mutate(data, max_size, seed)


def crossover(first: bytes, second: bytes, max_size: int, seed: int, chains: Chains) -> bytes:
    return mutator(chains).crossover(first, second, max_size, seed)


def actions(after: Recipe) -> set[str]:
    """The change of `RECIPE`, if a single change explains it."""
    found = set()
    before, steps = RECIPE.steps, after.steps
    if after.seed != RECIPE.seed:
        found.add("other seed")
    names, output = dict(PARAMETERS), dict(after.parameters)
    if any(output.get(name) != value for name, value in names.items() if name in output) or set(output) - set(names):
        found.add("parameter set")
    if set(names) - set(output):
        found.add("parameter unset")
    if steps[: len(before)] == before and len(steps) > len(before):
        added = steps[len(before) :]
        found.add("repeat" if set(added) <= set(before) else "append")
    elif len(steps) < len(before) and [step for step in before if step in steps] == list(steps):
        found.add("drop one" if len(before) - len(steps) == 1 else "drop a run")
    elif len(steps) == len(before):
        other = [(old, new) for old, new in zip(before, steps, strict=True) if old != new]
        if Counter(steps) == Counter(before) and other:
            found.add("reorder")
        elif len(other) == 1:
            old, new = other[0]
            found.add("other choices" if old.mutation == new.mutation else "replace")
    return found


@pytest.mark.slow
def test_every_action_occurs(rows: Registry) -> None:
    chains = Chains(rows.limited([Kind.OWN, Kind.REWRITE, Kind.PARAMETER]))  # whose rows do not query a solver
    found: Counter[str] = Counter()
    for seed in range(600):
        found.update(actions(decode(mutate(DATA, 4096, seed, chains, SEEDS))))
    assert set(found) == {
        "append",
        "drop one",
        "drop a run",
        "replace",
        "repeat",
        "reorder",
        "other choices",
        "other seed",
        "parameter set",
        "parameter unset",
    }
    assert found.most_common(1)[0][0] in ("append", "parameter set")


@pytest.mark.slow
def test_appended_steps_are_of_every_family(chains: Chains, rows: Registry) -> None:
    missing = {row.family for row in rows.mutations} - {"learned"}  # which needs a model
    for seed in range(1000):
        appended = decode(mutate(DATA, 4096, seed, chains)).steps[len(STEPS) :]
        missing -= {step.mutation.partition(".")[0] for step in appended}
        if not missing:
            break
    assert not missing


@pytest.mark.slow
def test_results_are_recipes_and_mostly_new_mutants(chains: Chains) -> None:
    before = chains.apply(RECIPE).key
    keys = []
    for seed in range(200):
        data = mutate(DATA, 4096, seed, chains, SEEDS)
        recipe = decode(data)
        assert encode(recipe) == data
        assert read_seed(recipe.seed) is not None
        keys.append(chains.apply(recipe).key)
    assert keys.count(before) <= 2
    assert len(set(keys)) > 100


@pytest.mark.slow
def test_results_hold_no_idle_steps(chains: Chains) -> None:
    for seed in range(100):
        recipe = decode(mutate(DATA, 4096, seed, chains, SEEDS))
        assert all(applied.changed for applied in chains.apply(recipe).steps)


@pytest.mark.parametrize("max_size", [0, 1, 8, 20, 100, len(DATA) - 40, len(DATA), 4096])
def test_results_are_not_longer_than_the_limit(chains: Chains, max_size: int) -> None:
    for seed in range(30):
        for data in (mutate(DATA, max_size, seed, chains, SEEDS), crossover(DATA, SECOND, max_size, seed, chains)):
            assert len(data) <= max_size
            assert read_seed(decode(data).seed) is not None


def test_where_not_all_fits_the_seed_and_the_first_steps_stay(chains: Chains) -> None:
    for seed in range(50):
        sizes = (4096, len(DATA) - 10)
        whole, cut = (decode(mutate(DATA, size, seed, chains, (RECIPE.seed,))) for size in sizes)
        assert cut.seed == whole.seed
        assert whole.steps[: len(cut.steps)] == cut.steps
        assert whole.parameters[: len(cut.parameters)] == cut.parameters
        assert cut.parameters == whole.parameters or not cut.steps


@pytest.mark.parametrize("data", ODD)
def test_any_bytes_can_be_mutated_and_crossed(chains: Chains, data: bytes) -> None:
    for seed in range(20):
        for result in (
            mutate(data, 4096, seed, chains),
            crossover(data, DATA, 4096, seed, chains),
            crossover(DATA, data, 4096, seed, chains),
        ):
            assert encode(decode(result)) == result


def test_the_same_arguments_give_the_same_result(chains: Chains, rows: Registry) -> None:
    forgetful = Chains(rows, cached=0)
    for seed in (*range(30), 2**32 - 1):
        assert mutate(DATA, 4096, seed, chains, SEEDS) == mutate(DATA, 4096, seed, forgetful, SEEDS)
        assert crossover(DATA, SECOND, 4096, seed, chains) == crossover(DATA, SECOND, 4096, seed, forgetful)


def test_other_seeds_give_other_results(chains: Chains) -> None:
    assert len({mutate(DATA, 4096, seed, chains) for seed in range(50)}) > 40
    assert len({crossover(DATA, SECOND, 4096, seed, chains) for seed in range(50)}) > 20


@pytest.mark.slow
def test_results_are_the_same_under_other_hash_seeds() -> None:
    program = f"""
from chcfuzz.solvers import z3_release
z3_release.activate()
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.custom import Mutator
from chcfuzz.mutators.policy import Equal, Rows
from chcfuzz.mutators.recently_used import RecentlyUsed
from chcfuzz.mutators.recipe import decode
from chcfuzz.domains.chc.rows.registry import registry
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.mutators.seeds import canonical_seed
chains = Chains(registry())
mutator = Mutator(chains, Equal(Rows.of(registry())), (), RecentlyUsed(4, map(canonical_seed, BUILT_IN)))
data, second = bytes.fromhex({DATA.hex()!r}), bytes.fromhex({SECOND.hex()!r})
for seed in range(25):
    data = mutator.mutate(data, 4096, seed)
    print(data.hex(), chains.apply(decode(data)).key.hex())
    print(mutator.crossover(data, second, 4096, seed).hex())
"""
    output = []
    for hash_seed in ("0", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        output.append(done.stdout)
    assert output[0].count("\n") == 50
    assert output[0] == output[1]


@pytest.mark.slow
def test_known_mutants_are_avoided(chains: Chains) -> None:
    """As in a campaign: what was seen need not come again."""
    known = {chains.apply(RECIPE).key}
    again = 0
    for seed in range(150):
        result = mutator(chains, SEEDS, known).mutate(DATA, 4096, seed)
        crossed = mutator(chains, known=known).crossover(DATA, SECOND, 4096, seed)
        for data in (result, crossed):
            key = chains.apply(decode(data)).key
            again += key in known
            known.add(key)
    assert again <= 3


@pytest.mark.slow
def test_without_seeds_a_seed_of_ones_own_stays_and_a_built_in_one_becomes_another_of_them(chains: Chains) -> None:
    assert {decode(mutate(encode(Recipe(OWN)), 4096, seed, chains)).seed for seed in range(100)} == {OWN}
    assert {decode(mutate(DATA, 4096, seed, chains)).seed for seed in range(400)} == set(SEEDS)


@pytest.mark.slow
def test_where_there_are_seeds_nothing_is_made_on_a_built_in_one(chains: Chains) -> None:
    def noise(data: bytes, size: int) -> bytes:
        return hashlib.shake_128(data).digest(size // 2)

    for data in (*ODD, DATA, encode(Recipe(OWN, STEPS))):
        for seed in range(30):
            made = mutator(chains, (OWN,)).mutate(data, 4096, seed, noise)
            assert decode(made).seed == OWN
            crossed = mutator(chains, (OWN,)).crossover(data, SECOND, 4096, seed)
            assert decode(crossed).seed == OWN


def test_a_step_that_joins_two_systems_carries_the_text_of_another_seed(chains: Chains) -> None:
    rows = Registry([row for row in chains.registry.mutations if row.takes_system], [])
    seeds = [OWN, SEEDS[2], "; longer than a step can be\n" * 1000 + OWN]
    texts: set[str] = set()
    for seed in range(60):
        recipe = decode(mutate(encode(Recipe(SEEDS[0])), 1 << 20, seed, Chains(rows), seeds))
        texts.update(step.choices.decode() for step in recipe.steps)
    assert texts == {OWN, SEEDS[2], ""}


def test_other_choices_of_such_a_step_leave_the_text_whole_or_take_another(chains: Chains, rows: Registry) -> None:
    (change,) = (row for row in CHANGES if row.description == "change the choices of a step")
    around = Around(chains, Equal(Rows.of(rows)), RecentlyUsed(100, [OWN]), None)
    recipe = Recipe(SEEDS[0], (Step("fusion.guarding", SEEDS[2].encode(), b"key"),))
    found = {change.make(recipe, chance(b"", seed), around).steps[0] for seed in range(60)}
    assert {step.choices.decode() for step in found} == {OWN, SEEDS[2]}
    assert len({step.key for step in found}) > 20


def test_a_text_that_a_step_holds_is_not_among_the_bytes_that_libfuzzer_mutates(chains: Chains, rows: Registry) -> None:
    """A system with another number would still declare the status of the seed that it was."""
    (change,) = (row for row in CHANGES if row.description.startswith("mutate the fields"))

    def eights(data: bytes, _: int) -> bytes:
        assert b"assert" not in data
        return data.replace(b"7", b"8")

    around = Around(chains, Equal(Rows.of(rows)), RecentlyUsed(100, [OWN]), eights)
    texts = [Step("fusion.both-sat", b"(assert (p " + number + b"))", b"key7") for number in (b"6", b"7", b"6")]
    made = change.make(Recipe(OWN, (*texts, Step("boolean.dup-and", b"7"))), chance(b"", 1), around)
    assert made.steps == (*(replace(step, key=b"key8") for step in texts), Step("boolean.dup-and", b"8"))


def test_a_step_that_comes_to_hold_a_text_by_libfuzzers_mutations_holds_none(chains: Chains, rows: Registry) -> None:
    """Empty bytes stand for a built-in seed."""
    (change,) = (row for row in CHANGES if row.description.startswith("mutate the fields"))

    def joined(data: bytes, _: int) -> bytes:
        return data.replace(b"fusion.any-sat!", b"fusion.both-sat")

    around = Around(chains, Equal(Rows.of(rows)), RecentlyUsed(100, [OWN]), joined)
    made = change.make(Recipe(OWN, (Step("fusion.any-sat!", b"\0\0"),)), chance(b"", 1), around)
    assert made.steps == (Step("fusion.both-sat", b""),)


def test_no_seed_is_lost_where_bytes_are_mutated(chains: Chains) -> None:
    """Bytes that become fewer, or lengths that become longer, do not reach into the seed's text."""
    for data in (b"", b"\xff" * 40, b"\0\1\0\xff"):
        seeds = {
            decode(mutator(chains, (RECIPE.seed,)).mutate(DATA, 4096, seed, lambda *_, data=data: data)).seed
            for seed in range(80)
        }
        assert seeds == {RECIPE.seed}


@pytest.mark.slow
def test_a_chain_grows_by_mutation_to_a_hundred_steps_and_no_further(chains: Chains) -> None:
    long = Recipe(RECIPE.seed, tuple(Step("rules.add-lin-rule", bytes([i, i])) for i in range(100)))
    for seed in range(25):
        assert len(decode(mutate(encode(long), 1 << 16, seed, chains)).steps) <= 100
        assert len(decode(crossover(encode(long), DATA, 1 << 16, seed, chains)).steps) <= 100


@pytest.mark.slow
def test_bytes_are_handed_to_the_byte_mutator_and_taken_from_it(chains: Chains) -> None:
    given = []

    def swallow(data: bytes, size: int) -> bytes:
        given.append((data, size))
        number = hashlib.blake2b(data, digest_size=1).digest()
        return data.replace(b"dup-and", b"dup-or").replace(b"true", b"fals") + number

    for seed in range(200):
        result = mutator(chains).mutate(DATA, 4096, seed, swallow)
        assert encode(decode(result)) == result
    assert len(given) > 5
    for data, size in given:
        assert size > len(data)
        assert not data.endswith(RECIPE.seed.encode())


@pytest.mark.slow
def test_no_parameter_comes_of_bytes_that_has_no_row(chains: Chains) -> None:
    """Z3 5.4.0.0 dies of a signal where fp.spacer.max_num_contexts is 0, which some letter once meant."""
    given = RECIPE.parameters
    nonsense = (("fp.spacer.max_num_contexts", "p"), ("fp.spacer.no_such", "true"))

    def more(data: bytes, _: int) -> bytes:
        head = fields(replace(RECIPE, seed="", parameters=(*given, *nonsense, ("fp.spacer.q3", "false"))))
        return head if data == fields(replace(RECIPE, seed="")) else data

    results = {decode(mutator(chains).mutate(DATA, 4096, seed, more)).parameters for seed in range(300)}
    assert {pair for parameters in results for pair in parameters}.isdisjoint(nonsense)
    assert (*given, ("fp.spacer.q3", "false")) in results


def test_crossover_takes_from_both(chains: Chains) -> None:
    results = [decode(crossover(DATA, SECOND, 4096, seed, chains)) for seed in range(200)]
    first, second = set(RECIPE.steps), set(OTHER.steps)
    assert {recipe.seed for recipe in results} == {RECIPE.seed, OTHER.seed}
    mixed = [recipe for recipe in results if first & set(recipe.steps) and second & set(recipe.steps)]
    assert len(mixed) > 50
    named, others = {name for name, _ in RECIPE.parameters}, {name for name, _ in OTHER.parameters}
    output = [set(dict(recipe.parameters)) for recipe in results]
    assert any(names & named and names & others for names in output)
    assert any(not names for names in output)
    for recipe in mixed:  # spliced steps keep their order, the tail after the head
        one, other = (first, second) if recipe.seed == RECIPE.seed else (second, first)
        spliced = [step in one for step in recipe.steps if step in one | other]
        if set(recipe.steps) <= one | other:
            assert spliced == sorted(spliced, reverse=True)


def test_crossover_gives_neither_parent_again(chains: Chains) -> None:
    parents = {chains.apply(RECIPE).key, chains.apply(OTHER).key}
    keys = [chains.apply(decode(crossover(DATA, SECOND, 4096, seed, chains))).key for seed in range(150)]
    assert sum(key in parents for key in keys) <= 2
    alike = [chains.apply(decode(crossover(DATA, DATA, 4096, seed, chains))).key for seed in range(100)]
    assert alike.count(chains.apply(RECIPE).key) <= 2


def test_what_was_added_is_known_by_its_ids(rows: Registry) -> None:
    more = Recipe(RECIPE.seed, (STEPS[0], *STEPS), (*PARAMETERS, ("fp.spacer.q3", "false")))
    assert added_rows(RECIPE, more, rows) == (STEPS[0].mutation, "parameter.fp.spacer.q3")
    assert added_rows(more, RECIPE, rows) == ()
    other = Recipe(RECIPE.seed, STEPS, (("fp.spacer.ctp", "false"),))
    assert added_rows(RECIPE, other, rows) == ("parameter.fp.spacer.ctp",)


def test_a_configuration_is_parameters_like_any_others_in_a_recipe(rows: Registry) -> None:
    chains = Chains(rows.limited([Kind.OWN, Kind.PARAMETER]))
    made = [decode(mutate(DATA, 4096, seed, chains)) for seed in range(200)]
    found = {row: recipe for recipe in made for row in added_rows(RECIPE, recipe, rows) if row.startswith("config")}
    assert len(found) > 10
    wanted = {row.id: dict(row.settings) for row in rows.configurations}
    for row, recipe in found.items():
        assert wanted[row].items() <= dict(recipe.parameters).items()
        assert decode(encode(recipe)).parameters == recipe.parameters == chains.apply(recipe).parameters
