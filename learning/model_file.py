"""Files of models: a format word, a line of JSON, and two arrays of numbers. Nothing in a file is ever run as code.

The line has the digest of the vocabulary, its words, what the model was trained on (names and sums, no text), a licence
and a sum over the arrays. The arrays are the numbers of `places` in increasing order, 8 bytes each, and how often each
occurred, 4 bytes each, both little-endian.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from chcfuzz.execution.codec import CodecError, from_json
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.learning.counts import Counts, Numbers
from chcfuzz.learning.places import CONTEXTS, LEVEL_FIELD, SORT_BITS, SORT_FIELD, WORD_BITS, WORD_FIELDS
from chcfuzz.learning.vocabulary import SORTS, digest, words

FORMAT = b"chcfuzz-model 1\n"
MOST_BYTES = 16 << 20
MOST_ENTRIES = 1_300_000
LICENCE = "counts only, no text of the files; the licence of chcfuzz (Apache-2.0) if these are its own corpora"
_MOST_HEADER = 256 << 10
_ENTRY = 12  # bytes


class ModelError(ChcfuzzError):
    """A file that is not a model, or that cannot be used."""


class Source(msgspec.Struct, frozen=True):
    """Files that a model was trained on: their folder, their number, and the sum over their names and contents."""

    name: str
    files: int
    sum: str
    weight: int = 1


class Measured(msgspec.Struct, frozen=True):
    """Problems of a theory: their number (`files`), nodes, and the information of the nodes in hundredths of a bit.

    Every tenth problem is measured, by a model of the other nine.
    """

    files: int = 0
    nodes: int = 0
    hundredths: int = 0


class TrainingRecord(msgspec.Struct, frozen=True):
    """The files that a model was trained on, those that were left out, and how well it predicts."""

    trained_on: tuple[Source, ...] = ()
    triggers: tuple[Source, ...] = ()
    left_out: dict[str, int] = {}
    measured: dict[str, Measured] = {}
    nodes: int = 0


class _Header(msgspec.Struct):
    digest: str
    words: tuple[str, ...]
    sorts: tuple[str, ...]
    about: TrainingRecord
    licence: str
    entries: int
    sum: str


@dataclass(frozen=True)
class Stored:
    """A model with its training; `dropped` entries had productions that the vocabulary does not have any more."""

    counts: Counts
    about: TrainingRecord
    dropped: int = 0


def encode(counts: Counts, about: TrainingRecord) -> bytes:
    """Return the file of a model; equal arguments give equal bytes."""
    arrays = counts.numbers.astype("<i8").tobytes() + counts.times.astype("<u4").tobytes()
    header = _Header(digest(), words(), SORTS, about, LICENCE, len(counts.numbers), _sum(arrays))
    return FORMAT + msgspec.json.encode(header, order="deterministic") + b"\n" + arrays


def _sum(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def read(path: Path, refit: bool = False) -> Stored:
    """Read a model; raises `ModelError`. With `refit`, a model of another vocabulary is adapted to this one."""
    name = str(path)
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ModelError(f"cannot read the model {name!r}: {error.strerror}") from error
    return decode(content, name, refit)


def decode(content: bytes, name: str, refit: bool = False) -> Stored:
    """Return the model in a file; raises `ModelError`."""
    if not content.startswith(FORMAT):
        kind = "a model of another version" if content.startswith(FORMAT.split()[0]) else "not a model"
        raise ModelError(f"{name!r} is {kind}; `chcfuzz learn DIR -o FILE` trains one")
    if len(content) > MOST_BYTES:
        raise ModelError(f"{name!r} has more than {MOST_BYTES} bytes, so it is not a model of `chcfuzz learn`")
    end = content.find(b"\n", len(FORMAT), len(FORMAT) + _MOST_HEADER)
    arrays = content[end + 1 :]
    try:
        header = from_json(content[len(FORMAT) : max(end, len(FORMAT))], _Header)
    except CodecError as error:
        raise _damaged(name) from error
    if len(arrays) != _ENTRY * header.entries or _sum(arrays) != header.sum:
        raise _damaged(name)
    numbers = np.frombuffer(arrays, dtype="<i8", count=header.entries).astype(np.int64)
    times = np.frombuffer(arrays, dtype="<u4", offset=8 * header.entries).astype(np.int64)
    if header.digest == digest() and (header.words, header.sorts) == (words(), SORTS):
        if not _is_valid(numbers, times):
            raise _damaged(name)
        return Stored(Counts(numbers, times), header.about)
    if not refit:
        raise ModelError(
            f"{name!r} is for another table of productions; train again, or write an adapted one: "
            f"`chcfuzz learn --base {name} --refit -o FILE`"
        )
    counts = with_other_words(Counts(numbers, times), header.words, header.sorts)
    return Stored(counts, header.about, header.entries - len(counts.numbers))


def _damaged(name: str) -> ModelError:
    return ModelError(f"the model {name!r} is damaged or cut; train it again with `chcfuzz learn`")


def _is_valid(numbers: Numbers, times: Numbers) -> bool:
    """Return whether the numbers are increasing and refer to words only."""
    known = with_other_words(Counts(numbers, times), words(), SORTS)
    return bool(np.array_equal(known.numbers, numbers) and (times > 0).all())


def with_other_words(counts: Counts, old_words: Sequence[str], old_sorts: Sequence[str]) -> Counts:
    """Return counts that refer to other words and sorts with the numbers of these; unknown ones are dropped."""
    kept = np.ones(len(counts.numbers), dtype=bool)
    renumbered = counts.numbers.copy()
    for low, bits, old, new in (
        *((low, WORD_BITS, old_words, words()) for low in WORD_FIELDS),
        (SORT_FIELD, SORT_BITS, old_sorts, SORTS),
    ):
        numbers = {name: number for number, name in enumerate(new)}
        table = np.full(1 << bits, -1, dtype=np.int64)
        for number, name in enumerate(old[: 1 << bits]):
            table[number] = numbers.get(name, -1)
        found = table[(counts.numbers >> low) & ((1 << bits) - 1)]
        kept &= found >= 0
        renumbered += (np.maximum(found, 0) - ((counts.numbers >> low) & ((1 << bits) - 1))) << low
    kept &= (counts.numbers >= 0) & (counts.numbers < CONTEXTS << LEVEL_FIELD)
    return Counts.sum([Counts(renumbered[kept], counts.times[kept])])
