"""A patched build: of a tree of two files, which Ninja has built as `build_z3_traced.sh` lets it build Z3."""

import ctypes
import shutil
import subprocess
from pathlib import Path

import pytest
from chcfuzz.triage.fix.build import INFO, BuildTree, build_tree, patched_build, without_precompiled
from chcfuzz.triage.fix.patch import PatchError, read_patch

from tests.traced import TRACED, needs
from tests.users import BecomeUser

COMPILER = next((name for name in ("clang++-19", "clang++") if shutil.which(name)), None)
NINJA = next((path for path in (shutil.which("ninja"), TRACED.parent / "tools" / "bin" / "ninja") if path), None)
pytestmark = needs(
    lambda: COMPILER is not None and NINJA is not None and Path(NINJA).exists(),
    "needs clang++ and Ninja: run ./build_z3_traced.sh --install-deps",
)

SOURCES = {
    "base.h": "#pragma once\ninline int base() { return 1; }\n",
    "one.cpp": '#include "base.h"\nextern "C" int one() { return 10 + base(); }\n',
    "two.cpp": 'extern "C" int two() { return 2; }\n',
    "main.cpp": 'extern "C" int one();\nint main() { return one(); }\n',
}
RULES = """rule cxx
  command = {compiler} -fPIC -fcolor-diagnostics -I{source}/src -MD -MF $out.d -o $out -c $in
  depfile = $out.d
  deps = gcc
rule link
  command = : && {compiler} -shared -o $out $in && :
rule link_program
  command = : && {compiler} -o $out $in && :
build one.o: cxx {source}/src/one.cpp
build two.o: cxx {source}/src/two.cpp
build main.o: cxx {source}/src/main.cpp
build libz3.so: link one.o two.o
build z3: link_program main.o one.o
"""


def patch_of(file: str, old: str, new: str) -> str:
    return f"--- a/src/{file}\n+++ b/src/{file}\n@@ -2 +2 @@\n-{old}\n+{new}\n"


HEADER = patch_of("base.h", "inline int base() { return 1; }", "inline int base() { return 5; }")


@pytest.fixture
def tree(tmp_path: Path, become_user: BecomeUser) -> BuildTree:
    """The tree and its result; one file includes `base.h`."""
    assert NINJA is not None
    cache = tmp_path / "chcfuzz" / "z3-traced"
    become_user(tmp_path)
    made, result, source = cache / "build" / "x-1" / "build", cache / "5.4.0.0-trace", cache / "source" / "5"
    parts = (result / part for part in ("lib", "bin", "python/z3"))
    for folder in (made, *parts, source / "src", cache / "tools" / "bin"):
        folder.mkdir(parents=True)
    (cache / "tools" / "bin" / "ninja").symlink_to(Path(NINJA).resolve())
    for name, text in SOURCES.items():
        (source / "src" / name).write_text(text)
    (made / "build.ninja").write_text(RULES.format(compiler=COMPILER, source=source))
    subprocess.run([NINJA, "-C", made, "libz3.so", "z3"], check=True, capture_output=True)
    shutil.copy(made / "libz3.so", result / "lib")
    shutil.copy(made / "z3", result / "bin")
    (result / INFO).write_text(f"version=5.4.0.0\nprofile=trace\nsource={source}\n")
    return build_tree(result)


def built(tree: BuildTree, patch: str, log: list[str]) -> Path:
    file = tree.result.parent / "fix.patch"
    file.write_text(patch)
    return patched_build(tree, read_patch(file, tree.source), 2, log.append)


def numbers(build: Path) -> tuple[int, int]:
    library = ctypes.CDLL(str(build / "lib" / "libz3.so"))
    return library.one(), library.two()


def contents(folder: Path) -> dict[Path, tuple[bytes, int]]:
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


def test_a_patch_of_a_header_recompiles_its_users_and_nothing_else_changes(tree: BuildTree) -> None:
    before = contents(tree.tree) | contents(tree.source) | contents(tree.result)
    log: list[str] = []
    build = built(tree, HEADER, log)
    assert numbers(build) == (15, 2)
    assert subprocess.run([build / "bin" / "z3"], check=False).returncode == 15
    assert log == ["compiling 1 file with fix.patch", "linking"]
    assert contents(tree.tree) | contents(tree.source) | contents(tree.result) == before
    assert (build / INFO).read_text().startswith("version=5.4.0.0\n")
    assert built(tree, HEADER, log) == build
    assert len(log) == 2, "the second time, the cache has it"
    (build / "bin" / "z3").unlink()  # as in a cache of a version that did not link it
    assert built(tree, HEADER, log) == build
    assert (build / "bin" / "z3").is_file()


def test_a_tree_without_the_program_gets_the_library_alone(tree: BuildTree) -> None:
    (tree.result / "bin" / "z3").unlink()
    assert not (built(tree, HEADER, []) / "bin").exists()


def test_another_patch_is_another_build(tree: BuildTree) -> None:
    first = built(tree, HEADER, [])
    second = built(
        tree, patch_of("one.cpp", SOURCES["one.cpp"].splitlines()[1], 'extern "C" int one() { return 7; }'), []
    )
    assert (numbers(first), numbers(second)) == ((15, 2), (7, 2))


def test_a_patch_that_does_not_compile_is_reported_in_one_line(tree: BuildTree) -> None:
    with pytest.raises(PatchError, match=r"does not compile in one: src/base.h:2:\d+: error: .*; change the patch$"):
        built(tree, patch_of("base.h", "inline int base() { return 1; }", "inline int base() { return x; }"), [])
    assert not [path for path in tree.result.parent.glob("patched/*/*") if path.name != "lock"]


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        ("hello\n", "is not a unified diff"),
        (patch_of("none.cpp", "a", "b"), "which '.*' lacks; change existing files only"),
        (patch_of("two.cpp", "a", "b"), "does not fit the sources"),
    ],
)
def test_a_patch_that_cannot_be_applied_is_refused(tree: BuildTree, patch: str, message: str) -> None:
    with pytest.raises(PatchError, match=message) as caught:
        built(tree, patch, [])
    assert "\n" not in str(caught.value)


def test_a_tree_that_is_gone_is_reported(tree: BuildTree) -> None:
    shutil.rmtree(tree.tree)
    with pytest.raises(PatchError, match=r"are gone; run ./build_z3_traced.sh again"):
        build_tree(tree.result)


def test_a_command_loses_its_precompiled_header() -> None:
    header = ["-Xclang", "-include-pch", "-Xclang", "x.pch", "-Xclang", "-include", "-Xclang", "x.hxx"]
    others = ["-Xclang", "-other", "-c", "a.cpp"]
    assert without_precompiled(["c++", *header, *others]) == ["c++", *others]
