"""Functions that a checkout changes are found by lines of edges, and the units that execute them are copied."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chcfuzz.corpus_tools.near_changes import NearUnits, changed_lines, copy, in_changed_functions, those_near
from chcfuzz.tracing.solver_coverage import SourcePlace
from chcfuzz.triage.history.commits import HistoryError

from tests.triage.history.test_commits import Repository

FILE = "src/muz/spacer/spacer_context.cpp"


def edge(function: str, line: int, file: str = FILE) -> SourcePlace:
    return SourcePlace(function, f"/home/me/z3/{file}", line)


EDGES = [
    edge("f", 10),
    edge("g", 30),
    None,
    edge("f", 14),
    edge("g", 33),
    edge("h", 50),
    edge("f", 20, "src/ast/ast.cpp"),
]


@pytest.mark.parametrize(
    ("line", "functions"),
    [(10, ["f"]), (12, ["f"]), (14, ["f"]), (28, ["f", "g"]), (31, ["g"]), (4, ["f"]), (90, ["h"])],
)
def test_a_line_belongs_to_the_function_of_its_edges_or_to_those_around_it(line: int, functions: list[str]) -> None:
    assert list(in_changed_functions(EDGES, {FILE: [line]})) == functions


def test_a_changed_function_has_all_of_its_edges_in_this_file() -> None:
    assert in_changed_functions(EDGES, {FILE: [12, 31]}) == {"f": [0, 3], "g": [1, 4]}
    assert in_changed_functions(EDGES, {"src/other.cpp": [12]}) == {}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    found = Repository(tmp_path / "z3")
    found.commit("\n".join(map(str, range(1, 9))), FILE)
    found.commit("text", "doc/other.txt")
    return found


def test_lines_of_sources_that_differ_from_a_revision_are_read_with_those_not_committed(repository: Repository) -> None:
    lines = [*map(str, range(1, 9))]
    lines[1:3] = ["two", "three"]
    repository.commit("\n".join(lines), FILE)
    repository.commit("other text", "doc/other.txt")
    del lines[6]
    (repository.folder / FILE).write_text("\n".join([*lines, "9"]) + "\n")
    assert changed_lines(repository.folder, "HEAD~2") == {FILE: [2, 3, 6, 8]}
    assert changed_lines(repository.folder, "HEAD") == {FILE: [6, 8]}
    with pytest.raises(HistoryError, match="no commit 'nowhere'"):
        changed_lines(repository.folder, "nowhere")


def test_units_that_execute_most_of_the_changes_come_first(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).write_text(name)
    reached = {"a": [0], "b": [], "c": [3, 4]}

    class Recording:
        def __init__(self, *_: object) -> None:
            self.reached = np.zeros(len(EDGES), dtype=bool)

        def add_all(self, files: list[Path]) -> list[int]:
            self.reached[reached[files[0].name]] = True
            return [1]

    make: Any = Recording
    found = those_near([tmp_path / name for name in "abc"], {"f": [0, 3], "g": [1, 4]}, make)
    assert found == NearUnits([(tmp_path / "c", 2), (tmp_path / "a", 1)], ["f", "g"])
    copy(found.units, tmp_path / "near")
    assert sorted(path.name for path in (tmp_path / "near").iterdir()) == ["00001-c", "00002-a"]
