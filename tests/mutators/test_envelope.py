"""The envelope of a stored recipe: its format, its dictionary, and whether it is complete."""

import hashlib
import zlib
from pathlib import Path

import pytest
from chcfuzz.mutators import envelope
from chcfuzz.mutators.envelope import MAX_BODY, PREFIX, VERSION, is_sealed, opened, sealed

BODY = b"(set-logic HORN) and more of that, for some hundred bytes " * 9
# A format's dictionary reads every recipe that was written with it: to change one, add a format.
DICTIONARIES = {
    "1.smt2": "81a74a214ee15aae902b3417b304093af0a7af74e36400e6976dbc7ea77e0ad6",
    "2.smt2": "9ac35343356c500eafd34b417d4cecf344582a51fcf5a538d19f0c736158e452",
}


def test_no_dictionary_was_ever_changed() -> None:
    folder = Path(envelope.__file__).with_name("dictionaries")
    assert {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()} == DICTIONARIES


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_what_was_sealed_in_any_format_is_opened(monkeypatch: pytest.MonkeyPatch, version: int) -> None:
    monkeypatch.setattr(envelope, "VERSION", version)
    data = sealed(BODY)
    assert is_sealed(data)
    monkeypatch.undo()
    assert opened(data) == envelope.Opened(version, BODY)


def test_another_dictionary_is_detected() -> None:
    packer = zlib.compressobj(9, zdict=b"another dictionary")
    found = opened(PREFIX + b"\x01" + packer.compress(BODY) + packer.flush())
    assert (found.body, found.fault) == (b"", "was packed with another dictionary than recipe format 1 has")


def test_of_what_is_cut_off_the_beginning_is_read() -> None:
    body = hashlib.shake_128(b"body").digest(5000)
    data = sealed(body)
    found = opened(data[:-500])
    assert body.startswith(found.body)
    assert len(found.body) > 3000
    assert "cut off" in str(found.fault)


def test_a_wrong_checksum_is_detected() -> None:
    data = sealed(BODY)
    found = opened(data[:-1] + bytes([data[-1] ^ 1]))
    assert "damaged" in str(found.fault)


def test_little_bytes_that_unpack_to_a_lot_are_refused() -> None:
    bomb = sealed(b"\n" * (3 * MAX_BODY))
    assert len(bomb) < MAX_BODY / 100
    found = opened(bomb)
    assert (len(found.body), found.fault) == (MAX_BODY, f"unpacks to more than {MAX_BODY} bytes")
    assert opened(sealed(b"\n" * MAX_BODY)).fault is None


@pytest.mark.parametrize(
    ("version", "message"), [(0, "lacks a format"), (VERSION + 1, "newer chcfuzz"), (255, "newer chcfuzz")]
)
def test_other_formats_are_detected(version: int, message: str) -> None:
    found = opened(PREFIX + bytes([version]) + sealed(BODY)[len(PREFIX) + 1 :])
    assert (found.version, found.body) == (version, b"")
    assert message in str(found.fault)
