"""The shipped model: its sum, and the command that makes it."""

import hashlib
from pathlib import Path

import pytest
from chcfuzz.commands.main import main
from chcfuzz.learning import active, model_file

from tests.targets import ROOT

FOLDERS = ("corpus", "corpus-smt")
SUM = "d01b61c6e5672445f12d2beb3205ca5f"  # after: chcfuzz learn corpus corpus-smt -o learning/builtin.model


def test_the_shipped_model_is_the_one_of_this_version() -> None:
    assert hashlib.blake2b(active.PATH.read_bytes(), digest_size=16).hexdigest() == SUM
    about = model_file.read(active.PATH).about
    assert [source.name for source in about.trained_on] == sorted(FOLDERS)
    assert not about.triggers


@pytest.mark.slow
def test_one_command_makes_the_shipped_model_again(tmp_path: Path) -> None:
    words = ["learn", *(str(ROOT / folder) for folder in FOLDERS), "-o", str(tmp_path / "again.model")]
    assert main(words) == 0
    assert (tmp_path / "again.model").read_bytes() == active.PATH.read_bytes()
