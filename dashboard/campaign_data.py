"""The data of the page, read from run folders, independent of its presentation."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from chcfuzz.campaign.runs import history
from chcfuzz.campaign.runs.history import History
from chcfuzz.campaign.runs.run_folder import TRACES, RunFolder
from chcfuzz.campaign.session.tallies import Totals
from chcfuzz.campaign.worker import learned_policy
from chcfuzz.dashboard import unreached
from chcfuzz.dashboard.unreached import Unreached
from chcfuzz.execution.files import LinkError, below, read_plain
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.triage.buckets import collect
from chcfuzz.triage.buckets.buckets import FILE, Member, bucketed, read_buckets
from chcfuzz.triage.buckets.collect import ListedBucket
from chcfuzz.triage.buckets.known_issues import known_issues
from chcfuzz.triage.buckets.traits import read_traits
from chcfuzz.triage.findings.store import finding_folders
from chcfuzz.triage.findings.suspicions import Suspicions
from numpy.typing import NDArray

WITNESSES = ("evidence.smt2", "refutation", "refutation.smt2", "model.smt2")
_MAX_TEXT = 20_000  # characters of a file that the page shows
_MAX_WITNESSES = 2  # files


@dataclass(frozen=True)
class Yield:
    """Successes of a row of the registry; `weight` is its latest probability, if known."""

    row: str
    tried: int
    opened: int
    weight: float | None

    @property
    def family(self) -> str:
        """Family of the row."""
        return self.row.partition(".")[0]

    @property
    def rate(self) -> float:
        """Share of tries that opened a trace."""
        return self.opened / self.tried if self.tried else 0.0


@dataclass(frozen=True)
class Shown:
    """A bucket with the text of its smallest finding, and its witnesses as pairs of file name and text."""

    listed: ListedBucket
    system: str
    is_reduced: bool
    witnesses: tuple[tuple[str, str], ...]
    first_seen: float | None  # seconds of the campaign
    folder: Path  # of the smallest finding, which may have been removed

    @property
    def commands(self) -> list[tuple[str, str]]:
        """Purposes and command lines for the finding."""
        name = shlex.quote(str(self.folder))
        return [
            ("reduce", f"chcfuzz reduce {name}"),
            ("locate", f"chcfuzz locate {name}"),
            ("replay", f"chcfuzz replay {name}"),
            ("report", f"chcfuzz report {name} --out report-{self.folder.name}"),
        ]


@dataclass(frozen=True)
class DashboardRun:
    """A campaign; `traces` holds the hashes of its latest build's traces, (n,), ascending."""

    name: str
    path: Path
    history: History
    tables: Totals
    yields: tuple[Yield, ...]
    buckets: tuple[Shown, ...]
    traces: NDArray[np.uint64]
    unread: tuple[str, ...]  # errors while reading, one line each
    program: str = ""  # the fuzz target
    waiting: tuple[str, ...] = ()  # file names of suspicions that are not confirmed yet
    functions: Unreached | None = None  # with a traced build

    @property
    def bucket_age(self) -> float | None:
        """Seconds between the first finding of the latest new bucket and the latest progress; None without one."""
        seen = [shown.first_seen for shown in self.buckets if shown.first_seen is not None]
        last = self.history.last
        return None if last is None or not seen else max(0.0, last.seconds - max(seen))

    @property
    def has_features(self) -> bool:
        """Whether its traces are sets of features, so that `transitions` of a point counts features."""
        last = self.history.last
        return last is not None and last.has_features

    @property
    def build(self) -> str:
        """The build, which determines the possible traces."""
        return str(self.history.head.get("build", ""))


def read(paths: Sequence[Path], known: Sequence[Path] = ()) -> list[DashboardRun]:
    """Read run folders, each with a unique name; raises `ChcfuzzError`."""
    names = _names(paths)
    return [_read(path, name, known) for path, name in zip(paths, names, strict=True)]


def _read(path: Path, name: str, known: Sequence[Path]) -> DashboardRun:
    run = RunFolder(path)
    past = history.read(run)
    unread: list[str] = []
    buckets = _buckets(run, past, known, unread)
    build = str(past.head.get("build", ""))
    traces = run.seen(TRACES, build) if build else np.zeros(0, np.uint64)
    try:
        functions = unreached.read(run, build) if build else None
    except ChcfuzzError as error:
        unread.append(str(error))
        functions = None
    return DashboardRun(
        name=name,
        path=path,
        history=past,
        tables=run.tables(),
        yields=_yields(run),
        buckets=buckets,
        traces=traces,
        unread=tuple(unread),
        program=run.begun_with()[0],
        waiting=tuple(Suspicions(run.findings).names()),
        functions=functions,
    )


def _names(paths: Sequence[Path]) -> list[str]:
    """Return the last part of each path, or the last parts that make the names unique."""
    resolved = [path.resolve() for path in paths]
    for number in range(1, max(len(path.parts) for path in resolved)):
        names = ["/".join(path.parts[-number:]) for path in resolved]
        if len(set(names)) == len(names):
            return names
    return [f"{path} ({number})" for number, path in enumerate(resolved, 1)]


def _yields(run: RunFolder) -> tuple[Yield, ...]:
    state = learned_policy.read_state(run.findings / "state.json")
    if state is None:
        return ()
    weights: dict[str, Any] = state.get("weights", {})
    rows = (
        Yield(row, int(tried), int(opened), float(weights[row]) if row in weights else None)
        for row, (tried, opened) in state["rows"].items()
    )
    return tuple(sorted(rows, key=lambda each: (-each.opened, -each.tried, each.row)))


def _buckets(run: RunFolder, past: History, known: Sequence[Path], unread: list[str]) -> tuple[Shown, ...]:
    """Return the buckets of all findings, without reducing or writing; errors are added to `unread`."""
    members: list[Member] = []
    try:
        members += read_buckets(run.findings / FILE)
    except ChcfuzzError as error:
        unread.append(str(error))
    for folder in finding_folders(run.findings):
        try:
            members.append(Member(read_traits(folder)))
        except (ChcfuzzError, KeyError, TypeError, ValueError) as error:
            unread.append(f"{folder.name}: {error}")
    seen = past.first_seen()
    rows = collect.listed(bucketed(members), known_issues(known))
    return tuple(_shown(run.findings, row, seen, unread) for row in rows)


def _shown(findings: Path, row: ListedBucket, seen: dict[str, float], unread: list[str]) -> Shown:
    smallest = row.bucket.representative
    folder = findings / smallest.name
    reduced = smallest.text is not None
    times = [seen[member.traits.name] for member in row.bucket.members if member.traits.name in seen]
    prefix = "reduced-" if reduced else ""
    witnesses: list[tuple[str, str]] = []
    for name in WITNESSES:
        text = _text(unread, findings, smallest.name, f"{prefix}{name}")
        if text and len(witnesses) < _MAX_WITNESSES:
            witnesses.append((f"{prefix}{name}", text))
    system = smallest.text if smallest.text is not None else _text(unread, findings, smallest.name, "mutant.smt2")
    return Shown(row, system[:_MAX_TEXT], reduced, tuple(witnesses), min(times, default=None), folder)


def _text(unread: list[str], findings: Path, *names: str) -> str:
    """Return the beginning of a file; empty if it cannot be read. A link is not followed, but added to `unread`."""
    try:
        content = read_plain(below(findings, *names), 4 * (_MAX_TEXT + 1))  # bytes, at most four of a character
    except OSError:
        return ""
    except LinkError as error:
        unread.append(str(error))
        return ""
    text = content.decode("utf-8", "replace")
    return text if len(text) <= _MAX_TEXT else text[:_MAX_TEXT] + "\n; ... truncated\n"
