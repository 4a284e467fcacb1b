"""Recipes and their bytes: what is written comes back, and any bytes are a recipe."""

import base64
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.domains.chc.rows import names, order, rules
from chcfuzz.grammar.printing.printer import print_system
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.grammar.system import as_system
from chcfuzz.mutators import roots
from chcfuzz.mutators.chain import Chains, Mutant
from chcfuzz.mutators.envelope import PREFIX, VERSION, sealed
from chcfuzz.mutators.families import arithmetic, boolean, quantifiers
from chcfuzz.mutators.recipe import (
    MAX_PARAMETERS,
    MAX_STEPS,
    Recipe,
    Step,
    canonical,
    decode,
    decode_chain,
    encode,
    fault,
    fields,
    from_fields,
    read,
    text_of,
)
from chcfuzz.mutators.seeds import read_seed, refusal

MAGIC = PREFIX + bytes([VERSION])
SAMPLES = Path(__file__).with_name("samples")
SEED = "(set-logic HORN)\n(set-info :status sat)\n(declare-fun p (Int) Bool)\n(assert (p 0))\n(check-sat)\n"
RECIPE = Recipe(
    SEED,
    (
        Step("boolean.swap-and", b"\x00\xff"),
        Step("order.shuffle-clauses", b"", b"key"),
        Step("boolean.swap-and", b"\x07" * 300, b"\x00\xff"),
    ),
    (("fp.spacer.ctp", "true"), ("fp.xform.slice", "false")),
)
IDS = [row.id for module in (boolean, quantifiers, arithmetic, rules, order, names) for row in module.MUTATIONS]


def stream(name: object, length: int) -> bytes:
    """Bytes that look random and are the same in every run."""
    return hashlib.shake_128(str(name).encode()).digest(length)


def drawn(number: int, texts: list[str]) -> Recipe:
    """A recipe drawn by a number."""
    data = stream(("recipe", number), 64)
    steps = [
        Step(IDS[byte % len(IDS)], stream((number, i), byte % 40), stream((number, i, "key"), byte % 7))
        for i, byte in enumerate(data[: data[63] % 20])
    ]
    parameters = [(f"fp.name{byte % 50}", str(byte)) for byte in data[20 : 20 + data[62] % 5]]
    return Recipe(texts[number % len(texts)], tuple(steps), tuple(dict(parameters).items()))


def damaged(number: int) -> bytes:
    """Bytes of every kind that a corpus may hold, drawn by a number."""
    data = stream(number, 2 + number % 90)
    kind = number % 6
    if kind == 1:
        return MAGIC + data
    if kind == 2:
        return sealed(data)
    if kind == 3:
        return sealed(bytes([data[0] % 3]) + data[1:] + SEED.encode())
    if kind == 4:
        return SEED.encode()[: number % (len(SEED) + 1)] + data[: number % 3]
    if kind == 5:
        whole = bytearray(encode(RECIPE))
        whole[data[0] % len(whole)] ^= data[1] | 1
        return bytes(whole)
    return data


def check(data: bytes) -> Recipe:
    """Decode, and see that the answer is a recipe that can be applied and written."""
    recipe = decode(data)
    assert read_seed(recipe.seed) is not None
    assert len(recipe.steps) <= MAX_STEPS
    assert len(dict(recipe.parameters)) == len(recipe.parameters) <= MAX_PARAMETERS
    return recipe


def test_a_canonical_seed_means_what_its_text_means() -> None:
    """Otherwise the process that printed it would make another mutant of the unit than all later ones."""
    text = """(set-logic HORN)(define-fun minus ((n Int)) Int (- n))(declare-fun p (Int) Bool)
        (assert (forall ((x Int)) (=> (= x (minus 5)) (p x))))"""
    seed = canonical(Recipe(text)).seed
    assert "(= x (- 5))" in seed
    assert read_seed(seed) == parse(seed)


def test_what_is_encoded_is_decoded(texts: dict[str, str]) -> None:
    known = list(texts.values())
    for number in range(500):
        recipe = drawn(number, known)
        assert decode(encode(recipe)) == recipe
    assert decode(encode(RECIPE)) == RECIPE


def test_the_seed_of_a_recipe_and_its_unit_are_in_its_domain() -> None:
    smt = roots.load("smt").roots
    recipe = Recipe("(assert true)", RECIPE.steps, (("solver", "cvc5"),), smt)
    assert (recipe.seed_alone, recipe.seed_alone.roots) == (Recipe("(assert true)"), smt)
    assert (recipe.unit.data, recipe.unit.roots) == (encode(recipe), smt)
    assert recipe.unit.recipe == recipe, "the parameter `solver` is one of SMT problems"


def test_fields_say_the_same_as_the_bytes() -> None:
    assert from_fields(fields(RECIPE), RECIPE.roots) == RECIPE
    assert encode(RECIPE).startswith(MAGIC)
    assert len(encode(RECIPE)) < len(fields(RECIPE))


@pytest.mark.parametrize("pair", [("fp.spacer.ctp", "a b"), ("ctp)", "true"), ("", "true"), ("fp.q", ""), ("é", "1")])
def test_a_parameter_that_no_script_could_hold_is_lost(pair: tuple[str, str]) -> None:
    recipe = replace(RECIPE, parameters=(("fp.spacer.ctp", "false"), pair))
    assert decode(encode(recipe)) == replace(RECIPE, parameters=(("fp.spacer.ctp", "false"),))


def test_every_truncation_is_a_recipe_with_the_first_steps() -> None:
    data = encode(RECIPE)
    for end in range(len(data)):
        recipe = check(data[:end])
        if end >= len(MAGIC):
            whole = recipe.steps[:-1]  # the last one may be cut
            assert whole == RECIPE.steps[: len(whole)]


def test_every_truncation_of_the_fields_keeps_the_part_before_the_cut() -> None:
    data = fields(RECIPE)
    for end in range(len(data)):
        recipe = from_fields(data[:end], RECIPE.roots)
        assert recipe.steps[:-1] == RECIPE.steps[: max(0, len(recipe.steps) - 1)]
        assert SEED.startswith(recipe.seed)


def test_every_flipped_bit_gives_a_recipe() -> None:
    data = encode(RECIPE)
    for place in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[place // 8] ^= 1 << place % 8
        check(bytes(flipped))


def test_a_plain_file_is_a_seed_with_an_empty_chain(texts: dict[str, str]) -> None:
    for text in texts.values():
        assert decode(text.encode()) == Recipe(text)


def test_an_outcome_that_an_import_remembered_is_forgotten() -> None:
    outcome = '(set-info :chcfuzz-outcome "sat in 12 ms")\n'
    with_outcome = SEED.replace("(declare", outcome + "(declare")
    assert decode(with_outcome.encode()) == Recipe(SEED)
    assert text_of(with_outcome.encode()) == SEED


@pytest.mark.parametrize("data", [b"", b"\n\t ", b"no parenthesis", b"\xff("])
def test_what_begins_like_no_text_is_none(data: bytes) -> None:
    assert text_of(data) is None


@pytest.mark.parametrize("data", [b"", MAGIC, MAGIC[:-1], b"(", b";", b"(check-sat)", b"(assert (p 0))"])
def test_bytes_that_say_little_are_a_recipe_with_a_seed_that_is_built_in_or_their_own(data: bytes) -> None:
    recipe = check(data)
    assert recipe.seed in BUILT_IN or recipe.seed == data.decode()


def test_empty_bytes_are_the_first_seed_alone() -> None:
    assert decode(b"") == Recipe(BUILT_IN[0])


def test_entropy_reaches_every_built_in_seed_and_every_mutation_of_ours() -> None:
    recipes = [decode(stream(number, 80)) for number in range(2000)]
    assert {recipe.seed for recipe in recipes} == set(BUILT_IN)
    assert {step.mutation for recipe in recipes for step in recipe.steps} == set(IDS)
    assert {len(recipe.steps) for recipe in recipes} == set(range(9))


@pytest.mark.parametrize("seed", BUILT_IN)
def test_built_in_seeds_state_systems_with_a_status(seed: str) -> None:
    assert parse(seed).status in ("sat", "unsat")


def test_a_text_that_states_no_system_is_refused_with_a_reason() -> None:
    assert refusal(SEED, "seed") is None
    assert read_seed("(assert (p 0))") is None
    assert "p" in str(refusal("(assert (p 0))", "seed"))


def test_too_much_of_everything_is_cut() -> None:
    steps = tuple(Step("order.swap-clauses", b"") for _ in range(MAX_STEPS + 5))
    parameters = tuple((f"fp.p{i}", "1") for i in range(MAX_PARAMETERS + 5))
    assert decode(encode(Recipe(SEED, steps))) == Recipe(SEED, steps[:MAX_STEPS])
    assert decode(encode(Recipe(SEED, (), parameters))) == Recipe(SEED, (), parameters[:MAX_PARAMETERS])
    assert decode(encode(Recipe(SEED, (Step("a" * 300, b"c" * 70000, b"k" * 300),)))).steps == (
        Step("a" * 255, b"c" * 65535, b"k" * 255),
    )


def test_bytes_that_are_what_they_begin_as_have_no_fault(texts: dict[str, str]) -> None:
    for data in (b"", b"no parenthesis", stream("entropy", 50), *(text.encode() for text in texts.values())):
        assert fault(data) is None
    assert fault(encode(RECIPE)) is None


def test_every_truncation_of_a_stored_recipe_is_detected() -> None:
    data = encode(RECIPE)
    for end in range(len(PREFIX), len(data)):
        assert "cut off" in str(fault(data[:end]))


def test_every_flipped_bit_of_a_stored_recipe_is_detected() -> None:
    data = encode(RECIPE)
    for place in range(8 * len(PREFIX), 8 * len(data)):
        flipped = bytearray(data)
        flipped[place // 8] ^= 1 << place % 8
        meant_nothing = decode(bytes(flipped)) == RECIPE  # the size of zlib's window, the bits behind its last block
        assert meant_nothing or fault(bytes(flipped)) is not None, place


def test_a_recipe_of_a_newer_chcfuzz_is_detected_as_such() -> None:
    newer = PREFIX + bytes([VERSION + 1]) + encode(RECIPE)[len(MAGIC) :]
    assert (
        fault(newer) == f"was written by a newer chcfuzz: recipe format {VERSION + 1}, this one reads up to {VERSION}"
    )
    check(newer)


def test_a_recipe_without_a_valid_seed_is_detected() -> None:
    unit = read(encode(Recipe("(assert (p 0))", RECIPE.steps)))
    assert str(unit.fault).startswith("holds a seed that is not a valid CHC system: ")
    assert (unit.recipe.seed in BUILT_IN, unit.recipe.steps) == (True, RECIPE.steps)


def test_a_rejected_text_is_reported_with_its_place() -> None:
    assert str(fault(b"(set-logic HORN)\n(assert (< x 1))\n")).startswith("is not a valid CHC system: ")


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("*.recipe")), ids=lambda path: path.stem)
def test_stored_units_of_every_format_mean_what_they_meant(chains: Chains, sample: Path) -> None:
    data = sample.read_bytes()
    assert data[len(PREFIX)] == int(sample.stem[0])
    assert fault(data) is None
    expected = parse(sample.with_suffix(".smt2").read_text())
    for recipe in (decode(data), decode(encode(decode(data)))):  # written again in the present format
        mutant = chains.apply(recipe)
        assert (as_system(mutant.problem).clauses, mutant.parameters) == (expected.clauses, expected.options)


def with_expected(mutant: Mutant) -> str:
    """Return the script of a mutant with the expected status, whatever its ground."""
    status = "" if mutant.expected is None else f"(set-info :status {mutant.expected})\n"
    return mutant.script().replace("(set-logic HORN)\n", f"(set-logic HORN)\n{status}", 1)


def test_pinned_units_still_make_the_mutants_they_made(chains: Chains) -> None:
    """Each line has a stored unit, the SHA-256 of its mutant's script with the expected status, and its promise."""
    pinned = [json.loads(line) for line in (SAMPLES / "pinned.jsonl").read_text().splitlines()]
    assert len(pinned) >= 500
    for row in pinned:
        mutant = chains.apply(decode(base64.b64decode(row["unit"])))
        made = hashlib.sha256(with_expected(mutant).encode()).hexdigest()
        assert (made, mutant.promise.value) == (row["mutant"], row["promise"]), row["unit"]


def test_every_format_has_samples() -> None:
    assert {int(sample.stem[0]) for sample in SAMPLES.glob("*.recipe")} == set(range(1, VERSION + 1))


FORBIDDEN = (
    ("fp.spacer.trace_file", "/tmp/victim"),
    ("fp.spacer.trace_file", "true"),
    ("fp.spacer.Trace-File", "1"),
    ("fp.print_aig", "graph"),
    ("fp.spacer.dump_benchmarks", "true"),
    ("fp:spacer.trace_file", "victim"),
    ("fp.spacer.ctp", "|a b|"),
    ("fp.spacer.max_level", "9" * 200),
    ("nlsat.seed", "1"),
    ("sat.drat.file", "victim"),
    ("trace_file_name", "victim"),
)


@pytest.mark.parametrize(("name", "value"), FORBIDDEN)
def test_an_option_that_names_a_file_or_prints_reaches_no_solver_and_no_script(
    chains: Chains, name: str, value: str
) -> None:
    text = decode(f"(set-option :{name} {value})\n{SEED}".encode())
    stored = decode(encode(replace(RECIPE, parameters=((name, value),))))
    built = replace(RECIPE, parameters=((name, value),))  # as from the record of a finding
    for recipe in (text, stored, built):
        mutant = chains.apply(recipe)
        assert mutant.parameters == ()
        assert "set-option" not in mutant.script() + mutant.text + print_system(parse(recipe.seed))
    assert text.parameters == stored.parameters == ()
    assert "set-option" not in print_system(replace(parse(SEED), options=((name, value),)))


def test_the_parameters_that_a_text_sets_are_the_recipes(chains: Chains) -> None:
    text = f"(set-option :fp.spacer.ctp false)\n(set-option :fp.engine spacer)\n{SEED}"
    recipe = decode(text.encode())
    assert recipe.parameters == (("fp.engine", "spacer"), ("fp.spacer.ctp", "false"))
    seed = parse(recipe.seed)
    assert seed.options == ()
    assert seed.clauses == parse(SEED).clauses
    assert chains.apply(recipe).parameters == recipe.parameters
    assert decode(encode(recipe)) == recipe


def test_a_recipes_parameter_overrules_its_seeds() -> None:
    stored = Recipe("(set-option :fp.spacer.ctp false)\n" + SEED, parameters=(("fp.spacer.ctp", "true"),))
    assert decode(encode(stored)).parameters == (("fp.spacer.ctp", "true"),)


def test_a_canonical_recipe_means_the_same_without_comments() -> None:
    commented = Recipe("; a comment\n" + SEED.replace("\n", "\n\n"), RECIPE.steps, RECIPE.parameters)
    found = canonical(commented)
    assert (found.steps, found.parameters) == (RECIPE.steps, RECIPE.parameters)
    assert "comment" not in found.seed
    assert parse(found.seed) == parse(commented.seed)
    assert canonical(found) == found


def test_a_decoded_recipe_is_written_and_read_as_itself() -> None:
    for number in range(2000):
        recipe = decode(damaged(number))
        assert decode(encode(recipe)) == recipe
    no_text = fields(RECIPE).replace(bytes([16]) + b"boolean.swap-and", bytes([255]) + b"\xff" * 200 + b"\xc3" * 55)
    recipe = from_fields(no_text, RECIPE.roots)
    assert from_fields(fields(recipe), recipe.roots) == recipe


@pytest.mark.parametrize(
    "numbers",
    [
        range(4_000),
        pytest.param(range(4_000, 50_000), marks=pytest.mark.slow),
        pytest.param(range(50_000, 1_000_000), marks=pytest.mark.exhaustive),
    ],
    ids=["few", "many", "a million"],
)
def test_any_bytes_are_a_recipe(numbers: range) -> None:
    for number in numbers:
        check(damaged(number))


@pytest.mark.slow
def test_decoding_is_the_same_under_other_hash_seeds() -> None:
    inputs = [damaged(number).hex() for number in range(300)] + [stream(number, 60).hex() for number in range(100)]
    program = (
        "import sys\n"
        "from chcfuzz.mutators.recipe import decode, encode\n"
        "for line in sys.stdin: print(decode(bytes.fromhex(line)), encode(decode(bytes.fromhex(line))).hex())"
    )

    def result() -> Iterator[str]:
        for hash_seed in ("0", "1", "4711"):
            environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
            command = [sys.executable, "-c", program]
            done = subprocess.run(
                command, input="\n".join(inputs), env=environment, capture_output=True, text=True, check=True
            )
            yield done.stdout

    first, *others = result()
    assert first.count("Recipe(") == len(inputs)
    assert others == [first, first]


def test_a_chain_is_decoded_without_reading_its_seed() -> None:
    steps, parameters = (Step("order.swap-clauses", b"\1", b"\2"),), (("fp.spacer.ctp", "false"),)
    unreadable = Recipe("(assert", steps, parameters)
    assert decode_chain(encode(unreadable), roots.active()) == unreadable
    assert decode(encode(unreadable)).seed != "(assert"
    text = BUILT_IN[0]
    assert decode_chain(text.encode(), roots.active()) == Recipe(text)
    entropy = bytes(range(40))
    assert decode_chain(entropy, roots.active()) == decode(entropy)
