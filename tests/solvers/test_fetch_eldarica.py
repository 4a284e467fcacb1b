"""fetch_eldarica.sh: what it refuses, and what it leaves, with a Maven and a Java that are scripts.

Eldarica itself is asked in `test_eldarica.py`, where it is.
"""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "fetch_eldarica.sh"
BASH = shutil.which("bash") or "/bin/bash"

MAVEN = """
for word; do case $word in -DoutputDirectory=*) into=${word#*=};; --file) :;; esac; done
echo "$@" >> "$HOME/mvn-calls"
mkdir -p "$into"; echo one > "$into/eldarica_2.13-2.2.1.jar"; echo two > "$into/scala-library.jar"
"""
# A solver by the look of its file: it refutes what derives p(0).
JAVA = """
echo "$@" >> "$HOME/java-calls"
for file; do :; done
if grep -q '(p 0) false' "$file"; then echo unsat; else echo sat; echo '(define-fun p ((x Int)) Bool (= x 0))'; fi
"""


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder for PATH with a Maven, a Java and what else the script needs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, text in (("mvn", MAVEN), ("java", JAVA)):
        (folder / name).write_text(f"#!{BASH}\n{text}\n")
        (folder / name).chmod(0o755)
    for tool in ("sha256sum", "mktemp", "mkdir", "mv", "rm", "chmod", "cat", "sed", "grep", "readlink", "dirname"):
        found = shutil.which(tool)
        assert found is not None
        (folder / tool).symlink_to(found)
    return folder


def run(tools: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(tools), "HOME": str(tools.parent)}
    return subprocess.run([BASH, str(SCRIPT), *arguments], env=environment, capture_output=True, text=True, check=False)


def cache(tools: Path) -> Path:
    return tools.parent / ".cache" / "chcfuzz" / "eldarica"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--frobnicate"], "unknown argument '--frobnicate'"),
        (["--version"], "--version needs a value"),
        (["--version", "new"], "--version 'new' is not of the form X.Y or X.Y.Z"),
        (["--version", "2.2.1; rm"], "--version '2.2.1; rm' is not of the form X.Y or X.Y.Z"),
        (["--sha256", "46b7"], "--sha256 '46b7' is not 64 hexadecimal digits"),
        (["--sha256", "0" * 64, "--unpinned"], "--sha256 and --unpinned exclude each other"),
        ([], "Eldarica 2.2.1 is not pinned here: name the hash of its jars with --sha256, or say --unpinned"),
    ],
)
def test_a_wrong_argument_is_named_in_one_line_with_status_2(tools: Path, arguments: list[str], complaint: str) -> None:
    done = run(tools, *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"fetch_eldarica.sh: {complaint}")


def test_help_names_every_flag() -> None:
    done = subprocess.run([BASH, str(SCRIPT), "--help"], env={"PATH": ""}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    for flag in ("version", "sha256", "unpinned", "install-deps"):
        assert f"--{flag}" in done.stdout


def test_missing_tools_are_named_in_one_line_with_the_command_that_gets_them(tools: Path) -> None:
    (tools / "mvn").unlink()
    (tools / "java").unlink()
    done = run(tools, "--unpinned")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "missing: java, mvn; get it with: ./fetch_eldarica.sh --install-deps" in done.stderr


def test_what_is_fetched_solves_and_is_pinned_by_the_hash_that_was_told(tools: Path) -> None:
    done = run(tools, "--unpinned")
    assert done.returncode == 0, done.stderr
    folder = cache(tools) / "2.2.1"
    listed = (folder / "SHA256SUMS").read_bytes()
    assert listed.decode().split()[1::2] == ["eldarica_2.13-2.2.1.jar", "scala-library.jar"]
    told = hashlib.sha256(listed).hexdigest()
    assert f"pin it with: --sha256 {told}" in done.stderr
    assert os.listdir(cache(tools)) == ["2.2.1"], "nothing is left beside it"
    solved = subprocess.run(
        [str(folder / "eld"), "-ssol", "x.smt2"], env={"PATH": str(tools), "HOME": str(tools.parent)},
        cwd=tools, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert solved.stdout.startswith("sat\n")
    assert (tools.parent / "java-calls").read_text().splitlines()[-1] == (
        f"-Xss40m -Xmx3g -cp {folder}/lib/* lazabs.Main -ssol x.smt2"
    )
    again = run(tools, "--sha256", told)
    assert again.returncode == 0, again.stderr
    assert len((tools.parent / "mvn-calls").read_text().splitlines()) == 1, "it is there already"


def test_jars_with_another_hash_are_not_used(tools: Path) -> None:
    done = run(tools, "--sha256", "0" * 64)
    assert done.returncode == 1
    assert f"not {'0' * 64}" in done.stderr.splitlines()[-1]
    assert os.listdir(cache(tools)) == []
    assert not (tools.parent / "java-calls").exists(), "nothing of it ran"


def test_a_jar_that_changes_later_is_noticed(tools: Path) -> None:
    run(tools, "--unpinned")
    told = hashlib.sha256((cache(tools) / "2.2.1" / "SHA256SUMS").read_bytes()).hexdigest()
    (cache(tools) / "2.2.1" / "lib" / "scala-library.jar").write_text("three")
    done = run(tools, "--sha256", told)
    assert (done.returncode, "have the hash" in done.stderr) == (1, True)


def test_what_maven_says_is_told_in_one_line(tools: Path) -> None:
    said = "[ERROR] Failed: Could not resolve project chcfuzz:eldarica:pom:1: it was not found -> [Help 1]"
    (tools / "mvn").write_text(f"#!{BASH}\necho '{said}'; echo '[ERROR] more'; exit 1\n")
    done = run(tools, "--unpinned")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "fetch_eldarica.sh: Maven gave no Eldarica 2.2.1: it was not found"
    assert os.listdir(cache(tools)) == []


@pytest.mark.parametrize("answer", ["echo unsat", "echo sat", "echo '(error \"no\")'"])
def test_a_solver_that_fails_the_check_is_not_left(tools: Path, answer: str) -> None:
    (tools / "java").write_text(f"#!{BASH}\n{answer}\n")
    done = run(tools, "--unpinned")
    assert (done.returncode, "finds no model of p(0)" in done.stderr) == (1, True)
    assert os.listdir(cache(tools)) == []
