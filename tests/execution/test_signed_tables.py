"""Signed tables: whose rows they hold, how rows are signed, and which files are not opened."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from chcfuzz.execution import signed_tables
from chcfuzz.execution.files import LinkError
from chcfuzz.execution.own_secret import is_signature_of_row, secret, signature, signature_of_row, signer
from chcfuzz.execution.signed_tables import FOLDER, is_busy, is_foreign, key_of, opened, path_of

from tests.users import BecomeUser

FILE, TABLE = "rows.sqlite", "rows"
ROW = (b"bytes", "text", 7, None)


def add(findings: Path, *settings: str) -> None:
    with closing(opened(findings, FILE)) as table:
        table.execute(f"create table if not exists {TABLE} (setting text)")
        table.executemany(f"insert into {TABLE} values (?)", [(setting,) for setting in settings])


def test_a_table_is_foreign_if_all_of_its_rows_are(tmp_path: Path) -> None:
    assert not is_foreign(tmp_path, FILE, TABLE)
    add(tmp_path)
    assert not is_foreign(tmp_path, FILE, TABLE), "it has no rows"
    add(tmp_path, "0123456789abcdef-another", f"{signer()}", f"{signer()}0-x", f"{signer()}x")
    assert is_foreign(tmp_path, FILE, TABLE)
    add(tmp_path, key_of("a configuration", 7))
    assert not is_foreign(tmp_path, FILE, TABLE)


def test_a_damaged_table_is_not_called_foreign(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / FILE).write_bytes(b"no table" * 200)
    assert not is_foreign(tmp_path, FILE, TABLE)


def test_a_key_names_the_secret_and_the_configuration() -> None:
    keys = {key_of("a", 1), key_of("a", 2), key_of("b", 1), key_of("a 1")}
    assert len(keys) == 3
    assert {key.partition("-")[0] for key in keys} == {signer()}
    assert secret().hex() not in signer()


@pytest.mark.parametrize("link", [FOLDER, f"{FOLDER}/{FILE}", f"{FOLDER}/{FILE}-wal", f"{FOLDER}/{FILE}-journal"])
def test_a_table_behind_a_link_is_not_opened(tmp_path: Path, link: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "findings" / link).parent.mkdir(parents=True)
    (tmp_path / "findings" / link).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LinkError):
        path_of(tmp_path / "findings", FILE)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_signature_holds_for_the_same_row_and_secret_alone(tmp_path: Path, become_user: BecomeUser) -> None:
    signed, text = signature_of_row(*ROW), signature("a text")
    assert is_signature_of_row(signed, *ROW)
    assert not is_signature_of_row(signed.hex(), *ROW)
    assert not is_signature_of_row(None, *ROW)
    for other in ((b"bytes", "text", 7, ""), (b"bytes", "text", "7", None), (b"bytestext", 7, None), ROW[:3]):
        assert not is_signature_of_row(signed, *other)
    assert signature_of_row("ab", "c") != signature_of_row("a", "bc")
    become_user(tmp_path)
    assert not is_signature_of_row(signed, *ROW)
    assert signature("a text") != text
    assert len(secret()) == 32


def test_a_file_that_is_not_a_table_is_closed_again(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / FILE).write_bytes(b"no table" * 200)
    before = descriptors(tmp_path)
    with pytest.raises(sqlite3.DatabaseError) as caught:
        opened(tmp_path, FILE)
    assert caught.value is not None, "its traceback holds the connection"
    assert descriptors(tmp_path) == before == []


def descriptors(folder: Path) -> list[str]:
    """Files of a folder that this process has open."""
    links = []
    for number in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            links.append(os.readlink(f"/proc/self/fd/{number}"))
    return [link for link in links if link.startswith(str(folder))]


def held(findings: Path) -> sqlite3.Connection:
    """Return a table that another process seems to write to, without a write-ahead log so far."""
    (findings / FOLDER).mkdir()
    other = sqlite3.connect(findings / FOLDER / FILE, isolation_level=None)
    other.execute(f"create table {TABLE} (setting text)")
    other.execute("begin immediate")
    return other


def test_a_table_that_another_process_opens_at_the_same_moment_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(held(tmp_path)) as other:
        # Only in this module: other threads of the process sleep, too.
        monkeypatch.setattr(signed_tables, "time", SimpleNamespace(sleep=lambda _: other.execute("commit")))
        with closing(opened(tmp_path, FILE)) as table:
            assert table.execute("pragma journal_mode").fetchone() == ("wal",)


def test_a_table_that_another_process_holds_for_too_long_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = iter(range(100))
    monkeypatch.setattr(signed_tables, "monotonic", lambda: float(next(moments)))
    with closing(held(tmp_path)), pytest.raises(sqlite3.OperationalError) as raised:
        opened(tmp_path, FILE, patience=3.0)
    assert is_busy(raised.value)
    assert next(moments) == 5
