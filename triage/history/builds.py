"""Traced builds of the commits of a user's checkout, made by `build_z3_traced.sh` in a clone in the cache.

The clone shares the objects of the checkout and has a work tree of its own. Each commit is checked out there, so that
only the files that differ from the commit before are compiled. Only the latest build is kept.
"""

from __future__ import annotations

import fcntl
import hashlib
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.solvers import z3_release
from chcfuzz.solvers.process_group import ProcessGroup, Streams
from chcfuzz.triage.fix.build import BuildTree, build_tree
from chcfuzz.triage.fix.git import environment
from chcfuzz.triage.fix.patch import PatchError
from chcfuzz.triage.history.commits import Checkout, HistoryError, git
from chcfuzz.triage.history.reuse import write_reuse

SCRIPT = Path(__file__).resolve().parents[2] / "build_z3_traced.sh"
_FROM_OUTSIDE = re.compile(r"interrupted by user|Killed|No space left|Cannot allocate memory")  # not the commit's fault
_SECONDS = 6 * 3600.0  # for a build
_DIGITS = 12  # of the hash of a checkout's path
_LAUNCHER = "CMAKE_CXX_COMPILER_LAUNCHER"  # CMake reads it when it configures a tree for the first time


class BuildError(HistoryError):
    """A commit that does not build; the message is the first error."""


@dataclass(frozen=True)
class CommitBuilds:
    """Builds of the commits of a checkout, `jobs` files at a time."""

    checkout: Checkout
    jobs: int = 1

    @property
    def folder(self) -> Path:
        """Folder in the cache: the clone, the latest build and the verdicts."""
        where = str(self.checkout.folder.resolve())
        return z3_release.cache_folder() / "z3-history" / hashlib.sha256(where.encode()).hexdigest()[:_DIGITS]

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from building commits of the same checkout; raises `HistoryError` if one does."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self.folder / "lock", "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                busy = f"another process bisects {str(self.checkout.folder)!r}; wait until it ends"
                raise HistoryError(busy) from error
            yield

    def build(self, commit: str) -> Path:
        """Return the folder with the traced build of a commit; it is replaced by the next call.

        Raises `BuildError` if the commit does not build, and `HistoryError` if the build is stopped from outside.
        """
        if not SCRIPT.is_file():
            raise HistoryError(f"{SCRIPT.name} is missing, which builds Z3; run `pip install -e` in a checkout of it")
        source, result = self.folder / "source", self.folder / "build"
        self._check_out(commit, source)
        variables = environment() | self._launcher(source)
        command = [str(SCRIPT), "--source", str(source), "--prefix", str(result), "--jobs", str(self.jobs)]
        with open(self.folder / "build.log", "w") as log:
            streams = Streams(subprocess.DEVNULL, log, subprocess.STDOUT)
            with ProcessGroup(command, streams, variables) as build:
                if not build.has_exited(_SECONDS):
                    late = f"the build of {commit[:12]} has not ended after {_SECONDS:g} s"
                    raise HistoryError(f"{late}; use more --jobs")
        if build.close() != 0:
            reason = self._reason(source)
            if _FROM_OUTSIDE.search(reason):
                raise HistoryError(f"the build of {commit[:12]} was stopped: {reason}; the same command continues it")
            raise BuildError(f"does not build: {reason}")
        return result

    def _check_out(self, commit: str, source: Path) -> None:
        if not (source / ".git").is_dir():
            words = ("clone", "--quiet", "--shared", "--no-checkout", str(self.checkout.folder.resolve()), str(source))
            git(self.folder, *words)
        git(source, "checkout", "--quiet", "--force", "--detach", commit)
        git(source, "clean", "--quiet", "--force", "-d", "-x")

    def _launcher(self, source: Path) -> dict[str, str]:
        """Return the variable that lets CMake copy objects of a traced build in the cache; empty without one."""
        base = _newest_tree()
        return {} if base is None else {_LAUNCHER: write_reuse(base, source, self.folder / "reuse")}

    def _reason(self, source: Path) -> str:
        """Return the first error in the log of the latest build, or its last line."""
        lines = (self.folder / "build.log").read_text(errors="replace").splitlines()
        errors = [line for line in lines if "error:" in line] or lines[-1:] or ["no message"]
        return errors[0].replace(f"{source}/", "")


def _newest_tree() -> BuildTree | None:
    """Return the build tree of the newest traced release in the cache; None if no tree is left."""
    results = (z3_release.cache_folder() / "z3-traced").glob("*-trace/BUILD_INFO")
    versions = {path.parent.name.removesuffix("-trace"): path.parent for path in results}
    numbers = sorted(tuple(map(int, version.split("."))) for version in versions if version.replace(".", "").isdigit())
    for each in reversed(numbers):
        try:
            return build_tree(versions[".".join(map(str, each))])
        except PatchError:
            continue
    return None
