"""The recipe, one fuzz input: a seed, a chain of steps, solver parameters; and its bytes.

There are three kinds of bytes, distinguished by their beginning:

- the output of `encode`: the fields below in an envelope (`mutators/envelope.py`). It contains the seed, so a corpus
  file has the same meaning in every folder, and `-merge=1` may drop any other file;
- text that states a problem is that seed with an empty chain, so plain `.smt2` files are a corpus;
- everything else is entropy: choices of a built-in seed and a chain of our own mutations.

Fields: the number of parameters (1 byte), each a name and a value (1 byte of length each); the number of steps (2
bytes), each an id (1 byte of length), its choices (2 bytes of length) and, from format 2 on, their key (1 byte of
length); the seed's text as UTF-8. Numbers are little-endian. Steps of format 1 lack the key, and keep their meaning.

`decode` returns a recipe for any bytes, since libFuzzer may pass any to the mutator. For a damaged recipe it returns
the readable part, without parameters that no script could contain, and with a built-in seed in place of a lost one.
Such a recipe is not intended: our mutator changes fields and writes complete envelopes, so damage comes from a full
disk, from -max_len or from another version of chcfuzz. `fault` therefore detects it, and a campaign, `show` and
`replay` reject it.
"""

from __future__ import annotations

import functools
import hashlib
import re
import zlib
from dataclasses import dataclass, field, replace
from functools import cached_property

from chcfuzz.domains.protocol import Roots
from chcfuzz.grammar.choices import Choices
from chcfuzz.grammar.errors import GrammarError
from chcfuzz.grammar.problem import Pairs
from chcfuzz.grammar.reading import decoding
from chcfuzz.grammar.solver_options import is_allowed
from chcfuzz.mutators.envelope import VERSION, is_sealed, opened, sealed
from chcfuzz.mutators.roots import active
from chcfuzz.mutators.seeds import canonical_seed, read_seed, refusal
from chcfuzz.solvers.dialects import is_dialect_option

MAX_PARAMETERS, MAX_STEPS = 255, 1000
_UNITS = 64  # that `read` keeps: libFuzzer mutates, executes and mutates again
_STORED_OUTCOME = re.compile(r'\(set-info :chcfuzz-outcome "[^"]*"\)\n?')
_MOST_ENTROPY_STEPS = 8
_WORD = re.compile(r"[\w.+-]+", re.ASCII)  # the value of a command's option


@dataclass(frozen=True)
class Step:
    """A mutation, the bytes that its choices are read from, and the key of the choices after these (`Choices`).

    If the mutation joins two problems, these bytes are the text of the second.
    """

    mutation: str
    choices: bytes
    key: bytes = b""

    def decisions(self) -> Choices:
        """Return the choices, to be read once."""
        return Choices(self.choices, self.key)


@dataclass(frozen=True)
class Recipe:
    """A seed as SMT-LIB text, steps, and parameters: pairs such as `fp.spacer.ctp` and `true`, each name once.

    `roots` are those of its domain; bytes do not hold them, so recipes are equal without them.
    """

    seed: str
    steps: tuple[Step, ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()
    roots: Roots = field(default_factory=active, compare=False, repr=False)

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """The parameters that are options of the solver under test, or of another one."""
        return tuple(pair for pair in self.parameters if pair[0] not in self.roots.selecting)

    @property
    def in_force(self) -> tuple[tuple[str, str], ...]:
        """The options, and those that the name of the solver under test sets."""
        return tuple(sorted({**dict(self.roots.configured(self.selection)), **dict(self.options)}.items()))

    @property
    def selection(self) -> tuple[tuple[str, str], ...]:
        """The parameters that choose the solver under test; empty where there is only one."""
        return tuple(pair for pair in self.parameters if pair[0] in self.roots.selecting)

    def selecting(self, selection: Pairs) -> Recipe:
        """Return the recipe with these parameters, which choose the solver under test, in place of its own."""
        return replace(self, parameters=tuple(sorted({**dict(self.parameters), **dict(selection)}.items())))

    @property
    def seed_alone(self) -> Recipe:
        """The seed of this recipe, without steps and parameters."""
        return replace(self, steps=(), parameters=())

    @property
    def is_seed(self) -> bool:
        """Whether this is a seed alone, without steps and parameters."""
        return not self.steps and not self.parameters

    @property
    def unit(self) -> Unit:
        """The unit that consists of the bytes of this recipe."""
        return Unit(encode(self), self.roots)


@dataclass(frozen=True)
class Unit:
    """The bytes of one fuzz input in a domain, decoded only when that is needed, and only once."""

    data: bytes
    roots: Roots = field(default_factory=active, repr=False)

    @cached_property
    def digest(self) -> str:
        """The name that libFuzzer gives the unit."""
        return digest(self.data)

    @cached_property
    def text(self) -> str | None:
        """The unit as SMT-LIB text, without a stored outcome; None if it does not look like text."""
        return text_of(self.data)

    @property
    def recipe(self) -> Recipe:
        """The recipe that the bytes decode to."""
        return self._decoded.recipe

    @property
    def fault(self) -> str | None:
        """Why the bytes do not decode to the recipe or text that was stored, such as "is cut off ..."."""
        return self._decoded.fault

    @property
    def has_steps(self) -> bool:
        """Whether its recipe has steps; the seed is not read for this."""
        return bool(decode_chain(self.data, self.roots).steps)

    @cached_property
    def canonical(self) -> Recipe:
        """The recipe with its seed printed by chcfuzz."""
        return canonical(self.recipe)

    @cached_property
    def _decoded(self) -> _Decoded:
        return _decoded(self)


@dataclass(frozen=True)
class _Decoded:
    recipe: Recipe
    fault: str | None = None


def encode(recipe: Recipe) -> bytes:
    """Return the bytes of a recipe; `decode` inverts this if the seed states a problem and sets no options."""
    return sealed(fields(recipe))


def decode(data: bytes) -> Recipe:
    """Return the recipe of any bytes; never raises. Its seed states a problem."""
    return read(data).recipe


def trivial_like(recipe: Recipe) -> Recipe:
    """Return a built-in seed under the parameters of a recipe that select the solver under test."""
    return Recipe(Unit(b"", recipe.roots).recipe.seed, (), recipe.selection, recipe.roots)


def fault(data: bytes) -> str | None:
    """Return why bytes are not a valid stored recipe or text, although they begin like one; else None."""
    return read(data).fault


def read(data: bytes) -> Unit:
    """Return the unit of any bytes; units that were read recently are not decoded again. Never raises.

    Its recipe's seed states a problem. The solver parameters that a text sets are the recipe's.
    """
    return _unit(data, active())


@functools.lru_cache(maxsize=_UNITS)
def _unit(data: bytes, roots: Roots) -> Unit:
    return Unit(data, roots)


def _decoded(unit: Unit) -> _Decoded:
    roots = unit.roots
    if is_sealed(unit.data):
        return _unsealed(unit.data, roots)
    text = unit.text
    reason = None if text is None else refusal(text, "its text", roots)
    if text is None or reason is not None:
        invalid = None if reason is None else f"is not a valid {roots.noun}: {reason}"
        return _Decoded(_from_entropy(unit.data, roots), invalid)
    return _Decoded(_with_options_as_parameters(Recipe(text, roots=roots)))


def _with_options_as_parameters(recipe: Recipe) -> Recipe:
    """Return the recipe with its seed's options as parameters, which can be changed and removed."""
    problem = read_seed(recipe.seed, recipe.roots)
    assert problem is not None
    if not problem.options:
        return recipe
    parameters = tuple(sorted({**dict(problem.options), **dict(recipe.parameters)}.items()))
    text = recipe.roots.print(problem.with_header(problem.info, ()))
    return replace(recipe, seed=text, parameters=parameters)


def _unsealed(data: bytes, roots: Roots) -> _Decoded:
    inside = opened(data)
    recipe = from_fields(inside.body, roots, inside.version)
    reason = refusal(recipe.seed, "its text", roots)
    if reason is None:
        return _Decoded(_with_options_as_parameters(recipe), inside.fault)
    stand_in = roots.built_in[zlib.crc32(recipe.seed.encode()) % len(roots.built_in)]
    return _Decoded(
        replace(recipe, seed=stand_in), inside.fault or f"holds a seed that is not a valid {roots.noun}: {reason}"
    )


def is_parameter(name: str, value: str, roots: Roots) -> bool:
    """Return whether a recipe may hold this parameter: an option of Z3, of a known command, or of the domain.

    A command takes only the values that its table lists (`Dialect.takes`).
    """
    if is_allowed(name, value) or (is_dialect_option(name) and _WORD.fullmatch(value) is not None):
        return True
    return roots.takes(name, value)


def digest(data: bytes) -> str:
    """Return libFuzzer's name of a unit."""
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()


def text_of(data: bytes) -> str | None:
    """Return the intended text of bytes, without the outcome that an import stored in it; None for other bytes."""
    if is_sealed(data) or not decoding.looks_like_script(data):
        return None
    return _STORED_OUTCOME.sub("", decoding.text_of(data))


def refusal_of(data: bytes, name: str) -> GrammarError | None:
    """Return why bytes that look like SMT-LIB, with this name, are invalid; None if they are valid or other bytes."""
    text = text_of(data)
    return None if text is None else refusal(text, name)


def canonical(recipe: Recipe) -> Recipe:
    """Return the same recipe with its seed printed by us: without comments, with its status."""
    return replace(recipe, seed=canonical_seed(recipe.seed, recipe.roots))


def fields(recipe: Recipe) -> bytes:
    """Return the fields of a recipe in the current format, uncompressed."""
    out = bytearray([len(recipe.parameters[:MAX_PARAMETERS])])
    for pair in recipe.parameters[:MAX_PARAMETERS]:
        for word in pair:
            out += _with_length(word.encode(), 1)
    steps = recipe.steps[:MAX_STEPS]
    out += len(steps).to_bytes(2, "little")
    for step in steps:
        out += _with_length(step.mutation.encode(), 1) + _with_length(step.choices, 2) + _with_length(step.key, 1)
    return bytes(out) + recipe.seed.encode()


def from_fields(data: bytes, roots: Roots, version: int = VERSION) -> Recipe:
    """Return the recipe of any fields of a format, including truncated and damaged ones; its seed may be invalid."""
    reader = _Reader(data)
    parameters = {}
    for _ in range(reader.number(1)):
        name, value = reader.text(1), reader.text(1)
        if is_parameter(name, value, roots):
            parameters[name] = value
    steps = []
    for _ in range(min(reader.number(2), MAX_STEPS)):
        step = Step(reader.text(1), reader.piece(2), b"" if version == 1 else reader.piece(1))
        if step.mutation:
            steps.append(step)
    return Recipe(reader.rest().decode("utf-8", "replace"), tuple(steps), tuple(parameters.items()), roots)


def decode_chain(data: bytes, roots: Roots) -> Recipe:
    """Return the result of `decode` for stored recipes and text, without reading the seed, which may be invalid."""
    if is_sealed(data):
        inside = opened(data)
        return from_fields(inside.body, roots, inside.version)
    text = text_of(data)
    return _unit(data, roots).recipe if text is None else Recipe(text, roots=roots)


def _with_length(piece: bytes, size: int) -> bytes:
    piece = piece[: (1 << 8 * size) - 1]
    return len(piece).to_bytes(size, "little") + piece


def _from_entropy(data: bytes, roots: Roots) -> Recipe:
    choices = Choices(data)
    seed = choices.pick(roots.built_in)
    steps = tuple(
        Step(choices.pick(roots.entropy_rows), bytes(choices.index(256) for _ in range(4)))
        for _ in range(choices.index(_MOST_ENTROPY_STEPS + 1))
    )
    return Recipe(seed, steps, roots=roots)


class _Reader:
    """A reader of fields; beyond the end everything is empty."""

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
