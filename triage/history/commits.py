"""Git plumbing on a user's checkout of Z3, in which nothing is written, and the bisection of its commits.

Git chooses each commit: `git rev-list --bisect-all` lists the commits between bad and good ones, the most informative
one first. The verdicts are in a file, so that a bisection continues where it was interrupted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import log2
from pathlib import Path

import msgspec
from chcfuzz.execution.codec import CodecError, from_json, to_json
from chcfuzz.execution.files import write_whole
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.solvers.process_group import run_program
from chcfuzz.triage.fix.git import environment

_SECONDS = 1800.0  # for git
BAD, GOOD = "bad", "good"
FORMAT = "chcfuzz-history 1"

CommitTest = Callable[[str], str]  # from a commit to `BAD`, `GOOD`, or the reason why it could not be tested
Progress = Callable[[int, int], None]  # number of tested commits, estimated number of all tests


class HistoryError(ChcfuzzError):
    """A checkout whose commits cannot be bisected; the message gives advice."""


class Verdicts(msgspec.Struct):
    """Results of tested commits by their hashes, as the file of a bisection stores them."""

    verdicts: dict[str, str] = {}


def git(folder: Path, *words: str) -> str:
    """Return the output of a git command in a folder; raises `HistoryError`."""
    command = ["git", "-C", str(folder), *words]
    try:
        done = run_program(command, _SECONDS, HistoryError, environment())
    except FileNotFoundError as error:
        raise HistoryError("git is missing, which reads the history; install git") from error
    if done.code != 0:
        advice = "name a checkout of Z3 with --history"
        raise HistoryError(f"git {words[0]} failed in {str(folder)!r}: {done.reason}; {advice}")
    return done.out


@dataclass(frozen=True)
class Checkout:
    """A user's checkout of Z3; nothing is written in it."""

    folder: Path

    def commit(self, revision: str) -> str:
        """Return the hash of a revision; raises `HistoryError` if the checkout does not have it."""
        try:
            return git(self.folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").strip()
        except HistoryError as error:
            advice = "fetch its tags and commits, or name others"
            raise HistoryError(f"{str(self.folder)!r} has no commit {revision!r}; {advice}") from error

    def is_ancestor(self, old: str, new: str) -> bool:
        """Return whether the history of `new` contains `old`."""
        return git(self.folder, "merge-base", old, new).strip() == old

    def between(self, bad: str, good: list[str]) -> list[str]:
        """Return the commits from good ones (without them) to a bad one (with it), the best one to test first."""
        lines = git(self.folder, "rev-list", "--bisect-all", bad, "--not", *good).splitlines()
        return [line.split()[0] for line in lines]

    def description(self, commit: str) -> tuple[str, str]:
        """Return the subject and the day of a commit."""
        subject, day = git(self.folder, "show", "-s", "--format=%s%x00%cs", commit).strip().split("\0")
        return subject, day

    def changed(self, commit: str) -> list[str]:
        """Return the paths that a commit changes, relative to its first parent."""
        return git(self.folder, "diff", "--name-only", "-z", f"{commit}^", commit).split("\0")[:-1]

    def diff(self, commit: str, files: list[str]) -> str:
        """Return the changes of some files by a commit; all files if the list is empty."""
        return git(self.folder, "diff", "--no-color", "--no-ext-diff", f"{commit}^", commit, "--", *files)


@dataclass
class Bisection:
    """A bisection between a good and a bad commit; `file` stores the verdicts, also those of other ranges.

    Attributes:
        suspects: Commits that may be the first bad one. More than one if the others could not be tested.
    """

    checkout: Checkout
    good: str
    bad: str
    file: Path
    test: CommitTest
    verdicts: dict[str, str] = field(default_factory=dict)
    suspects: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Read the verdicts of an earlier call; raises `HistoryError` for a damaged file."""
        try:
            self.verdicts = from_json(self.file.read_bytes(), Verdicts, FORMAT).verdicts
        except FileNotFoundError:
            pass
        except CodecError as error:
            raise HistoryError(f"{str(self.file)!r} {error}; remove it to begin again") from error

    def run(self, on_progress: Progress = lambda _done, _total: None) -> None:
        """Test both ends, and then commits between them, until only one may be the first bad one.

        Raises `HistoryError` if the ends are not what they are called.
        """
        if not self.checkout.is_ancestor(self.good, self.bad):
            raise HistoryError(f"{self.good[:12]} is not an ancestor of {self.bad[:12]}; name --commits GOOD..BAD")
        for commit, expected in ((self.bad, BAD), (self.good, GOOD)):
            if (verdict := self._result(commit)) != expected:
                advice = f"name other ones with --commits GOOD..BAD, or remove {str(self.file)!r} to test it again"
                raise HistoryError(f"the commit {commit[:12]} is not {expected}, but: {verdict}; {advice}")
        while (chosen := self._next()) is not None:
            on_progress(len(self.verdicts), len(self.verdicts) + 1 + int(log2(len(self.suspects))))
            self._result(chosen)

    def _next(self) -> str | None:
        """Update `suspects`; return the commit to test next, or None at the end."""
        known = self.verdicts
        inside = self.checkout.between(self.bad, [self.good])
        good = [commit for commit in inside if known.get(commit) == GOOD]
        bad, remaining = self.bad, self.checkout.between(self.bad, [self.good, *good])
        while older := [commit for commit in remaining if commit != bad and known.get(commit) == BAD]:
            bad = older[0]
            remaining = self.checkout.between(bad, [self.good, *good])
        self.suspects = remaining
        return next((commit for commit in remaining if commit not in known), None)

    def _result(self, commit: str) -> str:
        if commit not in self.verdicts:
            self.verdicts[commit] = self.test(commit)
            self.file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.file, to_json(Verdicts(self.verdicts), FORMAT, indent=1))
        return self.verdicts[commit]


def tag_of(release: str) -> str:
    """Return the name of a release in Z3's repository: z3-4.9.1 for 4.9.1.0."""
    return f"z3-{'.'.join(release.split('.')[:3])}"
