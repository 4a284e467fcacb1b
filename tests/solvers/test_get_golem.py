"""get_golem.sh: what it refuses, what it says is missing, and the Golem that it makes of the source."""

import subprocess
import tarfile
from pathlib import Path

import pytest
from chcfuzz.tracing.command_edges import edges_of

from tests.other_solvers import SOURCES, needs_sources, run_script
from tests.targets import ROOT

SCRIPT = ROOT / "get_golem.sh"
OPENSMT = ("--opensmt-source", SOURCES / "opensmt-src.tar.gz", "--profile", "trace")
PARTS = ("--source", SOURCES / "golem-src.tar.gz", *OPENSMT)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--frobnicate"], "unknown argument '--frobnicate'"),
        (["--source"], "--source needs a value"),
        (["--source", "/nowhere"], "--source '/nowhere' is not there"),
        (["--opensmt-source", "/nowhere"], "--opensmt-source '/nowhere' is not there"),
        (["--jobs", "0"], "--jobs '0' is not a positive number"),
        (["--profile", "fast"], "--profile 'fast' is none of release, trace, debug, asan"),
    ],
)
def test_a_wrong_argument_is_named_in_one_line_with_status_2(arguments: list[str], complaint: str) -> None:
    done = run_script(SCRIPT, *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"get_golem.sh: {complaint}")


def test_help_names_every_flag_and_needs_no_other_program() -> None:
    done = run_script(SCRIPT, "--help", environment={"PATH": ""})
    assert (done.returncode, done.stderr) == (0, "")
    for flag in ("source", "opensmt-source", "jobs", "prefix", "profile", "install-deps"):
        assert f"--{flag}" in done.stdout


def test_missing_tools_are_named_in_one_line_with_the_command_that_gets_them() -> None:
    done = run_script(SCRIPT, environment={"PATH": ""})
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "missing: cmake, make, flex, bison, tar, sha256sum, flock, g++;" in done.stderr
    assert "get it with: ./get_golem.sh --install-deps (Debian, Ubuntu: apt-get install cmake" in done.stderr


def test_a_build_that_counts_edges_wants_clang() -> None:
    done = run_script(SCRIPT, "--profile", "trace", environment={"PATH": ""})
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "flock, clang++; get it with" in done.stderr
    assert "libgmp-dev clang-19)" in done.stderr


def with_tools(folder: Path) -> dict[str, str]:
    """An environment in which every tool of the script is there, and none does anything."""
    (folder / "bin").mkdir()
    for tool in ("cmake", "make", "g++", "flex", "bison"):
        (folder / "bin" / tool).write_text("#!/bin/sh\n")
        (folder / "bin" / tool).chmod(0o755)
    return {"PATH": f"{folder / 'bin'}:/usr/bin:/bin", "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}


def tree_of(folder: Path, name: str, version: str, proof: str) -> Path:
    (folder / proof).parent.mkdir(parents=True)
    (folder / proof).touch()
    parts = zip(("MAJOR", "MINOR", "PATCH"), version.split("."), strict=True)
    (folder / "CMakeLists.txt").write_text("".join(f"set({name}_VERSION_{part} {number})\n" for part, number in parts))
    return folder


def test_what_is_not_golem_and_another_opensmt_are_told_before_anything_is_built(tmp_path: Path) -> None:
    env = with_tools(tmp_path)
    golem = tree_of(tmp_path / "golem", "GOLEM", "0.9.1", "src/ChcSystem.cc")
    (golem / "src" / "CMakeLists.txt").write_text("find_package(OpenSMT 2.9.1 EXACT CONFIG)\n")
    newer = tree_of(tmp_path / "opensmt", "OPENSMT", "2.9.3", "src/api/MainSolver.cc")
    done = run_script(SCRIPT, "--source", golem, "--opensmt-source", newer, environment=env)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "is OpenSMT 2.9.3; Golem 0.9.1 wants 2.9.1" in done.stderr
    done = run_script(SCRIPT, "--source", newer, environment=env)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "is not golem: it has no src/ChcSystem.cc" in done.stderr


@pytest.mark.slow
@needs_sources
def test_golem_is_built_from_its_source_and_a_changed_one_compiles_only_what_differs(tmp_path: Path) -> None:
    """In the cache that everybody uses: a quarter of an hour of processor time the first time."""
    done = run_script(SCRIPT, *PARTS)
    assert done.returncode == 0, done.stderr
    golem = Path(done.stderr.splitlines()[-1].removeprefix("get_golem.sh: done: "))
    said = subprocess.run([golem, "--version"], capture_output=True, text=True, check=True).stdout
    assert said == "Golem 0.9.1\n"
    assert "edges=yes" in (golem.parent / "BUILD_INFO").read_text().splitlines()
    assert len(edges_of(str(golem)).edges.counters) > 10_000
    again = run_script(SCRIPT, *PARTS)
    assert again.stderr.splitlines() == [
        f"get_golem.sh: {golem.parent} is up to date",
        f"get_golem.sh: done: {golem}",
    ]
    with tarfile.open(SOURCES / "golem-src.tar.gz") as archive:
        archive.extractall(tmp_path / "tree", filter="data")
    options = tmp_path / "tree" / "src" / "Options.cc"
    options.write_text(options.read_text().replace("Print this help message", "Print another help message"))
    other = run_script(SCRIPT, "--source", tmp_path / "tree", *OPENSMT, "--prefix", tmp_path / "made")
    assert other.returncode == 0, other.stderr
    said = subprocess.run([tmp_path / "made" / "golem", "-h"], capture_output=True, text=True, check=True).stdout
    assert "Print another help message" in said
    log = Path(other.stderr.split("profile trace, in ")[1].split(" (")[0]) / "make.log"
    compiled = {line.split("/")[-1] for line in log.read_text().splitlines() if "Building CXX object" in line}
    # The planted Golem of tests/quality shares this folder, and has its own Spacer.cc.
    assert compiled <= {"Options.cc.o", "Spacer.cc.o"}, "nothing else was compiled again"
