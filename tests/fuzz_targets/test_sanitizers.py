"""Campaigns on builds with sanitizers, and on a debug build."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz_targets.solvers import MARK
from tests.fuzz_targets.test_bad_solvers import LUCKY, PATH, UNLUCKY
from tests.targets import SAFETY_NET, Run
from tests.traced import ASAN, DEBUG, TRACED, needs_asan_build, needs_debug_build, needs_traced_build


@pytest.fixture
def with_runtime(tmp_path: Path) -> Path:
    """The traced build as if it needed AddressSanitizer's runtime, which then watches over the C library's calls."""
    compiler = shutil.which("clang++-19")
    name = f"libclang_rt.asan-{os.uname().machine}.so"
    found = compiler and subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True).stdout
    if not found or not Path(found.strip()).is_file():
        pytest.skip(f"needs {name} of clang 19: run ./build_z3_traced.sh --install-deps")
    folder = tmp_path / "with-runtime"
    folder.mkdir()
    for part in ("lib", "python"):
        (folder / part).symlink_to(TRACED / part)
    (folder / "BUILD_INFO").write_text((TRACED / "BUILD_INFO").read_text() + f"preload={found.strip()}\n")
    return folder


@pytest.mark.slow
@needs_traced_build
def test_a_memory_error_is_a_finding_and_the_campaign_goes_on(run: Run, with_runtime: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "a.smt2").write_text(LUCKY)
    (folder / "b.smt2").write_text(UNLUCKY + "; longer, so that it comes later\n" * 4)
    solver = "--solver=tests.fuzz_targets.solvers:OverflowingSpacer"
    arguments = ("--verbose", "-runs=30", "-seed=1", f"--z3-library={with_runtime}", solver)
    ended = run(folder, *arguments, PYTHONPATH=PATH)
    assert ended.code == 0, ended.err
    assert "AddressSanitizer: heap-buffer-overflow" in ended.err
    assert "Custom-" in ended.err
    assert ended.summary["executions"] > 20, "the campaign went on"
    assert ended.summary["findings"]["crash"] >= 1
    findings = list((tmp_path / "findings").glob("crash-*"))
    assert all(MARK in (finding / "mutant.smt2").read_text() for finding in findings)
    assert all(json.loads((f / "record.json").read_text())["witness"] == "it dies of signal 6" for f in findings)


@pytest.mark.slow
@needs_traced_build
def test_processes_that_libfuzzer_starts_have_the_runtime_too(run: Run, with_runtime: Path, seeds: Path) -> None:
    ended = run("-fork=1", "-runs=6", "-seed=1", f"--z3-library={with_runtime}", seeds)
    assert ended.code == 0, ended.err
    assert ended.summary["executions"] > 5
    assert ended.summary["crashes"] == 0


@needs_asan_build
def test_the_asan_build_is_fuzzed_with_the_custom_mutator_and_its_edges(run: Run, seeds: Path) -> None:
    ended = run(
        "--verbose", "-runs=60", "-seed=1", "--wall-seconds=20", "--features=all", f"--z3-library={ASAN}", seeds
    )
    assert ended.code == 0, ended.err
    last = [line for line in ended.err.splitlines() if " cov: " in line][-1]
    assert int(last.split(" cov: ")[1].split()[0]) > 5_000
    assert "Custom-" in ended.err
    assert ended.summary["sat"] > 0
    assert ended.summary["unsat"] > 0


@needs_debug_build
def test_the_debug_build_is_fuzzed(run: Run, seeds: Path) -> None:
    ended = run("-runs=40", "-seed=1", "--wall-seconds=20", f"--z3-library={DEBUG}", seeds)
    assert ended.code == 0, ended.err
    assert "Custom-" in ended.err
    assert ended.summary["sat"] > 0


FAILED_ASSERTION = """
import sys
from pathlib import Path
from chcfuzz.solvers import z3_release
z3_release.activate(None, Path(sys.argv[1]))
import z3
variable = z3.Var(0, z3.IntSort())
try:
    z3.z3core.Z3_to_app(variable.ctx.ref(), variable.as_ast())  # an application is asserted
except z3.Z3Exception as error:
    print("raised", error)
"""


@needs_debug_build
def test_a_failed_assertion_of_the_debug_build_does_not_wait_for_an_answer() -> None:
    command = [sys.executable, "-c", FAILED_ASSERTION, str(DEBUG)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        code = process.wait(SAFETY_NET)  # its standard input is open and stays empty
        said, complained = process.stdout.read(), process.stderr.read()
    assert "ASSERTION VIOLATION" in complained
    assert code != 0 or "raised" in said
