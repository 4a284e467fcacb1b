"""SMTInterpol and Princess by their names: the jars of a release, with their sums, from the cache or from Maven.

A jar is copied to the cache from the local repository of Maven, or Maven fetches it: its settings determine from where.
A jar with another sum is refused.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.execution.files import write_whole
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers.process_group import run_program
from chcfuzz.solvers.z3_release import cache_folder

_SECONDS = 1800.0  # for Maven to fetch a jar
REPOSITORY = "CHCFUZZ_MAVEN_REPOSITORY"  # a variable with the folder of the local repository


class JarError(ChcfuzzError):
    """A jar that is not there, or is another one; the message names it and the next action."""


@dataclass(frozen=True)
class Jar:
    """A jar by its Maven coordinates, with its SHA-256 sum."""

    group: str
    artifact: str
    version: str
    digest: str

    @property
    def coordinates(self) -> str:
        """The coordinates as Maven spells them."""
        return f"{self.group}:{self.artifact}:{self.version}"

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self.artifact}-{self.version}.jar"

    @property
    def place(self) -> Path:
        """The path in a Maven repository."""
        return Path(*self.group.split("."), self.artifact, self.version, self.name)


@dataclass(frozen=True)
class Program:
    """A Java program: its main class, its arguments, and its jars, its own first."""

    main: str
    arguments: tuple[str, ...]
    jars: tuple[Jar, ...]


_CUP = Jar(
    "com.github.vbmacher",
    "java-cup-runtime",
    "11b-20160615-2",
    "4110a9951d9b0219fa69643706c5b15831580f2da98856fb126f75c893da7520",
)
_SMTINTERPOL = Jar(
    "de.uni-freiburg.informatik.ultimate",
    "smtinterpol",
    "2.5-1388-ga5a4ab0c",
    "5f3277cb94546e0305a6bb1c29752f5ad30857f08bc6d82c6ba60798d1f869f4",
)
_PRINCESS = tuple(
    Jar("io.github.uuverifiers", artifact, "2026-05-20", digest)
    for artifact, digest in (
        ("princess_2.13", "55b4350e13d40359c65a53b2ace1d9d4af3811e592427848a1efeae1c94cb3ec"),
        ("princess-parser_2.13", "859c0a525d853a8889461b7acadaf0a7fe156c5e0c48097d77f81ab01036ed4a"),
        ("princess-smt-parser_2.13", "930aefd0b49d3104bbb8a646a37783bdb6bcc04dee9bd099fb9233584e651441"),
    )
)
_SCALA = (
    Jar(
        "org.scala-lang", "scala-library", "2.13.18", "4e85d96ff7bc7dc627985523c3541b9917aaa08e956391380c42db21a2c4e5a0"
    ),
    Jar(
        "org.scala-lang.modules",
        "scala-parser-combinators_2.13",
        "2.4.0",
        "e36dccdc21fd4bc770907a9e126d7e3901e71a191eb9ea8e93a0227774e0945d",
    ),
)
# A process solves a few hundred small problems. Without the second compiler and with one thread for garbage, Princess
# solved 1.6 to 1.9 times as many problems a second, and SMTInterpol as many or 1.1 times as many.
_FOR_SHORT_LIVES = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
PROGRAMS: Mapping[str, Program] = {
    "smtinterpol": Program("de.uni_freiburg.informatik.ultimate.smtinterpol.Main", ("-q",), (_SMTINTERPOL, _CUP)),
    "princess": Program("ap.CmdlMain", (), (*_PRINCESS, *_SCALA, _CUP)),
}


def command_line(name: str) -> str:
    """Return the command that runs a program, after its jars are in the cache; raises `JarError`."""
    program = PROGRAMS[name]
    path = ":".join(str(cached(jar)) for jar in program.jars)
    return shlex.join(("java", *_FOR_SHORT_LIVES, "-cp", path, program.main, *program.arguments))


def is_cached(name: str) -> bool:
    """Return whether all jars of a program are in the cache."""
    return all(_place(jar).is_file() for jar in PROGRAMS[name].jars)


def optional_parts() -> Iterator[tuple[bool, str, str]]:
    """Yield whether Java, and the jars of each program, are there; a message, and advice."""
    java = shutil.which("java")
    advice = "install Java 11 or newer for --solver smtinterpol and --solver princess"
    yield java is not None, f"Java is {java}" if java else "java is not on PATH", advice
    for name, program in PROGRAMS.items():
        missing = [jar for jar in program.jars if not _place(jar).is_file()]
        what = f"{len(missing)} of {len(program.jars)} jars of {name} are not in the cache"
        advice = f"--solver {name} copies them from {str(_repository())!r}, or lets Maven fetch them"
        yield not missing, what if missing else f"the jars of {name} {program.jars[0].version} are in the cache", advice


def _place(jar: Jar) -> Path:
    """Return the path of a jar in the cache."""
    return cache_folder() / "jars" / jar.name


def cached(jar: Jar) -> Path:
    """Return a jar in the cache, after copying it from the local repository or fetching it; raises `JarError`."""
    target = _place(jar)
    if not target.is_file():
        found = _repository() / jar.place
        if not found.is_file():
            _fetch(jar)
        _copy(found, target, jar)
    return target


def _repository() -> Path:
    """Return the local repository of Maven."""
    return Path(os.environ.get(REPOSITORY) or Path.home() / ".m2" / "repository")


def _fetch(jar: Jar) -> None:
    """Let Maven fetch a jar into the local repository."""
    maven = shutil.which("mvn")
    if maven is None:
        raise JarError(f"{jar.coordinates} is not in {str(_repository())!r}; install Maven (mvn), or put the jar there")
    get = (f"-Dmaven.repo.local={_repository()}", "dependency:get", f"-Dartifact={jar.coordinates}")
    command = [maven, "--quiet", "--batch-mode", *get, "-Dtransitive=false"]
    done = run_program(command, _SECONDS, JarError)
    if done.code or not (_repository() / jar.place).is_file():
        lines = (done.out + done.err).strip().splitlines()
        reason = lines[0] if lines else f"exit code {done.code}"
        raise JarError(f"Maven does not fetch {jar.coordinates}: {reason}; check the settings of Maven")


def _copy(found: Path, target: Path, jar: Jar) -> None:
    """Copy a jar with the right sum to the cache."""
    try:
        content = found.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        if digest != jar.digest:
            raise JarError(
                f"{str(found)!r} has the SHA-256 sum {digest}, not {jar.digest}; remove it, and fetch it again"
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, content)
    except OSError as error:
        raise JarError(f"cannot copy {str(found)!r} to {str(target)!r}: {error.strerror}; free some space") from error
