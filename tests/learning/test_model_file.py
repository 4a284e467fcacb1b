"""Files of models: round trips, and refusals of everything else in one line."""

from pathlib import Path

import numpy as np
import pytest
from chcfuzz.learning import model_file
from chcfuzz.learning.counts import Counts
from chcfuzz.learning.model_file import (
    FORMAT,
    ModelError,
    Source,
    TrainingRecord,
    decode,
    encode,
    read,
    with_other_words,
)
from chcfuzz.learning.vocabulary import SORTS, words

from tests.learning.test_formula_model import AND, OR, counts

ABOUT = TrainingRecord((Source("some", 2, "ab"),), (), {"copies": 1}, {}, 12)


@pytest.fixture(scope="module")
def content() -> bytes:
    """The file of a small model."""
    return encode(counts(AND, OR), ABOUT)


def test_a_model_is_read_as_it_was_written(content: bytes) -> None:
    stored, own = decode(content, "a"), counts(AND, OR)
    assert np.array_equal(stored.counts.numbers, own.numbers)
    assert np.array_equal(stored.counts.times, own.times)
    assert stored.about == ABOUT
    assert encode(own, ABOUT) == content


def test_a_file_that_is_cut_anywhere_is_refused(content: bytes) -> None:
    for length in range(0, len(content), 7):
        with pytest.raises(ModelError) as refused:
            decode(content[:length], "some file")
        assert "\n" not in str(refused.value)
        assert "'some file'" in str(refused.value)
    with pytest.raises(ModelError, match="damaged"):
        decode(content + b"x", "a")


def test_a_file_with_a_changed_byte_is_refused_or_says_the_same(content: bytes) -> None:
    for at in range(0, len(content), 11):
        changed = content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
        try:
            stored = decode(changed, "a")
        except ModelError:
            continue
        assert np.array_equal(stored.counts.times, counts(AND, OR).times)  # a letter of a name was changed


def test_other_files_and_versions_are_refused(tmp_path: Path, content: bytes) -> None:
    for other, reason in (
        (b"", "not a model"),
        (b"\x80\x04\x95.", "not a model"),
        (content.replace(b"model 1", b"model 2", 1), "another version"),
        (FORMAT + b"{}\n", "damaged"),
        (FORMAT + b"[" * 1000, "damaged"),
    ):
        path = tmp_path / "m"
        path.write_bytes(other)
        with pytest.raises(ModelError, match=reason):
            read(path)
    with pytest.raises(ModelError, match="cannot read"):
        read(tmp_path)


def test_a_huge_file_is_refused_without_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.write(FORMAT)
        file.truncate(2 << 30)  # a hole
    with pytest.raises(ModelError, match="more than"):
        read(path)


def test_numbers_that_are_not_words_are_refused() -> None:
    for numbers in ([5, 5], [7, 3], [len(words())], [-1], [5 << 58]):
        bad = Counts(np.array(numbers, dtype=np.int64), np.ones(len(numbers), dtype=np.int64))
        with pytest.raises(ModelError, match="damaged"):
            decode(encode(bad, TrainingRecord()), "a")


def test_a_model_of_another_table_is_refused_or_adapted(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    own = counts(AND, OR)
    fewer = tuple(word for word in words() if word != "or.2")
    monkeypatch.setattr(model_file, "words", lambda: ("gone.1", *fewer))
    monkeypatch.setattr(model_file, "digest", lambda: "another")
    with pytest.raises(ModelError, match="--refit"):
        decode(content, "a")
    monkeypatch.undo()
    there = with_other_words(own, words(), SORTS)
    assert np.array_equal(there.numbers, own.numbers)
    renumbered = with_other_words(own, (*words()[:3], "unknown", *words()[4:]), SORTS)
    assert len(renumbered.numbers) <= len(own.numbers)
    monkeypatch.setattr(model_file, "digest", lambda: "another")
    stored = decode(content, "a", refit=True)
    assert stored.dropped == 0
    assert np.array_equal(stored.counts.times, own.times)


def test_words_that_are_gone_take_their_counts_with_them() -> None:
    own = counts(AND, OR)
    old = tuple("gone" if word == "or.2" else word for word in words())
    left = with_other_words(own, old, SORTS)
    without = counts(AND.replace("(or q p)", "q"))
    assert 0 < len(left.numbers) < len(own.numbers)
    assert left.times.sum() < own.times.sum()
    assert set(without.numbers.tolist()) - set(left.numbers.tolist()) != set(without.numbers.tolist())
