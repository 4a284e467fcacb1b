"""Each room of the package explains itself to its next inhabitant."""

import ast
from pathlib import Path

import pytest

from tests.sources import listed
from tests.targets import ROOT

APART = {"bench", "oss-fuzz", "seeds", "tests"}
ROOMS = [file for file in listed(ROOT) if file.name == "__init__.py" and file.parts[0] not in APART]


@pytest.mark.parametrize("room", ROOMS, ids=lambda file: str(file.parent))
def test_a_room_has_an_essay_of_ten_to_thirty_lines(room: Path) -> None:
    essay = ast.get_docstring(ast.parse((ROOT / room).read_text())) or ""
    assert 10 <= len(essay.splitlines()) <= 30, "promises, what is forbidden, how to add to it, why odd things are odd"
