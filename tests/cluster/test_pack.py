"""Packs hold what other machines can use, and nothing of this one."""

import zlib
from pathlib import Path

import pytest
from chcfuzz.cluster import pack
from chcfuzz.cluster.exchange import KnownUnits
from chcfuzz.cluster.pack import Pack, PackedUnit, PackError
from chcfuzz.execution.files import LinkError


def test_a_pack_is_read_as_it_was_written() -> None:
    made = Pack("chcfuzz-pack 1", "build", (PackedUnit(b"unit", (1 << 64) - 1), PackedUnit(b"other")), {"b/a": b"1"})
    assert pack.read(made.written(), "name") == made
    assert Pack(files={"a": b"1", "b": b"2"}).written() == Pack(files={"b": b"2", "a": b"1"}).written()


def test_a_damaged_or_newer_pack_is_one_line() -> None:
    for content in (b"", b"x", zlib.compress(b"\xc1"), Pack().written()[:-3]):
        with pytest.raises(PackError, match=r"^the pack 'slices/1' is damaged: .*; remove it"):
            pack.read(content, "slices/1")
    with pytest.raises(PackError, match="has the format 'chcfuzz-pack 2'; use one version"):
        pack.read(Pack("chcfuzz-pack 2").written(), "slices/1")


def test_caches_and_signed_files_of_a_machine_stay_there(tmp_path: Path) -> None:
    run = tmp_path / "run"
    for name in ("run.json", "findings/.outcomes/outcomes.sqlite", "findings/.results", "findings/one/recipe", "lock"):
        (run / name).parent.mkdir(parents=True, exist_ok=True)
        (run / name).write_bytes(b"content")
    (run / "link").symlink_to("/etc/passwd")
    assert sorted(pack.gathered([("run", run)])) == ["run/findings/one/recipe", "run/run.json"]


@pytest.mark.parametrize("name", ["../out", "a/../../out", "/out", "link/out"])
def test_a_pack_writes_only_into_its_folder(tmp_path: Path, name: str) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link").symlink_to(tmp_path)
    with pytest.raises(LinkError):
        pack.scatter({name: b""}, inside)
    assert not (tmp_path / "out").exists()


def test_traces_are_compared_for_one_build_alone() -> None:
    known = KnownUnits()
    assert known.take("one", [PackedUnit(b"a", 7), PackedUnit(b"b", 7), PackedUnit(b"c")]) == [
        PackedUnit(b"a", 7),
        PackedUnit(b"c"),
    ]
    assert known.take("two", [PackedUnit(b"d", 7), PackedUnit(b"c", 9)]) == [PackedUnit(b"d", 7)]
    assert known.take("one", [PackedUnit(b"e", 9), PackedUnit(b"e", 10)]) == [PackedUnit(b"e", 9)]
