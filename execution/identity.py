"""The identity of everything that decides an outcome or a verdict; all caches derive their keys from it.

A cached result is valid only for the solver and the chcfuzz that computed it. Their names, paths and version numbers do
not show whether they have changed; the contents of their files do.
"""

from __future__ import annotations

import functools
import hashlib
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from chcfuzz.execution.domain import load
from chcfuzz.execution.solving import Solving
from chcfuzz.grammar.problem import Pairs
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.dialects import DIALECTS, on_path
from chcfuzz.solvers.other_solvers import AUTO
from chcfuzz.solvers.solver_files import digest_of_command, digest_of_files, digest_of_module
from chcfuzz.solvers.z3_release import Release, active, chosen, installed

# The rooms whose code decides outcomes and verdicts, and the libraries that decide them, too.
_ROOMS = ("domains", "execution", "grammar", "mutators", "oracles", "solvers", "tracing", "triage/examine")
_SOURCES = (".py", ".lark")
_LIBRARIES = ("bitwuzla", "cvc5", "lark", "z3-solver")
_HOME = Path(__file__).parent.parent
_DIGITS = 8  # of the identity in the key of a solver


@dataclass(frozen=True)
class Identity:
    """Digests of the solver under test, of the other solvers that judge it, and of chcfuzz's own code.

    `solver` covers the program or the library of Z3, the class of `--solver` and the object of `--domain`. `judges`
    covers the Z3 in this process, which checks models, cvc5, and the solvers of `--cross`.
    """

    solver: str
    judges: str
    code: str

    @classmethod
    @functools.lru_cache(maxsize=16)
    def of(cls, solving: Solving) -> Identity:
        """Return the identity of a process that has activated these flags; raises `CommandError`."""
        return cls(_solver(solving, active()), _joined(_z3(active()), *_others(solving)), code_digest())

    def key(self, *given: object) -> str:
        """Return the key of results that depend on everything here and on the given values."""
        return _joined(self.solver, self.judges, self.code, *given)


@functools.cache
def code_digest() -> str:
    """Return a digest of the code of chcfuzz, and of the versions of libraries, that decide outcomes and verdicts."""
    sources = (path for room in _ROOMS for path in (_HOME / room).rglob("*") if path.suffix in _SOURCES)
    return _joined(digest_of_files(sources), *map(_distribution, _LIBRARIES))


def solver_key(solving: Solving, parameters: Pairs = ()) -> str:
    """Return the key of a solver in signatures and suspicions: its name, its release, and digits of its `Identity`.

    The parameters of a recipe may select one of several solvers. The flags need not be activated. Raises
    `CommandError`, `DomainError` and `ReleaseError`.
    """
    version, digest = chosen_solver(solving)
    return f"{load(solving.domain).solver_key(solving, parameters, version)} {digest[:_DIGITS]}"


@functools.lru_cache(maxsize=16)
def chosen_solver(solving: Solving) -> tuple[str, str]:
    """Return the version of Z3 that these flags choose, and the digest of the solver."""
    release = chosen(solving.z3, solving.z3_library) if solving.uses_z3 else None
    return "" if release is None else release.version, _solver(solving, release)


def _solver(solving: Solving, release: Release | None) -> str:
    command = solving.solver_command()
    program = _z3(release) if command is None else digest_of_command(command.words)
    return _joined(program, *(f"{name} {digest_of_module(name.partition(':')[0])}" for name in solving.named_objects))


def _z3(release: Release | None) -> str:
    """Return a digest of a Z3: its library and its bindings."""
    return "" if release is None else _z3_in(release.version, release.library_folder, release.folder / "z3")


@functools.cache
def _z3_in(version: str, library: Path, bindings: Path) -> str:
    return _joined(version, digest_of_files([*library.glob("libz3.*"), *bindings.glob("*.py")]))


def _others(solving: Solving) -> list[str]:
    """Return digests of the other solvers; a release of `--cross-z3` never changes, and its version is a flag."""
    texts = [text for text in solving.cross if text != AUTO]
    programs = [on_path(dialect) for dialect in DIALECTS.values() if dialect.website] if AUTO in solving.cross else []
    words = [Command.of(text, solving.wall_seconds).words for text in texts]
    words += [(program,) for program in programs if program is not None]
    words += [(str(solving.z3_program),)] if solving.z3_program is not None else []
    release = installed()
    if release is not None and release.executable is not None:  # also gives second opinions
        words.append((str(release.executable),))
    return list(map(digest_of_command, words))


def _distribution(name: str) -> str:
    """Return the version of an installed library, and its list of files, which holds their digests."""
    with suppress(metadata.PackageNotFoundError):
        found = metadata.distribution(name)
        return _joined(found.version, found.read_text("RECORD") or "")
    return ""


def _joined(*parts: object) -> str:
    return hashlib.sha256("\0".join(map(str, parts)).encode("utf-8", "surrogateescape")).hexdigest()[:16]
