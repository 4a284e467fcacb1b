"""Patches of the solver's sources, without a compiler."""

from pathlib import Path

import pytest
from chcfuzz.triage.fix.patch import PatchError, read_patch

SOURCES = ("src/one.cpp", "src/one.h", "src/params.pyg", "src/api/python/z3/z3.py", "CMakeLists.txt", "src/api.def")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for name in SOURCES:
        (tmp_path / "z3" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "z3" / name).write_text("one\n")
    return tmp_path / "z3"


def patch_of(folder: Path, *names: str) -> Path:
    path = folder / "fix.patch"
    path.write_text("".join(f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-one\n+two\n" for name in names))
    return path


def test_a_patch_changes_copies_of_the_files_that_a_compiler_reads(source: Path, tmp_path: Path) -> None:
    patch = read_patch(patch_of(tmp_path, "src/one.h", "src/one.cpp", "src/api.def"), source)
    assert patch.files == ("src/api.def", "src/one.cpp", "src/one.h")
    patch.apply(source, tmp_path / "copies")
    assert [(tmp_path / "copies" / name).read_text() for name in patch.files] == ["two\n"] * 3
    assert {(source / name).read_text() for name in SOURCES} == {"one\n"}


@pytest.mark.parametrize("name", ["src/params.pyg", "src/api/python/z3/z3.py", "CMakeLists.txt"])
def test_a_patch_of_a_file_that_generates_sources_is_refused(source: Path, tmp_path: Path, name: str) -> None:
    """The build of a patch compiles files again, and does not run the generators: the patch would change nothing."""
    with pytest.raises(PatchError, match=f"changes '{name}', which generates sources; change C"):
        read_patch(patch_of(tmp_path, "src/one.cpp", name), source)


def test_a_patch_of_a_generated_file_is_refused(source: Path, tmp_path: Path) -> None:
    with pytest.raises(PatchError, match=r"changes 'src/params.hpp', which .* lacks; change existing files only"):
        read_patch(patch_of(tmp_path, "src/one.cpp", "src/params.hpp"), source)


@pytest.mark.parametrize("name", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_CEILING_DIRECTORIES"])
def test_variables_of_git_do_not_change_a_patch(
    source: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    patch = read_patch(patch_of(tmp_path, "src/one.cpp"), source)
    patch.apply(source, tmp_path / "copies")
    assert (tmp_path / "copies" / "src" / "one.cpp").read_text() == "two\n"
