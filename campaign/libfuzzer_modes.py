"""Modes of libFuzzer, as its flags and inputs select them: a campaign, a merge, a replay, several jobs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from chcfuzz.execution.solving import UsageError

MOST_SEED, _MOST_INT = (1 << 32) - 1, (1 << 31) - 1
_NUMBER = re.compile(r"-?[0-9]{1,10}")
_OF_A_SHELL = re.compile(r"""[\s|&;<>()$`\\"']""")  # patterns of files stay as they are if no file has the name


def is_handed_on(word: str) -> bool:
    """Return whether libFuzzer, which quotes no word for its shell, can pass a word to its processes."""
    return _OF_A_SHELL.search(word) is None


def check_handed_on(word: str, advice: str = "or start from inside that folder") -> None:
    """Raise `UsageError` for a word that libFuzzer cannot pass to its processes."""
    if not is_handed_on(word):
        raise UsageError(
            f"libFuzzer's -fork, -jobs, -merge and -minimize_crash cannot pass {word!r} on: rename it without "
            f"spaces and signs of a shell, {advice}"
        )


@dataclass(frozen=True)
class LibFuzzer:
    """libFuzzer's flags, and the files and folders that it gets."""

    libfuzzer: tuple[str, ...] = ()
    inputs: tuple[Path, ...] = ()

    def flag(self, name: str) -> str | None:
        """Return the last value of libFuzzer's flag `-name=value`."""
        values = [flag.partition("=")[2] for flag in self.libfuzzer if flag.partition("=")[0] == f"-{name}"]
        return values[-1] if values else None

    def limit(self, name: str) -> int | None:
        """Return the limit of libFuzzer's flag `-name=number`, or None if it means "unlimited".

        Raises `UsageError` for a value that libFuzzer would cut, or on which it would end with a traceback.
        """
        value = self.flag(name)
        least, most = (0, MOST_SEED) if name == "seed" else (-_MOST_INT - 1, _MOST_INT)
        if value is not None and not (_NUMBER.fullmatch(value) and least <= int(value) <= most):
            raise UsageError(f"-{name}={value} is not a whole number from {least} to {most}")
        number = -1 if value is None else int(value)
        nothing = -1 if name == "runs" else 0
        return None if number <= nothing else number

    @property
    def asks_help(self) -> bool:
        """Whether libFuzzer only lists its flags."""
        return self.flag("help") not in (None, "0")

    @cached_property
    def replays_files(self) -> bool:
        """Whether libFuzzer only runs the given files, without fuzzing (all inputs are files)."""
        return bool(self.inputs) and all(path.is_file() for path in self.inputs)

    @cached_property
    def merges(self) -> bool:
        """Whether this is `-merge=1` or `-set_cover_merge=1`."""
        return any(self.flag(name) not in (None, "0") for name in ("merge", "set_cover_merge"))

    @property
    def is_of_a_merge(self) -> bool:
        """Whether this merges, or is one of the processes that libFuzzer starts for a merge."""
        return self.merges or self.flag("merge_control_file") is not None

    @property
    def minimizes(self) -> bool:
        """Whether this is one of libFuzzer's modes that minimize a crash."""
        return any(self.flag(name) not in (None, "0") for name in ("minimize_crash", "minimize_crash_internal_step"))

    @property
    def is_campaign(self) -> bool:
        """Whether this fuzzes or merges a corpus, rather than running files, minimizing a crash or printing help."""
        return not (self.replays_files or self.minimizes or self.asks_help)

    @property
    def is_one_campaign(self) -> bool:
        """Whether this fuzzes with one limit of time and runs: it neither merges nor runs a number of jobs."""
        return self.is_campaign and not (self.merges or self.has_jobs)

    @property
    def fuzzes_alone(self) -> bool:
        """Whether this process fuzzes a whole corpus: it is neither a part of a merge nor a job of `-fork`."""
        is_part = any(self.flag(name) is not None for name in ("merge_control_file", "seed_inputs"))
        return self.is_one_campaign and not (self.forks or is_part)

    @property
    def grown(self) -> Path | None:
        """The corpus folder to which libFuzzer writes new units, if there is one."""
        return self.inputs[0] if self.inputs and self.is_campaign and not self.merges else None

    @property
    def starts_processes(self) -> bool:
        """Whether libFuzzer will run `argv[0]` again."""
        return self.forks or self.has_jobs or self.merges or self.minimizes

    @property
    def forks(self) -> bool:
        """Whether libFuzzer starts one job after another (`-fork`)."""
        return self.flag("fork") not in (None, "0")

    @property
    def has_jobs(self) -> bool:
        """Whether libFuzzer starts a fixed number of jobs (`-jobs`)."""
        return self.flag("jobs") not in (None, "0")
