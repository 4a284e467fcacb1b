"""Files and folders are written completely or not at all, with the rights that they need, and durably on request."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from chcfuzz.execution.files import LinkError, read_plain, see_writable, write_folder, write_new, write_whole
from chcfuzz.execution.solving import UsageError


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, list[str]]]:
    """Each file or folder that was synced, with the names in its folder at that time."""
    found: list[tuple[Path, list[str]]] = []
    sync = os.fsync

    def noted(descriptor: int) -> None:
        path = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        found.append((path, sorted(os.listdir(path if path.is_dir() else path.parent))))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    return found


def refused(code: int) -> Callable[..., None]:
    def fail(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    return fail


def test_a_file_is_replaced_and_is_only_for_this_user_unless_its_mode_is_given(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    file.write_bytes(b"a longer content before")
    write_whole(file, b"now")
    assert (file.read_bytes(), mode(file)) == (b"now", 0o600)
    write_whole(file, b"then", 0o644)
    assert (file.read_bytes(), mode(file)) == (b"then", 0o644)
    assert os.listdir(tmp_path) == ["state.json"]


def test_a_durable_file_is_synced_before_its_name_and_then_the_name(
    tmp_path: Path, synced: list[tuple[Path, list[str]]]
) -> None:
    write_whole(tmp_path / "one", b"1")
    assert synced == []
    write_whole(tmp_path / "two", b"2", durable=True)
    (content, names), folder = synced
    assert content.name.startswith(".writing-")
    assert "two" not in names
    assert folder == (tmp_path, ["one", "two"])


@pytest.mark.parametrize("call", ["fchmod", "rename"])
def test_a_file_that_cannot_be_written_leaves_the_old_one_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    (tmp_path / "file").write_bytes(b"before")
    monkeypatch.setattr(os, call, refused(errno.ENOSPC))
    with pytest.raises(OSError, match="No space left"):
        write_whole(tmp_path / "file", b"now")
    assert os.listdir(tmp_path) == ["file"]
    assert (tmp_path / "file").read_bytes() == b"before"


def test_a_new_file_is_only_for_this_user_and_never_replaces_another(tmp_path: Path) -> None:
    write_new(tmp_path / "key", b"secret")
    with pytest.raises(FileExistsError):
        write_new(tmp_path / "key", b"other")
    assert ((tmp_path / "key").read_bytes(), mode(tmp_path / "key")) == (b"secret", 0o600)
    assert os.listdir(tmp_path) == ["key"]


def test_a_folder_can_be_read_by_others_and_its_scripts_are_programs(tmp_path: Path) -> None:
    write_folder(tmp_path / "above" / "found", {"show.sh": b"#!/bin/sh\n", "a.smt2": b"(check-sat)\n", "empty": b""})
    found = tmp_path / "above" / "found"
    assert (found / "a.smt2").read_bytes() == b"(check-sat)\n"
    modes = {path.name: mode(path) for path in (found, *found.iterdir())}
    assert modes == {"found": 0o755, "show.sh": 0o755, "a.smt2": 0o644, "empty": 0o644}
    assert os.listdir(tmp_path / "above") == ["found"]


def test_a_folder_is_on_the_disk_with_its_files_before_it_has_its_name(
    tmp_path: Path, synced: list[tuple[Path, list[str]]]
) -> None:
    write_folder(tmp_path / "found", {"one": b"1", "two": b"2"})
    one, two, content, above = synced
    assert [path.name for path, _ in (one, two)] == ["one", "two"]
    assert content[0].name.startswith(".writing-")
    assert content[1] == ["one", "two"]
    assert above == (tmp_path, ["found"])


def test_a_folder_that_exists_keeps_its_content(tmp_path: Path) -> None:
    write_folder(tmp_path / "found", {"one": b"1"})
    write_folder(tmp_path / "found", {"two": b"2"})
    assert os.listdir(tmp_path / "found") == ["one"]
    assert os.listdir(tmp_path) == ["found"]


def test_a_folder_that_cannot_be_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", refused(errno.ENOSPC))
    with pytest.raises(OSError, match="No space left"):
        write_folder(tmp_path / "found", {"one": b"1"})
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("code", [errno.EEXIST, errno.ENOTEMPTY])
def test_a_folder_that_another_process_made_first_is_not_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    monkeypatch.setattr(os, "rename", refused(code))
    write_folder(tmp_path / "found", {"one": b"1"})
    assert os.listdir(tmp_path) == []


def test_only_plain_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"content")
    assert read_plain(tmp_path / "plain") == b"content"
    (tmp_path / "link").symlink_to("plain")
    (tmp_path / "device").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "device", "pipe"):
        with pytest.raises(LinkError, match=f"{name}' is not a plain file, and links are not followed; remove it"):
            read_plain(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        read_plain(tmp_path / "absent")


def test_a_place_that_cannot_be_written_is_refused_early(tmp_path: Path) -> None:
    see_writable(tmp_path / "numbers.json")
    assert os.listdir(tmp_path) == []
    for path, reason in ((tmp_path, "Is a directory"), (tmp_path / "no" / "file", "No such file or directory")):
        with pytest.raises(UsageError, match=f"^cannot write '{path}': {reason}; make its folder, or name another$"):
            see_writable(path)
