"""Recipes, applied: mutants, what they promise, what each step did."""

from dataclasses import replace

import pytest
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import DepthError
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import System, as_system
from chcfuzz.mutators import chain
from chcfuzz.mutators.chain import Chains, with_status
from chcfuzz.mutators.mutation import Mutation, Needs, Promise
from chcfuzz.mutators.recipe import Recipe, Step
from chcfuzz.mutators.registry import Registry

from tests.nested import deep

GROWING = ("signatures", "predicates", "unfolding", "clauses", "shapes")
SEED = """(set-logic HORN)
(set-info :status unsat)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 3)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (> x 2)) false)))
(check-sat)
"""
SWAP, REVERSE, RENAME = (
    Step("boolean.swap-and", b""),
    Step("order.shuffle-clauses", b"\x02\x01"),
    Step("names.rename-predicate", b""),
)
RULE, PLAIN = Step("rules.add-lin-rule", b"\x03\x01"), Step("simplify.plain", b"")
UNKNOWN, IDLE = Step("simplify.no-such-thing", b"\x01"), Step("boolean.flatten-or", b"")
STEPS = (SWAP, REVERSE, UNKNOWN, RULE, IDLE, PLAIN, SWAP, RENAME)


def made(row: str, promise: Promise, clauses: int = 1) -> Mutation:
    """A mutation for these tests: it repeats the first clauses."""

    def again(system: System, _choices: object) -> System:
        return system.with_clauses((*system.clauses[:clauses], *system.clauses))

    return Mutation(
        row, promise, f"{clauses} clauses again", "made up", again, lambda _system: True, needs=Needs.CLAUSES
    )


def test_an_empty_chain_gives_the_seed(chains: Chains) -> None:
    mutant = chains.apply(Recipe(SEED))
    assert mutant.problem == parse(SEED)
    assert (mutant.parameters, mutant.steps) == ((), ())
    assert (mutant.promise, mutant.expected) == (Promise.EQUIVALENT, "unsat")


def test_steps_apply_in_order(chains: Chains) -> None:
    mutant = chains.apply(Recipe(SEED, (SWAP, RENAME)))
    assert mutant.problem == parse(
        SEED.replace("(and (p x) (< x 3))", "(and (< x 3) (p x))").replace("(p", "(A").replace("n p", "n A")
    )
    assert [applied.changed for applied in mutant.steps] == [True, True]


def test_caching_makes_no_difference(rows: Registry) -> None:
    recipes = [Recipe(SEED, STEPS[:end]) for end in range(len(STEPS) + 1)]
    recipes += [Recipe(SEED, STEPS[start:]) for start in range(len(STEPS))]
    remembering = Chains(rows)
    for recipe in (*recipes, *reversed(recipes)):
        alone = Chains(rows).apply(recipe)
        for chains in (remembering, Chains(rows, cached=0), Chains(rows, cached=1)):
            assert chains.apply(recipe) == alone
            assert chains.apply(recipe).key == alone.key


def test_prefixes_are_applied_once_while_they_are_cached() -> None:
    rewrites = []
    row = made("made.again", Promise.EQUIVALENT)

    def counted(system: System, choices: object) -> System | None:
        rewrites.append(1)
        return row.rewrite(system, choices)  # type: ignore[arg-type]

    registry = Registry([replace(row, rewrite=counted)], [])
    steps = tuple(Step("made.again", bytes([i])) for i in range(5))
    chains = Chains(registry)
    for end in range(6):
        chains.apply(Recipe(SEED, steps[:end]))
    assert len(rewrites) == 5
    forgetful = Chains(registry, cached=0)
    forgetful.apply(Recipe(SEED, steps))
    forgetful.apply(Recipe(SEED, steps))
    assert len(rewrites) == 15


def test_unknown_ids_are_left_out_and_reported_to_change_nothing(chains: Chains) -> None:
    mutant = chains.apply(Recipe(SEED, (UNKNOWN, SWAP)))
    assert mutant.problem == chains.apply(Recipe(SEED, (SWAP,))).problem
    assert [(applied.step, applied.changed) for applied in mutant.steps] == [(UNKNOWN, False), (SWAP, True)]
    assert mutant.steps[0].description == "unknown here, left out"


def test_a_step_that_changes_nothing_reports_it(chains: Chains) -> None:
    mutant = chains.apply(Recipe(SEED, (IDLE,)))
    assert mutant.problem == parse(SEED)
    assert [applied.changed for applied in mutant.steps] == [False]
    assert "changes nothing" in mutant.steps[0].description


def test_without_its_idle_steps_a_recipe_has_the_same_mutant(chains: Chains) -> None:
    recipe = Recipe(SEED, STEPS, (("fp.xform.slice", "false"),))
    shorter = chains.without_idle_steps(recipe)
    assert [step for step in STEPS if step not in shorter.steps] == [UNKNOWN, IDLE]
    assert (shorter.seed, shorter.parameters) == (recipe.seed, recipe.parameters)
    assert chains.apply(shorter).key == chains.apply(recipe).key
    assert chains.without_idle_steps(shorter) is shorter


@pytest.mark.parametrize(
    ("promises", "kept", "sat", "unsat"),
    [
        ([], Promise.EQUIVALENT, "sat", "unsat"),
        ([Promise.EQUIVALENT, Promise.EQUIVALENT], Promise.EQUIVALENT, "sat", "unsat"),
        ([Promise.EQUIVALENT, Promise.EQUISATISFIABLE], Promise.EQUISATISFIABLE, "sat", "unsat"),
        ([Promise.SAT_PRESERVING, Promise.EQUIVALENT], Promise.SAT_PRESERVING, "sat", None),
        ([Promise.EQUISATISFIABLE, Promise.UNSAT_PRESERVING], Promise.UNSAT_PRESERVING, None, "unsat"),
        ([Promise.SAT_PRESERVING, Promise.UNSAT_PRESERVING], Promise.NOTHING, None, None),
        ([Promise.NOTHING, Promise.EQUIVALENT], Promise.NOTHING, None, None),
    ],
)
def test_a_chain_promises_what_all_its_steps_promise(
    promises: list[Promise], kept: Promise, sat: str | None, unsat: str | None
) -> None:
    chains = Chains(Registry([made(f"made.{promise.value}", promise) for promise in Promise], []))
    steps = tuple(Step(f"made.{promise.value}", b"") for promise in promises)
    for status, expected in (("sat", sat), ("unsat", unsat)):
        mutant = chains.apply(Recipe(SEED.replace("unsat", status), steps))
        assert (mutant.promise, mutant.expected) == (kept, expected)
    without_status = SEED.replace("(set-info :status unsat)\n", "")
    assert chains.apply(Recipe(without_status, steps)).expected is None


def test_idle_steps_weaken_no_promise() -> None:
    idle = replace(made("made.idle", Promise.NOTHING), rewrite=lambda _system, _choices: None)
    mutant = Chains(Registry([idle], [])).apply(Recipe(SEED, (Step("made.idle", b""),)))
    assert (mutant.promise, mutant.expected) == (Promise.EQUIVALENT, "unsat")


def test_parameters_leave_the_answer_and_no_more(chains: Chains) -> None:
    parameters = (("fp.xform.slice", "false"),)
    mutant = chains.apply(Recipe(SEED, (SWAP,), parameters))
    assert (mutant.promise, mutant.expected, mutant.parameters) == (Promise.EQUISATISFIABLE, "unsat", parameters)
    weak = Chains(Registry([made("made.weak", Promise.SAT_PRESERVING)], []))
    assert weak.apply(Recipe(SEED, (Step("made.weak", b""),), parameters)).promise is Promise.SAT_PRESERVING


def test_options_of_the_seed_are_parameters_that_those_of_the_recipe_overrule(chains: Chains) -> None:
    seed = "(set-option :fp.xform.slice false)(set-option :fp.spacer.ctp false)" + SEED
    mutant = chains.apply(Recipe(seed, (), (("fp.xform.slice", "true"),)))
    assert mutant.parameters == (("fp.spacer.ctp", "false"), ("fp.xform.slice", "true"))
    assert chains.apply(Recipe(seed)).promise is Promise.EQUIVALENT


def test_the_order_of_parameters_makes_no_difference(chains: Chains) -> None:
    pairs = (("fp.xform.slice", "false"), ("fp.spacer.ctp", "true"))
    assert chains.apply(Recipe(SEED, (), pairs)) == chains.apply(Recipe(SEED, (), pairs[::-1]))


def test_the_text_has_no_status_and_no_options(chains: Chains) -> None:
    mutant = chains.apply(Recipe(SEED, (SWAP,), (("fp.xform.slice", "false"),)))
    assert "set-option" not in mutant.text
    assert "set-info" not in mutant.text
    assert parse(mutant.text).clauses == as_system(mutant.problem).clauses


def test_the_script_sets_options_and_status_and_reads_back(chains: Chains) -> None:
    mutant = chains.apply(Recipe(SEED, (SWAP,), (("fp.spacer.ctp", "true"), ("fp.xform.slice", "false"))))
    lines = mutant.script(with_declared=True).splitlines()
    assert lines[:2] == ["(set-option :fp.spacer.ctp true)", "(set-option :fp.xform.slice false)"]
    assert "(set-info :status unsat)" in lines
    read = parse(mutant.script(with_declared=True))
    assert (read.clauses, read.options, read.status) == (as_system(mutant.problem).clauses, mutant.parameters, "unsat")


def test_a_script_has_a_status_only_if_more_than_one_project_backs_it(chains: Chains) -> None:
    mutant = chains.apply(Recipe(SEED, (SWAP,)))
    assert ":status" not in mutant.script(), "only the file of the seed declares it"
    assert "declaration for the seed" in mutant.script(with_declared=True)
    hoped = replace(mutant, is_declared=False, promised_by=("z3",))
    assert ":status" not in hoped.script(with_declared=True), "only the solver under test answers it"
    backed = replace(hoped, backing="the answers of cvc5 and bitwuzla").script().splitlines()
    place = backed.index("(set-info :status unsat)")
    assert "the answers of cvc5 and bitwuzla for the seed" in backed[place - 1]


def test_a_status_takes_the_place_of_another_one() -> None:
    text = with_status("(set-logic ALL)\n(check-sat)\n", "sat", "a model")
    assert text.splitlines()[1:3] == ["; The ground of the status: a model.", "(set-info :status sat)"]
    assert with_status(text, "unsat", "a core").splitlines()[1:3] == [
        "; The ground of the status: a core.",
        "(set-info :status unsat)",
    ]
    assert with_status(text, None, "") == "(set-logic ALL)\n(check-sat)\n"
    assert with_status("(check-sat)\n", "sat", "a model").endswith("(set-info :status sat)\n(check-sat)\n")


def test_an_answer_to_a_seed_promises_only_to_its_project_and_that_of_two_to_all(chains: Chains) -> None:
    mutant = chains.apply(Recipe(SEED, (SWAP,)))
    assert mutant.promised_to("bitwuzla") == "unsat", "a declaration is a promise for every solver"
    alone, both = (replace(mutant, promised_by=projects) for projects in (("z3",), ("z3", "cvc5")))
    assert [alone.promised_to(project) for project in ("z3", "cvc5")] == ["unsat", None]
    assert [both.promised_to(project) for project in ("z3", "cvc5", "bitwuzla")] == ["unsat"] * 3


def test_a_script_leaves_out_the_options_of_a_command(chains: Chains) -> None:
    parameters = (("eldarica.lbe", "on"), ("fp.spacer.ctp", "false"))
    mutant = chains.apply(Recipe(SEED, (), parameters))
    assert mutant.parameters == parameters
    assert parse(mutant.script()).options == (("fp.spacer.ctp", "false"),)


def test_a_script_without_an_expectation_has_no_status() -> None:
    chains = Chains(Registry([made("made.nothing", Promise.NOTHING)], []))
    assert "status" not in chains.apply(Recipe(SEED, (Step("made.nothing", b""),))).script()


def test_a_step_that_makes_too_much_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "MAX_NODES", 80)
    monkeypatch.setattr(chain, "MAX_GROWTH", 0)
    chains = Chains(Registry([made("made.again", Promise.NOTHING, clauses=3)], []))
    mutant = chains.apply(Recipe(SEED, tuple(Step("made.again", b"") for _ in range(5))))
    assert [applied.changed for applied in mutant.steps] == [True, True, False, False, False]
    assert sum(clause.formula.size for clause in as_system(mutant.problem).clauses) <= 80


@pytest.mark.slow
def test_growing_for_ever_stays_within_bounds(chains: Chains) -> None:
    steps = tuple(Step("rules.add-nonlin-rule", bytes([9, i % 256])) for i in range(700))
    mutant = chains.apply(Recipe(SEED, steps))
    assert (
        chain.MAX_NODES - 100
        < sum(clause.formula.size for clause in as_system(mutant.problem).clauses)
        <= chain.MAX_NODES
    )
    assert not mutant.steps[-1].changed


@pytest.mark.slow
@pytest.mark.parametrize("name", GROWING)
def test_fifty_steps_of_rows_that_grow_stay_within_bounds(rows: Registry, chains: Chains, name: str) -> None:
    grow = [row for row in rows.mutations if row.family == name]
    steps = tuple(Step(grow[i % len(grow)].id, bytes(8), bytes([i])) for i in range(50))
    mutant = chains.apply(Recipe(SEED, steps))
    assert sum(step.changed for step in mutant.steps) >= 20
    assert mutant.problem.nodes <= chain.MAX_NODES


@pytest.mark.parametrize(
    ("length", "nodes"), [(1_400, chain.MAX_NODES), pytest.param(13_200, 300_000, marks=pytest.mark.slow)]
)
def test_a_seed_beyond_the_bound_is_mutated_by_most_rows(
    rows: Registry, chains: Chains, length: int, nodes: int
) -> None:
    links = range(length)
    text = "".join(f"(declare-fun p{i} (Int Int Bool) Bool)" for i in links) + "(assert (p0 0 0 true))"
    for i in links[1:]:
        text += f"""(assert (forall ((x Int) (y Int) (b Bool)) (=> (and (p{i - 1} x y b) (or (< x {i}) (> y 3)))
        (p{i} (+ x 1) (- y x) (not b)))))"""
    seed = f"(set-logic HORN){text}(check-sat)"
    system = parse(seed)
    assert system.nodes > nodes
    own = [row for row in rows.mutations if row.family in GROWING and row.applies(system)]
    changed = 0
    for row in own:
        mutant = chains.apply(Recipe(seed, (Step(row.id, b"", b"key"),)))
        changed += mutant.steps[0].changed
        assert mutant.problem.nodes <= system.nodes + chain.MAX_GROWTH
    assert changed >= 0.8 * len(own) >= 20


def test_a_large_seed_can_be_mutated_and_grow(monkeypatch: pytest.MonkeyPatch, chains: Chains) -> None:
    monkeypatch.setattr(chain, "MAX_NODES", 10)
    monkeypatch.setattr(chain, "MAX_GROWTH", 50)
    size = sum(clause.formula.size for clause in parse(SEED).clauses)
    mutant = chains.apply(
        Recipe(SEED, (SWAP, REVERSE, *(Step("rules.add-lin-rule", bytes([1, i])) for i in range(50))))
    )
    assert [applied.changed for applied in mutant.steps[:3]] == [True, True, True]
    assert size + 40 < sum(clause.formula.size for clause in as_system(mutant.problem).clauses) <= size + 50
    assert not mutant.steps[-1].changed


def test_what_is_left_without_idle_steps_is_not_applied_again() -> None:
    runs = []

    def again(system: System, _choices: object) -> System | None:
        runs.append(len(system.clauses))
        return system.with_clauses((*system.clauses, system.clauses[0]))

    counted = Mutation(
        "test.counted", Promise.EQUIVALENT, "", "made up", again, lambda _system: True, needs=Needs.CLAUSES
    )
    chains = Chains(Registry((counted,), ()))
    step = Step("test.counted", b"")
    recipe = chains.without_idle_steps(Recipe(SEED, (step, UNKNOWN, step)))
    assert recipe.steps == (step, step)
    mutant = chains.apply(recipe)
    assert runs == [3, 4]
    assert [(applied.step, applied.changed) for applied in mutant.steps] == [(step, True), (step, True)]
    assert mutant == Chains(Registry((counted,), ())).apply(recipe)


def test_prefixes_that_are_used_are_cached_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    rewrites = []
    row = made("made.again", Promise.EQUIVALENT)

    def counted(system: System, choices: Choices) -> System | None:
        rewrites.append(1)
        return row.rewrite(system, choices)

    chains = Chains(Registry([replace(row, rewrite=counted)], []), cached=10)
    used, others = Step("made.again", b"used"), (Step("made.again", bytes([i])) for i in range(100))
    for other in others:
        chains.apply(Recipe(SEED, (used,)))
        chains.apply(Recipe(SEED, (other,)))
    assert len(rewrites) == 101
    monkeypatch.setattr(chain, "_CACHED_CLAUSES", 9)  # the mutants have four clauses each
    chains.apply(Recipe(SEED, (used, used)))
    chains.apply(Recipe(SEED, (used,)))
    chains.apply(Recipe(SEED, (used, used)))
    assert len(rewrites) == 102, "two are cached"
    chains.apply(Recipe(SEED, (used, used, used)))
    chains.apply(Recipe(SEED, (used,)))
    assert len(rewrites) == 104, "one is"


def test_keys_are_equal_exactly_if_text_and_parameters_are(chains: Chains) -> None:
    parameters = [(), (("fp.xform.slice", "false"),), (("fp.xform.slice", "true"),), (("fp.spacer.ctp", "true"),)]
    chosen = [(), (SWAP,), (SWAP, SWAP), (REVERSE,), (IDLE,), (RENAME,), (RULE,), (UNKNOWN, SWAP, IDLE)]
    mutants = [chains.apply(Recipe(SEED, steps, pairs)) for steps in chosen for pairs in parameters]
    for one in mutants:
        for other in mutants:
            same = (one.text, one.parameters) == (other.text, other.parameters)
            assert (one.key == other.key) == same
    assert len({mutant.key for mutant in mutants}) < len(mutants)


def test_the_status_is_no_part_of_the_key(chains: Chains) -> None:
    without_status = SEED.replace("(set-info :status unsat)\n", "")
    assert chains.apply(Recipe(SEED)).key == chains.apply(Recipe(without_status)).key


def test_a_seed_that_states_no_system_is_refused(chains: Chains) -> None:
    with pytest.raises(ValueError, match="states no problem"):
        chains.apply(Recipe("(assert (p 0))"))


def test_a_step_that_would_nest_quantifiers_too_deep_changes_nothing(rows: Registry, chains: Chains) -> None:
    seed = f"""(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> {deep("(= x 1)")} (p x))))
(assert (forall ((x Int)) (=> {deep("(p x)")} (q x))))
(check-sat)"""
    row = rows.get("unfolding.unfold-use")
    assert row is not None
    step = Step(row.id, b"", b"key")
    with pytest.raises(DepthError):
        row.rewrite(parse(seed), step.decisions())
    mutant = chains.apply(Recipe(seed, (step,)))
    assert [applied.changed for applied in mutant.steps] == [False]
    assert mutant.problem == parse(seed)
