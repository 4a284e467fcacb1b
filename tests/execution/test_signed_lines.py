"""Lines that this user has signed are read, and no others."""

from pathlib import Path

import pytest
from chcfuzz.execution.files import LinkError
from chcfuzz.execution.signed_lines import append_line, read_lines

from tests.users import BecomeUser


def test_lines_are_read_as_they_were_appended(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    assert read_lines(file) == []
    for text in ("one", "two\tparts", "", "one"):
        append_line(file, text, durable=text == "one")
    assert read_lines(file) == ["one", "two\tparts", "", "one"]


def test_other_lines_are_ignored(tmp_path: Path) -> None:
    file, other = tmp_path / "lines", tmp_path / "others"
    append_line(file, "mine")
    append_line(other, "of another file")
    whole = file.read_text()
    file.write_text(
        f"a name\nforged\t{'0' * 32}\n{other.read_text()}{whole}{whole.replace('mine', 'changed')}{whole[:-5]}"
    )
    assert read_lines(file) == ["mine"]


def test_lines_of_another_user_are_ignored(tmp_path: Path, become_user: BecomeUser) -> None:
    append_line(tmp_path / "lines", "mine")
    become_user(tmp_path / "other")
    assert read_lines(tmp_path / "lines") == []


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    append_line(tmp_path / "lines", "mine")
    (tmp_path / "link").symlink_to(tmp_path / "lines")
    with pytest.raises(LinkError):
        read_lines(tmp_path / "link")
    with pytest.raises(LinkError):
        append_line(tmp_path / "link", "more")
