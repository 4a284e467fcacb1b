"""Tests about the sources read the files of the project, and nothing else that is in its folder."""

import subprocess
from pathlib import Path

import pytest

from tests.sources import FILE_LIST, listed


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Folder with two files of the project, and a virtual environment of an unusual name."""
    for name in ("grammar/term.py", "README.md", "python-env/lib/module.py", FILE_LIST):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    return tmp_path


def test_in_a_clone_these_are_the_tracked_files(root: Path) -> None:
    for words in (("init", "--quiet"), ("add", "grammar", "README.md")):
        subprocess.run(["git", *words], cwd=root, check=True)
    (root / "README.md").unlink()
    assert listed(root) == [Path("grammar/term.py")]


def test_in_a_source_distribution_these_are_the_files_of_its_list(root: Path) -> None:
    (root / FILE_LIST).write_text("README.md\ngrammar/term.py\ngrammar/gone.py\n")
    assert listed(root) == [Path("README.md"), Path("grammar/term.py")]
