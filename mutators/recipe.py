"""The recipe, one fuzz input: a seed, a chain of steps, solver parameters; and its bytes.

Any bytes are a recipe. Three forms are told apart by how they begin:

- `MAGIC`, then zlib with a fixed dictionary over the fields below, is what `encode` writes. The seed is inside, so
  a corpus file means the same wherever it lies, whatever `-merge=1` drops beside it;
- text that states a CHC system is that seed with an empty chain, so plain `.smt2` files are a corpus;
- everything else is entropy: choices of a built-in seed and a chain of our own mutations.

Fields: the number of parameters (1 byte), each a name and a value (1 byte of length each); the number of steps
(2 bytes), each an id (1 byte of length) and its choices (2 bytes of length); the seed's text as UTF-8. Numbers are
little-endian. What a cut or damaged recipe still says is kept, but for parameters that could stand in no script; a
lost seed is replaced by a built-in one.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from dataclasses import dataclass, replace
from pathlib import Path

from chcfuzz.grammar import reading
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.mutators import arithmetic, boolean, names, order, quantifiers, rules
from chcfuzz.mutators.seeds import BUILT_IN, canonical_seed, read_seed, refusal

MAGIC = b"chcfuzz\x01"
MAX_BODY = 1 << 20  # bytes of fields; what is longer is cut
MAX_PARAMETERS, MAX_STEPS = 255, 1000
_DICTIONARY = Path(__file__).with_name("dictionary.smt2").read_bytes()
_REMEMBERED = re.compile(r'\(set-info :chcfuzz-outcome "[^"]*"\)\n?')
# Entropy draws from a list that does not depend on the installed Z3.
_ENTROPY_IDS = tuple(
    row.id for module in (boolean, quantifiers, arithmetic, rules, order, names) for row in module.MUTATIONS
)
_MOST_ENTROPY_STEPS = 8
_WORD = re.compile(r"[\w.+-]+", re.ASCII)  # of a parameter: what can stand in a set-option


@dataclass(frozen=True)
class Step:
    """One mutation and the bytes that its choices are read from."""

    mutation: str
    choices: bytes


@dataclass(frozen=True)
class Recipe:
    """`seed` is SMT-LIB text; `parameters` are (name, value), words like `fp.spacer.ctp` and `true`, each name once."""

    seed: str
    steps: tuple[Step, ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()


def encode(recipe: Recipe) -> bytes:
    """The bytes of a recipe; `decode` of them is the same recipe if its seed states a system."""
    packer = zlib.compressobj(9, zdict=_DICTIONARY)
    return MAGIC + packer.compress(fields(recipe)) + packer.flush()


def decode(data: bytes) -> Recipe:
    """The recipe that any bytes are; never raises. Its seed states a system."""
    if data.startswith(MAGIC):
        return from_fields(_inflated(data[len(MAGIC) :]))
    text = text_of(data)
    if text is not None and read_seed(text) is not None:
        return Recipe(text)
    return _from_entropy(data)


def digest(data: bytes) -> str:
    """The name libFuzzer gives a unit."""
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()


def text_of(data: bytes) -> str | None:
    """The text that bytes are meant as, without what an import remembered in it; None for other bytes."""
    if data.startswith(MAGIC) or not reading.looks_like_script(data):
        return None
    return _REMEMBERED.sub("", reading.text_of(data))


def refusal_of(data: bytes, name: str) -> GrammarError | None:
    """Why bytes that look like SMT-LIB, of this name, state no system; None for a system, and for other bytes."""
    text = text_of(data)
    return None if text is None else refusal(text, name)


def canonical(recipe: Recipe) -> Recipe:
    """The same recipe, its seed printed by us: without comments, with its status."""
    return Recipe(canonical_seed(recipe.seed), recipe.steps, recipe.parameters)


def fields(recipe: Recipe) -> bytes:
    """The fields of a recipe, uncompressed."""
    out = bytearray([len(recipe.parameters[:MAX_PARAMETERS])])
    for pair in recipe.parameters[:MAX_PARAMETERS]:
        for word in pair:
            out += _with_length(word.encode(), 1)
    steps = recipe.steps[:MAX_STEPS]
    out += len(steps).to_bytes(2, "little")
    for step in steps:
        out += _with_length(step.mutation.encode(), 1) + _with_length(step.choices, 2)
    return bytes(out) + recipe.seed.encode()


def decode_chain(data: bytes) -> Recipe:
    """What `decode` gives for encoded recipes and text, without reading the seed: it may state no system."""
    if data.startswith(MAGIC):
        return _from_fields(_inflated(data[len(MAGIC) :]))
    text = text_of(data)
    return decode(data) if text is None else Recipe(text)


def from_fields(data: bytes) -> Recipe:
    """The recipe that any fields state, cut or damaged ones too; its seed states a system."""
    recipe = _from_fields(data)
    if read_seed(recipe.seed) is not None:
        return recipe
    return replace(recipe, seed=BUILT_IN[zlib.crc32(recipe.seed.encode()) % len(BUILT_IN)])


def _from_fields(data: bytes) -> Recipe:
    reader = _Reader(data)
    parameters = {}
    for _ in range(reader.number(1)):
        name, value = reader.text(1), reader.text(1)
        if _WORD.fullmatch(name) and _WORD.fullmatch(value):
            parameters[name] = value
    steps = []
    for _ in range(min(reader.number(2), MAX_STEPS)):
        mutation, choices = reader.text(1), reader.piece(2)
        if mutation:
            steps.append(Step(mutation, choices))
    return Recipe(reader.rest().decode("utf-8", "replace"), tuple(steps), tuple(parameters.items()))


def _with_length(piece: bytes, size: int) -> bytes:
    piece = piece[: (1 << 8 * size) - 1]
    return len(piece).to_bytes(size, "little") + piece


def _inflated(data: bytes) -> bytes:
    """What of the compressed fields can be read; damage ends it."""
    unpacker = zlib.decompressobj(zdict=_DICTIONARY)
    out = b""
    try:
        for start in range(0, len(data), 256):
            out += unpacker.decompress(data[start : start + 256], MAX_BODY)
            if len(out) > MAX_BODY:
                break
    except zlib.error:
        pass
    return out[:MAX_BODY]


def _from_entropy(data: bytes) -> Recipe:
    choices = Choices(data)
    seed = choices.pick(BUILT_IN)
    steps = tuple(
        Step(choices.pick(_ENTROPY_IDS), bytes(choices.index(256) for _ in range(4)))
        for _ in range(choices.index(_MOST_ENTROPY_STEPS + 1))
    )
    return Recipe(seed, steps)


class _Reader:
    """Reads fields; beyond the end everything is empty."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._position = 0

    def _take(self, length: int) -> bytes:
        piece = self._data[self._position : self._position + length]
        self._position += length
        return piece

    def number(self, size: int) -> int:
        return int.from_bytes(self._take(size), "little")

    def piece(self, size: int) -> bytes:
        return self._take(self.number(size))

    def text(self, size: int) -> str:
        return self.piece(size).decode("utf-8", "ignore")  # never longer than it was, so it can be written again

    def rest(self) -> bytes:
        return self._data[self._position :]
