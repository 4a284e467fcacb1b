"""Objects of an older build tree: copied where a compiler would make the same ones."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from chcfuzz.triage.history.reuse import LAUNCHER, differing

TEXT = "int one() { return 1; }\n"


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    """Old and new sources and trees, and the folder that the launcher reads; the old object is a text."""
    for name in ("old/src", "new/src", "old-tree/build", "new-tree/build", "reuse/objects"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("old", "new"):
        (tmp_path / name / "src" / "one.cpp").write_text(TEXT)
        (tmp_path / name / "src" / "one.h").write_text(TEXT)
        (tmp_path / f"{name}-tree" / "build" / "made.h").write_text(f"// {tmp_path / name}\n")
    (tmp_path / "old-tree" / "build" / "one.o").write_text("the old object")
    words = "\n".join(command(tmp_path, "old"))
    files = "\n".join(
        map(str, (tmp_path / "old/src/one.cpp", tmp_path / "old/src/one.h", tmp_path / "old-tree/build/made.h"))
    )
    (tmp_path / "reuse" / "objects" / "one.o").write_text(f"{words}\n\n{files}\n")
    (tmp_path / "reuse" / "paths").write_text(f"{tmp_path / 'old'}\n{tmp_path / 'old-tree'}\n{tmp_path / 'new'}\n")
    return tmp_path


def command(folder: Path, which: str, *more: str) -> list[str]:
    """A compiler that writes another text."""
    script = "import sys; open(sys.argv[2], 'w').write('compiled')"
    return [
        sys.executable,
        "-c",
        script,
        "-o",
        "one.o",
        "-MF",
        "one.d",
        *more,
        "-c",
        str(folder / which / "src/one.cpp"),
    ]


def made(folder: Path, *more: str) -> str:
    """The object that the launcher leaves in the new tree."""
    changed = differing(folder / "old", folder / "new")
    (folder / "reuse" / "changed").write_text("".join(f"{name}\n" for name in changed))
    words = [sys.executable, "-IS", str(LAUNCHER), str(folder / "reuse"), *command(folder, "new", *more)]
    subprocess.run(words, cwd=folder / "new-tree" / "build", check=True, env=os.environ)
    return (folder / "new-tree" / "build" / "one.o").read_text()


def test_an_object_of_the_same_sources_is_copied_with_its_dependencies(folders: Path) -> None:
    assert made(folders) == "the old object"
    listed = (folders / "new-tree" / "build" / "one.d").read_text().split()
    assert listed[0] == "one.o:"
    new = [str(folders / "new/src/one.cpp"), str(folders / "new/src/one.h"), str(folders / "new-tree/build/made.h")]
    assert [word for word in listed[1:] if word != "\\"] == new


@pytest.mark.parametrize("file", ["new/src/one.cpp", "new/src/one.h", "new-tree/build/made.h"])
def test_an_object_with_a_changed_file_is_compiled(folders: Path, file: str) -> None:
    (folders / file).write_text("int one() { return 2; }\n")
    assert made(folders) == "compiled"


def test_an_object_with_another_command_is_compiled(folders: Path) -> None:
    assert made(folders, "-O2") == "compiled"


def test_a_new_header_of_the_same_name_lets_the_object_be_compiled(folders: Path) -> None:
    (folders / "new" / "src" / "sub").mkdir()
    (folders / "new" / "src" / "sub" / "one.h").write_text("int other();\n")
    assert made(folders) == "compiled"
