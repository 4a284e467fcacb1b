"""Builds of Z3 that a user has. Every test has processes of its own, because a process chooses its Z3 once."""

import _ctypes
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from chcfuzz.solvers.z3_build import build_in

INSTALLED = metadata.version("z3-solver")
BINDINGS = Path(str(metadata.distribution("z3-solver").locate_file("z3")))
SOLVE = """
import sys
from pathlib import Path
from chcfuzz.solvers import z3_release
print(z3_release.chosen(None, Path(sys.argv[1])) == z3_release.activate(None, Path(sys.argv[1])))
import z3
from chcfuzz.domains.chc.solvers.spacer import Spacer
from chcfuzz.solvers.watchdog import Watchdog
from chcfuzz.tracing.progress_log import ProgressLog
release = z3_release.active()
print(release.version, release.traced, z3.__file__)
print(*sorted({line.split(maxsplit=5)[-1].strip() for line in open("/proc/self/maps") if "libz3" in line}))
text = '''(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))
    (assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))
    (assert (forall ((x Int)) (=> (and (p x) (> x 9)) false)))'''
outcome = Spacer(ProgressLog(), Watchdog(60)).solve(text, [("fp.xform.inline_eager", "false")], 5_000_000)
print(outcome.status.name, outcome.trace.length > 1)
"""


def python(code: str, *arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-c", code, *arguments]
    return subprocess.run(
        words, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


def error_of(done: subprocess.CompletedProcess[str]) -> str:
    """The message of a process that a ReleaseError ended."""
    last = done.stderr.splitlines()[-1]
    kind, _, message = last.partition(": ")
    assert kind.endswith(".ReleaseError"), done.stderr
    return message


def library_in(folder: Path) -> Path:
    """Copy the library of the installed release into a folder: /proc/self/maps shows where a link leads."""
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / "libz3.so"
    try:
        library.hardlink_to(BINDINGS / "lib" / "libz3.so")
    except OSError:  # another file system
        shutil.copy(BINDINGS / "lib" / "libz3.so", library)
    return library


def bindings_in(folder: Path) -> Path:
    """Copy the bindings of the installed release into a folder; they are as those that a build generates."""
    shutil.copytree(
        BINDINGS, folder / "z3", ignore=shutil.ignore_patterns("lib", "include", "__pycache__"), dirs_exist_ok=True
    )
    return folder / "z3" / "__init__.py"


@pytest.mark.parametrize(
    ("library", "bindings"),
    [
        (".", "python"),  # a build folder of CMake
        ("build", "build/python"),  # a checkout that mk_make.py has built
        ("lib", "lib/python3.11/site-packages"),  # a prefix
        ("bin", "bin/python"),  # a release on GitHub
        ("z3/lib", "."),  # an unpacked wheel
    ],
)
def test_a_build_is_used_with_its_own_bindings_and_events_of_the_progress_log(
    library: str, bindings: str, tmp_path: Path
) -> None:
    used, module = library_in(tmp_path / library), bindings_in(tmp_path / bindings)
    done = python(SOLVE, str(tmp_path), cwd=tmp_path)
    assert done.stdout.splitlines() == ["True", f"{INSTALLED} None {module}", str(used), "SAT True"], done.stderr


@pytest.mark.parametrize("place", ["z3", "bin/z3", "build/z3"])
def test_the_program_of_a_build_is_found_beside_its_library(place: str, tmp_path: Path) -> None:
    library_in(tmp_path / "lib")
    assert build_in(tmp_path).program is None
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text("#!/bin/sh\n")
    assert build_in(tmp_path).program is None
    (tmp_path / place).chmod(0o755)
    assert build_in(tmp_path).program == tmp_path / place


def test_a_build_without_bindings_takes_those_of_the_release_with_its_version(tmp_path: Path) -> None:
    used = library_in(tmp_path / "lib")
    done = python(SOLVE, str(tmp_path), cwd=tmp_path)
    installed = BINDINGS / "__init__.py"
    assert done.stdout.splitlines() == ["True", f"{INSTALLED} None {installed}", str(used), "SAT True"], done.stderr


FAKE = """
#include <stddef.h>
void Z3_get_version(unsigned *a, unsigned *b, unsigned *c, unsigned *d) { *a = %d; *b = %d; *c = %d; *d = 0; }
%s
"""


def fake(folder: Path, version: tuple[int, int, int], more: str = "") -> None:
    """Compile a library that only knows its version, or skip visibly."""
    compiler = shutil.which("cc") or shutil.which("clang") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    folder.mkdir()
    (folder / "z3.c").write_text(FAKE % (*version, more))
    words = [compiler, "-shared", "-fPIC", "-o", str(folder / "libz3.so"), str(folder / "z3.c")]
    subprocess.run(words, check=True)


def test_a_build_that_is_too_old_is_refused(tmp_path: Path) -> None:
    fake(tmp_path / "old", (4, 8, 7))
    message = error_of(python(SOLVE, str(tmp_path / "old"), cwd=tmp_path))
    assert message == f"the Z3 in {str(tmp_path / 'old')!r} is 4.8.7.0; build 4.8.12 or a newer one"


def test_a_build_of_no_release_needs_bindings_of_its_own(tmp_path: Path) -> None:
    fake(tmp_path / "new", (4, 99, 1))
    message = error_of(python(SOLVE, str(tmp_path / "new"), cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path)))
    assert "has no Python bindings, and no release of z3-solver has its version 4.99.1.0" in message
    assert message.endswith("build Z3 with -DZ3_BUILD_PYTHON_BINDINGS=ON")


def test_a_traced_build_that_is_not_finished_is_not_taken_for_a_plain_one(tmp_path: Path) -> None:
    fake(tmp_path / "half", (5, 4, 0), "void *chcfuzz_get_trace(void) { return NULL; }")
    message = error_of(python(SOLVE, str(tmp_path / "half"), cwd=tmp_path))
    assert message.endswith("is a traced build without BUILD_INFO; let ./build_z3_traced.sh finish it")


@pytest.mark.parametrize("content", ["text", "another library"])
def test_a_file_that_is_not_a_z3_is_refused_with_the_reason_of_the_loader(content: str, tmp_path: Path) -> None:
    library = tmp_path / "libz3.so"
    if content == "text":
        library.write_text("not a library\n")
    else:
        shutil.copy(_ctypes.__file__, library)
    message = error_of(python(SOLVE, str(tmp_path), cwd=tmp_path))
    reason = "file too short" if content == "text" else "Z3_get_version"
    assert message.startswith(f"{str(library)!r} cannot be loaded as a Z3: ")
    assert reason in message


def test_a_folder_without_a_library_is_refused(tmp_path: Path) -> None:
    message = error_of(python(SOLVE, str(tmp_path), cwd=tmp_path))
    assert message.startswith(f"no Z3 in {str(tmp_path)!r}: neither BUILD_INFO nor libz3.so is there; ")
