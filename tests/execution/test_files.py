"""Files that users name are written where they point to, and paths are next to the folders that they belong to."""

from pathlib import Path

import pytest
from chcfuzz.execution.files import beside, see_writable, write_named


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
