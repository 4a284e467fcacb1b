"""Stored files that are damaged, of another format, or nested too deeply are refused in one line."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from chcfuzz.campaign.background_triage import stored_buckets
from chcfuzz.campaign.runs import reached_functions, run_statistics
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.campaign.worker import learned_policy
from chcfuzz.execution.codec import CodecError, fields_of, from_json, parsed, to_json
from chcfuzz.experiments.trials import Trials
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.learning import model_file
from chcfuzz.triage.buckets.buckets import read_buckets
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.fix import read_fix
from chcfuzz.triage.findings.location import read_location
from chcfuzz.triage.findings.record import Finding
from chcfuzz.triage.findings.reductions import read_reduction

DEEP = b"[" * 100_000
READERS: dict[str, Callable[[Path], object]] = {
    "run.json": lambda folder: RunFolder(folder).begun_with(),
    "tables.json": lambda folder: RunFolder(folder).tables(),
    "functions/build": lambda folder: reached_functions.read(folder, "build"),
    "state.json": lambda folder: learned_policy.read_state(folder / "state.json"),
    "trials.json": lambda folder: Trials(folder, ("-runs=1",), 1).prepare(),
    "buckets.json": lambda folder: read_buckets(folder / "buckets.json"),
    "record.json": Finding.read,
    "reduced.json": read_reduction,
    "location.json": read_location,
    "fix.json": read_fix,
    "a.model": lambda folder: model_file.read(folder / "a.model"),
}


class Numbers(msgspec.Struct):
    numbers: tuple[int, ...]


def test_a_value_is_read_as_it_was_written() -> None:
    assert from_json(to_json(Numbers((1, 2)), "numbers 1"), Numbers, "numbers 1") == Numbers((1, 2))
    assert fields_of(b'{"format": "numbers 1"}', "numbers 1") == {"format": "numbers 1"}


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 100_000, b'{"a":' * 100_000, b"9" * 5000])
def test_damaged_and_deep_content_is_refused(content: bytes) -> None:
    with pytest.raises(CodecError, match="is damaged"):
        parsed(content)


@pytest.mark.parametrize("content", [b"[]", b"{}", b'{"format": "numbers 2"}'])
def test_another_format_is_refused(content: bytes) -> None:
    with pytest.raises(CodecError, match="is not of the format 'numbers 1'"):
        fields_of(content, "numbers 1")


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("prefix", [b"", b'{"x":'])
def test_a_file_that_is_nested_too_deeply_is_refused_by_name(tmp_path: Path, name: str, prefix: bytes) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes((model_file.FORMAT if name == "a.model" else b"") + prefix + DEEP + b"\n")
    with pytest.raises(ChcfuzzError, match=name) as raised:
        READERS[name](tmp_path)
    assert "\n" not in str(raised.value)


def test_deep_lines_and_rows_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "0001-0001.jsonl").write_bytes(DEEP + b"\n")
    assert run_statistics.read(tmp_path) == ([], 1)
    assert Suspicion.read(DEEP) is None
    (tmp_path / "buckets.json").write_bytes(DEEP)
    assert stored_buckets(tmp_path) is None
