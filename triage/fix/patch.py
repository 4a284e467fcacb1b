"""A patch of the solver's sources: a unified diff, applied to copies of the files that it changes."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers.process_group import Finished, run_program
from chcfuzz.triage.fix.git import environment

_SECONDS = 600.0  # for git
_DIGITS = 12  # of a patch's hash in the name of a build
_COMPILED = (".cpp", ".h", ".hpp", ".def")  # files that a compiler reads; the others are inputs of Z3's generators


class PatchError(ChcfuzzError):
    """A patch that cannot be applied or built; the message gives advice."""


@dataclass(frozen=True)
class Patch:
    """A unified diff; `files` are the paths that it changes, relative to the root of the sources."""

    path: Path
    content: bytes
    files: tuple[str, ...]

    @property
    def digest(self) -> str:
        """Digits that name the patch."""
        return hashlib.sha256(self.content).hexdigest()[:_DIGITS]

    def apply(self, source: Path, into: Path) -> None:
        """Copy the files that the patch changes from `source` into a folder, and change the copies.

        Raises `PatchError` if the patch does not fit.
        """
        for name in self.files:
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            (into / name).write_bytes((source / name).read_bytes())
        done = _git(self.content, into)
        if done.code != 0:
            reason = (done.err.strip().splitlines() or ["git apply failed"])[0]
            advice = "make it with `git diff` in these sources"
            raise PatchError(f"{str(self.path)!r} does not fit the sources in {str(source)!r}: {reason}; {advice}")


def read_patch(path: Path, source: Path) -> Patch:
    """Read a patch of the sources in a folder; raises `PatchError` unless it only changes files that exist there."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise PatchError(f"cannot read {str(path)!r}: {error.strerror}; name a unified diff with --patch") from error
    done = _git(content, path.resolve().parent, "--numstat", "-z")
    rows = [row.split("\t") for row in done.out.split("\0") if row]
    if done.code != 0 or not rows or any(len(row) != 3 for row in rows):
        raise PatchError(f"{str(path)!r} is not a unified diff with paths like a/src/...; make it with `git diff`")
    files = tuple(sorted({name for _, _, name in rows}))
    for name in files:
        if not (source / name).is_file():
            raise PatchError(f"{str(path)!r} changes {name!r}, which {str(source)!r} lacks; change existing files only")
        if not name.endswith(_COMPILED):
            raise PatchError(f"{str(path)!r} changes {name!r}, which generates sources; change C++ files only")
    return Patch(path, content, files)


def _git(content: bytes, folder: Path, *words: str) -> Finished:
    """Run `git apply` in a folder, as if it were not in a repository: there, git ignores files outside of the index."""
    variables = environment() | {"GIT_CEILING_DIRECTORIES": str(folder.resolve().parent)}
    with tempfile.NamedTemporaryFile(prefix="chcfuzz-patch-") as file:
        file.write(content)
        file.flush()
        return _started(["git", "apply", *words, file.name], variables, folder)


def _started(command: Sequence[str], variables: Mapping[str, str], folder: Path) -> Finished:
    try:
        return run_program(command, _SECONDS, PatchError, variables, folder)
    except FileNotFoundError as error:
        raise PatchError("git is missing, which applies patches; install git") from error
