"""Source lines of places, from a folder as a traced build leaves it."""

from pathlib import Path

import pytest
from chcfuzz.triage.locate.source_lines import around, described, line_at, sources_of


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    for folder, text in (("muz/spacer", "spacer"), ("ast", "ast")):
        (tmp_path / "z3" / "src" / folder).mkdir(parents=True)
        lines = "\n".join(f"    {text} {number};" for number in range(1, 10))
        (tmp_path / "z3" / "src" / folder / "context.cpp").write_text(lines)
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "BUILD_INFO").write_text(f"version=5.4.0.0\nsource={tmp_path / 'z3'}\n")
    found = sources_of(tmp_path / "build")
    assert found is not None
    return found


def test_a_line_is_that_of_the_counted_folder(sources: Path) -> None:
    assert line_at(sources, "context.cpp:3 expand -> context.cpp:5 create") == "spacer 3;"
    assert described(sources, ["context.cpp:9 f", "context.cpp:10 f", "none.cpp:1 f", "lemma at level 1"]) == (
        ("context.cpp:9 f", "spacer 9;"),
    )


def test_the_lines_around_a_place_are_numbered(sources: Path) -> None:
    assert list(around(sources, "context.cpp:1 f", 1)) == [">    1     spacer 1;", "     2     spacer 2;"]
    assert list(around(sources, "add-lemma", 1)) == []


def test_sources_that_are_gone_are_unknown(tmp_path: Path) -> None:
    assert sources_of(tmp_path) is None
    (tmp_path / "BUILD_INFO").write_text("source=/nowhere\n")
    assert sources_of(tmp_path) is None
