"""get_eldarica.sh: what it refuses, what it says is missing, and the Eldarica that it makes of the source."""

import subprocess
from pathlib import Path

import pytest

from tests.other_solvers import SOURCES, needs_sources, run_script
from tests.targets import ROOT

SCRIPT = ROOT / "get_eldarica.sh"
PARTS = ("--source", SOURCES / "eldarica-src.tar.gz", "--source", SOURCES / "eldarica-jars.tar.gz")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--frobnicate"], "unknown argument '--frobnicate'"),
        (["--source"], "--source needs a value"),
        (["--source", "/nowhere"], "--source '/nowhere' is not there"),
        (["--source", "/", "--source", "/usr"], "--source '/' is a folder, and has to be the only source"),
        (["--sha256", "46b7"], "--sha256 '46b7' is not 64 hexadecimal digits"),
        (["--sha256", "0" * 64, "--unpinned"], "--sha256 and --unpinned exclude each other"),
    ],
)
def test_a_wrong_argument_is_named_in_one_line_with_status_2(arguments: list[str], complaint: str) -> None:
    done = run_script(SCRIPT, *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"get_eldarica.sh: {complaint}")


def test_help_names_every_flag_and_needs_no_other_program() -> None:
    done = run_script(SCRIPT, "--help", environment={"PATH": ""})
    assert (done.returncode, done.stderr) == (0, "")
    for flag in ("source", "prefix", "sha256", "unpinned", "install-deps"):
        assert f"--{flag}" in done.stdout


def test_missing_tools_are_named_in_one_line_with_the_command_that_gets_them() -> None:
    done = run_script(SCRIPT, environment={"PATH": ""})
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "missing: java, javac, mvn, tar" in done.stderr
    assert "get it with: ./get_eldarica.sh --install-deps (Debian, Ubuntu: apt-get install default-jdk" in done.stderr


def environment(folder: Path, *tools: str) -> dict[str, str]:
    """Where the script finds tools that are never run, and a cache of its own."""
    (folder / "bin").mkdir()
    for tool in tools:
        (folder / "bin" / tool).write_text("#!/bin/sh\necho must not run >&2; exit 1\n")
        (folder / "bin" / tool).chmod(0o755)
    return {"PATH": f"{folder / 'bin'}:/usr/bin:/bin", "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}


def test_what_is_not_eldarica_is_told_before_anything_is_fetched(tmp_path: Path) -> None:
    env = environment(tmp_path, "java", "javac", "mvn")
    (tmp_path / "tree").mkdir()
    (tmp_path / "text.tar.gz").write_text("no archive")
    for given, complaint in (
        ("tree", "is not Eldarica: it has no src/main"),
        ("text.tar.gz", "is no archive that tar"),
    ):
        done = run_script(SCRIPT, "--source", tmp_path / given, environment=env)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert f"--source '{tmp_path / given}' {complaint}" in done.stderr


def test_what_maven_says_is_told_in_one_line(tmp_path: Path) -> None:
    env = environment(tmp_path, "java", "javac", "mvn")
    said = "[ERROR] Failed: Could not resolve project chcfuzz:tools:pom:1: it was not found -> [Help 1]"
    (tmp_path / "bin" / "mvn").write_text(f"#!/bin/sh\necho '{said}'; echo '[ERROR] more'; exit 1\n")
    main = tmp_path / "tree" / "src" / "main" / "scala" / "lazabs" / "Main.scala"
    main.parent.mkdir(parents=True)
    main.write_text('  val greeting =\n    "Eldarica v2.3pre\\n(C) somebody"\n')
    for part in ("flata", "template-parser"):
        (tmp_path / "tree" / part).mkdir()
    (tmp_path / "tree" / "flata" / "flata.jar").touch()
    done = run_script(SCRIPT, "--source", tmp_path / "tree", environment=env)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "get_eldarica.sh: Maven gives no tools: it was not found"
    assert not list((tmp_path / "cache" / "chcfuzz" / "eldarica").glob("2*"))


@pytest.mark.slow
@needs_sources
def test_eldarica_is_built_from_its_source_and_found_again(tmp_path: Path) -> None:
    """In the cache that everybody uses: two minutes of processor time the first time, a check afterwards."""
    for prefix in ((), ("--prefix", tmp_path / "made")):
        done = run_script(SCRIPT, *PARTS, *prefix)
        assert done.returncode == 0, done.stderr
        eld = Path(done.stderr.splitlines()[-1].removeprefix("get_eldarica.sh: done: "))
        help_text = subprocess.run([eld, "-h"], capture_output=True, text=True, check=True).stdout
        assert help_text.startswith("Eldarica v2.3pre")
        again = run_script(SCRIPT, *PARTS, *prefix)
        assert again.stderr.splitlines() == [
            f"get_eldarica.sh: {eld.parent} is up to date",
            f"get_eldarica.sh: done: {eld}",
        ]


@pytest.mark.slow
@needs_sources
def test_jars_with_another_hash_are_not_used(tmp_path: Path) -> None:
    done = run_script(SCRIPT, *PARTS, "--prefix", tmp_path / "made", "--sha256", "0" * 64)
    assert done.returncode == 1
    assert f"not {'0' * 64}" in done.stderr.splitlines()[-1]
    assert not (tmp_path / "made").exists()
