"""Files that users name are written where they point to, and paths are next to the folders that they belong to."""

import os
from pathlib import Path

import pytest
from chcfuzz.execution.files import (
    LinkError,
    OpenMode,
    below,
    beside,
    open_plain,
    read_plain,
    see_writable,
    write_named,
)


@pytest.mark.parametrize("target", ["/dev/null", "numbers.json"])
def test_what_a_link_names_is_written_and_the_link_stays(tmp_path: Path, target: str) -> None:
    (tmp_path / "numbers.json").write_text("before, and longer")
    link = tmp_path / "link"
    link.symlink_to(target)
    see_writable(link)
    write_named(link, b"now")
    assert link.is_symlink(), "to rename a file to /dev/stdout would remove it for all programs"
    assert link.read_bytes() == (b"" if target == "/dev/null" else b"now")


def test_a_path_beside_a_folder_without_a_name_is_beside_that_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "one" / "two").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "one" / "two")
    assert beside(Path(), ".log") == tmp_path / "one" / "two.log"
    assert beside(Path(".."), ".log") == tmp_path / "one.log"
    assert beside(Path("../three"), ".log") == Path("../three.log")


@pytest.mark.parametrize("mode", ["rb", "ab", "wb", "r+b"])
def test_a_link_a_pipe_and_a_device_are_neither_read_nor_written(tmp_path: Path, mode: OpenMode) -> None:
    (tmp_path / "file").write_text("content")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "device").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "device", "pipe"):
        with pytest.raises(LinkError, match=name):
            open_plain(tmp_path / name, mode)
    with pytest.raises(LinkError, match="zero"):
        open_plain(Path("/dev/zero"), mode)
    with pytest.raises((LinkError, IsADirectoryError)):
        open_plain(tmp_path, mode)
    assert (tmp_path / "file").read_text() == "content"


def test_a_plain_file_is_read_up_to_a_limit_and_appended_to(tmp_path: Path) -> None:
    with open_plain(tmp_path / "file", "ab") as file:
        file.write(b"one")
    with open_plain(tmp_path / "file", "ab") as file:
        file.write(b"two")
    assert (read_plain(tmp_path / "file"), read_plain(tmp_path / "file", 4)) == (b"onetwo", b"onet")


@pytest.mark.parametrize("names", [("..",), ("link", "file"), ("folder", "..", "file"), ("a/b",), ("",), ("a\0b",)])
def test_a_path_below_a_folder_stays_there(tmp_path: Path, names: tuple[str, ...]) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    assert below(tmp_path, "folder", "file") == tmp_path / "folder" / "file"
    with pytest.raises(LinkError):
        below(tmp_path, *names)
