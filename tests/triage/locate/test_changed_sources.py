"""Differences between the sources of two releases, and which of them a run executes."""

from pathlib import Path

import pytest
from chcfuzz.triage.locate.changed_sources import SourcesError, changed_files, executed_lines


def sources(folder: Path, **texts: str) -> Path:
    (folder / "src" / "muz").mkdir(parents=True)
    for name, text in texts.items():
        (folder / "src" / "muz" / f"{name}.cpp").write_text(text)
    return folder


LINES = [f"line {number};" for number in range(40)]


def test_files_whose_differences_are_executed_come_first(tmp_path: Path) -> None:
    text = "\n".join(LINES)
    twice = text.replace("line 4;", "line four;").replace("line 30;", "line thirty;")
    old = sources(tmp_path / "old", a=text, b=text, c=text, same=text)
    new = sources(tmp_path / "new", a=twice, b=twice, c=twice, same=text, added=text)
    executed = executed_lines(["b.cpp:31 datalog::f", "c.cpp:15 g", "same.cpp:5 h", None])
    found = [str(one) for one in changed_files(old, new, executed)]
    assert found == [
        "src/muz/b.cpp: 2 places changed, 1 executed",
        "src/muz/c.cpp: 2 places changed, file executed",
        "src/muz/a.cpp: 2 places changed, not executed",
        "src/muz/added.cpp: 1 place changed, not executed",
    ]


def test_a_folder_without_sources_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourcesError, match="src/muz is missing"):
        changed_files(tmp_path, tmp_path, {})
