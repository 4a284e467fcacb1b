"""Jars come from the cache or the local Maven repository; one with another sum is refused."""

import hashlib
from pathlib import Path

import pytest
from chcfuzz.domains.interpolation.solvers import jars
from chcfuzz.domains.interpolation.solvers.interpolating_engines import commands, names
from chcfuzz.domains.interpolation.solvers.jars import PROGRAMS, Jar, JarError, Program
from chcfuzz.execution.solving import Solving

from tests.users import BecomeUser

CONTENT = b"a jar"
JAR = Jar("org.example", "solver", "1.2", hashlib.sha256(CONTENT).hexdigest())


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, become_user: BecomeUser) -> Path:
    """Return the path of the jar in a repository; the cache is empty, and Maven is not installed."""
    monkeypatch.setenv(jars.REPOSITORY, str(tmp_path / "repository"))
    become_user(tmp_path / "cache")
    monkeypatch.setattr("shutil.which", lambda _name: None)
    place = tmp_path / "repository" / "org" / "example" / "solver" / "1.2" / "solver-1.2.jar"
    place.parent.mkdir(parents=True)
    return place


def test_a_jar_is_copied_to_the_cache_once(repository: Path) -> None:
    repository.write_bytes(CONTENT)
    cached = jars.cached(JAR)
    assert cached.read_bytes() == CONTENT
    repository.unlink()
    assert jars.cached(JAR) == cached


def test_a_jar_with_another_sum_is_refused_in_one_line(repository: Path) -> None:
    repository.write_bytes(b"another jar")
    with pytest.raises(JarError, match=r"solver-1.2.jar' has the SHA-256 sum [0-9a-f]{64}, not .*; remove it"):
        jars.cached(JAR)
    assert not (repository.parents[6] / "cache" / "chcfuzz" / "jars" / "solver-1.2.jar").exists()


def test_a_jar_that_is_not_there_needs_maven(repository: Path) -> None:
    with pytest.raises(JarError, match=r"org\.example:solver:1\.2 is not in .*; install Maven"):
        jars.cached(JAR)
    assert not repository.exists()


def test_the_name_of_a_program_is_its_command(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.write_bytes(CONTENT)
    monkeypatch.setitem(PROGRAMS, "smtinterpol", Program("Main", ("-q",), (JAR,)))
    solving = Solving(domain="interpolation", solvers=("spacer", "smtinterpol"))
    assert names(solving) == ("spacer",)
    (line,) = commands(solving)
    assert line.endswith("solver-1.2.jar Main -q")


def test_missing_parts_are_named_with_advice(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROGRAMS, "smtinterpol", Program("Main", (), (JAR,)))
    (java, is_there, *_) = list(jars.optional_parts())
    assert java[:2] == (False, "java is not on PATH")
    assert is_there[:2] == (False, "1 of 1 jars of smtinterpol are not in the cache")
    repository.write_bytes(CONTENT)
    jars.cached(JAR)
    assert list(jars.optional_parts())[1][:2] == (True, "the jars of smtinterpol 1.2 are in the cache")
