"""Changes of a recipe, as a table with weights; the most frequent change adds a row that the policy chooses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.drawing.drawing_limits import USUAL, Limits
from chcfuzz.grammar.problem import BaseProblem
from chcfuzz.mutators.chain import Chains
from chcfuzz.mutators.policy import Policy, context_of
from chcfuzz.mutators.recently_used import RecentlyUsed
from chcfuzz.mutators.recipe import Recipe, Step, canonical, fields, from_fields
from chcfuzz.mutators.seeds import is_built_in

ByteMutate = Callable[[bytes, int], bytes]
Steps = tuple[Step, ...]
Before = Callable[[], BaseProblem]  # the problem before a step

MOST_STEPS = 100  # HornFuzz leaves a group after 100 mutants in a row
_CHOICE_BYTES, _KEY_BYTES = 8, 4  # of a new step: most mutations draw fewer than eight decisions
_MOST_TEXT = 16_384  # bytes of a second problem that a step may take


@dataclass(frozen=True)
class Around:
    """Everything that a change may use in addition to the recipe.

    `byte_mutate` changes bytes within a size, if it is given. Only rows whose ids `allows` accepts are added.
    `limits` are the bounds of drawn roots.
    """

    chains: Chains
    policy: Policy
    seeds: RecentlyUsed[str]
    byte_mutate: ByteMutate | None
    allows: Callable[[str], bool] = lambda _: True
    limits: Limits = USUAL


Make = Callable[[Recipe, Choices, Around], Recipe]


@dataclass(frozen=True)
class ChangeRow:
    """A row of the table: a description, the weight among the changes that apply, and the change itself."""

    description: str
    weight: int
    applies: Callable[[Recipe, Around], bool]
    make: Make


def changed(recipe: Recipe, choices: Choices, around: Around) -> Recipe:
    """Return the recipe after one change, or occasionally two or three."""
    for _ in range(choices.pick((1, 1, 1, 2, 3))):
        recipe = _drawn(recipe, choices, around).make(recipe, choices, around)
    return recipe


def own(recipe: Recipe, choices: Choices, seeds: RecentlyUsed[str]) -> Recipe:
    """Return the recipe on one of these seeds, if there are any and its own is another built-in one."""
    if len(seeds) and is_built_in(recipe.seed, recipe.roots) and recipe.seed not in seeds:
        return canonical(replace(recipe, seed=seeds.draw(choices)))
    return recipe


def _drawn(recipe: Recipe, choices: Choices, around: Around) -> ChangeRow:
    rows = [row for row in CHANGES if row.applies(recipe, around)]
    number = choices.index(sum(row.weight for row in rows))
    for row in rows:
        number -= row.weight
        if number < 0:
            break
    return row


def one_more_row(recipe: Recipe, choices: Choices, around: Around) -> Recipe:
    """Return the recipe with one more step at its end, or with more parameters, as the policy chooses."""
    return _with_row(recipe, (recipe.steps, ()), choices, around)


def _other_row(recipe: Recipe, choices: Choices, around: Around) -> Recipe:
    at = choices.index(len(recipe.steps))
    return _with_row(recipe, (recipe.steps[:at], recipe.steps[at + 1 :]), choices, around)


def _with_row(recipe: Recipe, sides: tuple[Steps, Steps], choices: Choices, around: Around) -> Recipe:
    """Apply the policy's choice among the rows that apply: parameters, or a step between the two sides."""
    before, after = sides
    problem = around.chains.apply(replace(recipe, steps=before)).problem
    registry = around.chains.registry
    context = context_of(problem, recipe, registry)
    row = around.policy.choose(choices, context, lambda row: around.allows(row) and registry.applies(row, problem))
    settings = registry.settings(row, choices)
    if not settings:
        return _with_steps(recipe, (*before, _new_step(row, choices, around, lambda: problem), *after))
    pairs = {**dict(recipe.parameters), **dict(settings)}
    return replace(recipe, parameters=tuple(sorted(pairs.items())))


def _new_step(row: str, choices: Choices, around: Around, before: Before) -> Step:
    """Return a step of this row for the problem before it."""
    mutation = around.chains.registry.get(row)
    if mutation is not None and mutation.data_for is not None:
        return Step(row, mutation.data_for(before(), choices) or b"", _bytes(_KEY_BYTES, choices))
    if _takes_system(row, around) and len(around.seeds):
        text = around.seeds.draw(choices).encode()
        data = text if len(text) <= _MOST_TEXT else b""  # empty bytes stand for a built-in seed
    else:
        return random_step(row, choices)
    return Step(row, data, _bytes(_KEY_BYTES, choices))


def random_step(row: str, choices: Choices) -> Step:
    """Return a step of this row whose bytes are drawn, so that the row takes random decisions."""
    return Step(row, _bytes(_CHOICE_BYTES, choices), _bytes(_KEY_BYTES, choices))


def with_step(recipe: Recipe, row: str, choices: Choices) -> Recipe:
    """Return the recipe with a random step of this row at its end."""
    return _with_steps(recipe, (*recipe.steps, random_step(row, choices)))


def _takes_system(row: str, around: Around) -> bool:
    mutation = around.chains.registry.get(row)
    return mutation is not None and mutation.takes_system


def _holds_text(row: str, around: Around) -> bool:
    mutation = around.chains.registry.get(row)
    return mutation is not None and (mutation.takes_system or mutation.data_for is not None)


def _bytes(number: int, choices: Choices) -> bytes:
    return bytes(choices.index(256) for _ in range(number))


def _fewer_steps(recipe: Recipe, choices: Choices, _around: Around) -> Recipe:
    first = choices.index(len(recipe.steps))
    last = first + 1 if choices.boolean() else choices.integer(first + 1, len(recipe.steps))
    return _with_steps(recipe, (*recipe.steps[:first], *recipe.steps[last:]))


def _step_again(recipe: Recipe, choices: Choices, _around: Around) -> Recipe:
    step = choices.pick(recipe.steps)
    return _with_steps(recipe, (*recipe.steps, *(step for _ in range(choices.pick((1, 1, 2, 8))))))


def _other_order(recipe: Recipe, choices: Choices, _around: Around) -> Recipe:
    return _with_steps(recipe, tuple(recipe.steps[i] for i in choices.permutation(len(recipe.steps))))


def _other_choices(recipe: Recipe, choices: Choices, around: Around) -> Recipe:
    """Change one byte of a step, or all: the mutation takes another decision, or applies elsewhere."""
    at = choices.index(len(recipe.steps))
    old = recipe.steps[at]
    change = _one_byte_else if choices.boolean() else _new_step_like
    new = change(old, choices, around, lambda: around.chains.apply(replace(recipe, steps=recipe.steps[:at])).problem)
    return _with_steps(recipe, (*recipe.steps[:at], new, *recipe.steps[at + 1 :]))


def _new_step_like(step: Step, choices: Choices, around: Around, before: Before) -> Step:
    return _new_step(step.mutation, choices, around, before)


def _one_byte_else(step: Step, choices: Choices, around: Around, before: Before) -> Step:
    fixed = len(step.choices) if _holds_text(step.mutation, around) else 0  # a damaged text would become another seed
    data = bytearray(step.choices + step.key)
    if len(data) == fixed:
        return _new_step(step.mutation, choices, around, before)
    at = fixed + choices.index(len(data) - fixed)
    data[at] = (data[at] + choices.integer(1, 255)) % 256
    length = len(step.choices)
    return replace(step, choices=bytes(data[:length]), key=bytes(data[length:]))


def _parameter_unset(recipe: Recipe, choices: Choices, _around: Around) -> Recipe:
    gone = choices.index(len(recipe.parameters))
    return replace(recipe, parameters=(*recipe.parameters[:gone], *recipe.parameters[gone + 1 :]))


def _other_seed(recipe: Recipe, choices: Choices, around: Around) -> Recipe:
    seed = around.seeds.draw(choices) if len(around.seeds) else choices.pick(around.chains.roots.built_in)
    return canonical(replace(recipe, seed=seed))


def _drawn_root(_recipe: Recipe, choices: Choices, around: Around) -> Recipe:
    roots = around.chains.roots
    return Recipe(roots.print(roots.draw(choices, around.limits)), roots=roots)


def _other_bytes(recipe: Recipe, _choices: Choices, around: Around) -> Recipe:
    """Change the fields before the seed's text as bytes, which encode another recipe on the same seed.

    The bytes have a number in place of a text that a step holds: a damaged system would still declare its status.
    Parameters without a row are dropped, since a crash of Z3 on a number out of range is not interesting.
    """
    assert around.byte_mutate is not None
    holding = [step for step in recipe.steps if _holds_text(step.mutation, around)]
    numbers = {step: number.to_bytes(2, "little") for number, step in enumerate(holding)}  # MAX_STEPS at most
    numbered = [replace(step, choices=numbers.get(step, step.choices)) for step in recipe.steps]
    head = fields(replace(recipe, seed="", steps=tuple(numbered)))
    other = from_fields(around.byte_mutate(head, 2 * len(head) + 16), recipe.roots)
    takes = around.chains.registry.takes
    pairs = tuple(pair for pair in other.parameters if pair in recipe.parameters or takes(*pair))
    texts = {(step.mutation, number): step.choices for step, number in numbers.items()}

    def with_text(step: Step) -> Step:
        return replace(step, choices=texts.get((step.mutation, step.choices), b""))

    steps = (with_text(step) if _holds_text(step.mutation, around) else step for step in other.steps)
    return replace(recipe, steps=tuple(steps), parameters=pairs)


def _with_steps(recipe: Recipe, steps: Steps) -> Recipe:
    return replace(recipe, steps=steps[-MOST_STEPS:])


def _has_steps(recipe: Recipe, _around: Around) -> bool:
    return bool(recipe.steps)


def _has_seeds(recipe: Recipe, around: Around) -> bool:
    return len(around.seeds) > 0 or is_built_in(recipe.seed, recipe.roots)


CHANGES = (
    ChangeRow("add the policy's choice: one more step, or parameters", 42, lambda *_: True, one_more_row),
    ChangeRow("replace a step by the policy's choice", 2, _has_steps, _other_row),
    ChangeRow("remove a step, or consecutive steps", 3, _has_steps, _fewer_steps),
    ChangeRow("repeat a step, up to eight times", 3, _has_steps, _step_again),
    ChangeRow("shuffle the steps", 2, _has_steps, _other_order),
    ChangeRow("change the choices of a step", 4, _has_steps, _other_choices),
    ChangeRow("remove a parameter", 4, lambda recipe, _: bool(recipe.parameters), _parameter_unset),
    ChangeRow("replace the seed", 2, _has_seeds, _other_seed),
    ChangeRow("draw another root", 3, lambda _, around: around.chains.roots.draws, _drawn_root),
    ChangeRow(
        "mutate the fields with libFuzzer's own mutations",
        2,
        lambda _, around: around.byte_mutate is not None,
        _other_bytes,
    ),
)
