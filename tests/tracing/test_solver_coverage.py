"""Lines of a solver from its edges: a small library compiled as Z3 is, and the comparison with llvm-cov."""

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from chcfuzz.tracing.line_excerpt import CoverageError
from chcfuzz.tracing.llvm import ToolError, tool
from chcfuzz.tracing.solver_coverage import Coverage, coverage_of, load_address
from chcfuzz.tracing.traced_library import TracedLibrary

from tests.targets import ROOT
from tests.traced import COVERAGE, TRACED, needs_coverage_build, needs_traced_build

NATIVE = ROOT / "tracing" / "native"
SOURCE = """\
#include "chcfuzz_events.h"
extern "C" __attribute__((visibility("default"))) int run(int n) {
    CHCFUZZ_EVENT("small", true);
    int sum = 0;
    if (n > 100) {
        __asm__ volatile("# large");
        sum = n * 7;
    } else {
        __asm__ volatile("# small");
        sum = n - 3;
    }
    __asm__ volatile("# after");
    return sum;
}
extern "C" __attribute__((visibility("default"))) int never(int n) {
    return n + 1;
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with a branch and a function that is never called."""
    compiler = shutil.which("clang++-19") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("needs clang++: run ./build_z3_traced.sh --install-deps")
    try:
        tool("llvm-symbolizer")
        tool("llvm-dwarfdump")
    except ToolError as error:
        pytest.skip(f"needs LLVM's programs: run ./build_z3_traced.sh --install-deps ({error})")
    folder = tmp_path_factory.mktemp("covered")
    (folder / "small.cpp").write_text(SOURCE)
    command = [compiler, "-std=c++17", "-O1", "-g1", "-fPIC", "-shared", "-fvisibility=hidden", "-iquote", str(NATIVE)]
    command += ["-fsanitize-coverage=inline-8bit-counters,pc-table", "-o", str(folder / "library.so")]
    subprocess.run([*command, str(folder / "small.cpp"), str(NATIVE / "chcfuzz_events.cpp")], check=True)
    return folder / "library.so"


def covered(library: Path, *arguments: int) -> Coverage:
    traced = TracedLibrary(library, tags=())
    run = ctypes.CDLL(str(library)).run
    traced.edges.clear()
    for argument in arguments:
        run(argument)
    pcs = traced.edges.pcs - np.array([load_address(library), 0], np.uintp)
    return coverage_of(library, pcs, traced.edges.counters > 0)


def test_lines_and_functions_that_ran_are_distinguished_from_others(library: Path) -> None:
    found = covered(library, 1)
    file = str(library.parent / "small.cpp")
    large, small, after, never = 6, 9, 12, 16
    assert {small, large, never} <= found.lines()[file]
    assert {small, after} <= found.lines(reached_only=True)[file]
    assert not {large, never} & found.lines(reached_only=True)[file]
    assert found.functions()[file] == {"run", "never"}
    assert found.functions(reached_only=True)[file] == {"run"}
    both = covered(library, 1, 1000)
    assert large in both.lines(reached_only=True)[file]


def test_the_standard_library_is_left_out(library: Path) -> None:
    assert not any(file.startswith("/usr/include") or "/include/c++/" in file for file in covered(library, 1).lines())


def test_a_library_without_debug_information_is_rejected_with_advice(library: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.so"
    subprocess.run([tool("llvm-objcopy"), "--strip-debug", str(library), str(bare)], check=True)
    with pytest.raises(CoverageError, match="build it with -g1") as caught:
        coverage_of(bare, np.array([[0x1000, 1]], np.uintp), np.array([True]))
    assert str(bare) in str(caught.value)


def test_a_missing_program_of_llvm_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolError, match=r"llvm-dwarfdump is missing; .*--install-deps"):
        tool("llvm-dwarfdump")


@pytest.mark.slow
@needs_traced_build
@needs_coverage_build
def test_the_lines_of_spacer_are_those_of_llvm_cov_within_the_stated_tolerance() -> None:
    program = [sys.executable, "-m", "bench.power.llvm_coverage", str(ROOT / "corpus" / "queries")]
    builds = [f"--z3-library={TRACED}", f"--coverage-build={COVERAGE}"]
    done = subprocess.run([*program, *builds], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
