"""All that the page tells of a run, read from its folder: nothing here knows how it is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from chcfuzz.campaign import history, learning
from chcfuzz.campaign.history import History
from chcfuzz.campaign.run_folder import RunFolder
from chcfuzz.campaign.tallies import Totals
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.triage.buckets import collect
from chcfuzz.triage.buckets.buckets import FILE, Member, bucketed, read_buckets
from chcfuzz.triage.buckets.collect import ListedBucket
from chcfuzz.triage.buckets.known_issues import known_issues
from chcfuzz.triage.buckets.traits import read_traits
from chcfuzz.triage.findings.store import findings_in
from numpy.typing import NDArray

WITNESSES = ("evidence.smt2", "refutation", "refutation.smt2", "model.smt2")
_MOST_TEXT = 20_000  # characters of a file that the page shows
_MOST_WITNESSES = 2  # files


@dataclass(frozen=True)
class Yield:
    """What a row of the registry has brought: `weight` is how likely it was to be drawn at last, if that is known."""

    row: str
    tried: int
    opened: int
    weight: float | None

    @property
    def family(self) -> str:
        return self.row.partition(".")[0]

    @property
    def rate(self) -> float:
        return self.opened / self.tried if self.tried else 0.0


@dataclass(frozen=True)
class Shown:
    """A bucket with the text of its smallest finding and its witnesses, (file's name, text) each."""

    listed: ListedBucket
    system: str
    is_reduced: bool
    witnesses: tuple[tuple[str, str], ...]
    first_seen: float | None  # seconds of the campaign


@dataclass(frozen=True)
class Run:
    """A campaign. `traces` are hashes, (n,), ascending, of its latest build."""

    name: str
    path: Path
    history: History
    tables: Totals
    yields: tuple[Yield, ...]
    buckets: tuple[Shown, ...]
    traces: NDArray[np.uint64]
    unread: tuple[str, ...]  # what could not be read, a line each

    @property
    def build(self) -> str:
        """Decides which traces there are."""
        return str(self.history.head.get("build", ""))


def read(paths: Sequence[Path], known: Sequence[Path] = ()) -> list[Run]:
    """What lies in run folders, each under a name of its own; raises `ChcfuzzError`."""
    names = _names(paths)
    return [_read(path, name, known) for path, name in zip(paths, names, strict=True)]


def _read(path: Path, name: str, known: Sequence[Path]) -> Run:
    run = RunFolder(path)
    told = history.read(run)
    unread: list[str] = []
    buckets = _buckets(run, told, known, unread)
    build = str(told.head.get("build", ""))
    traces = run.traces(build) if build else np.zeros(0, np.uint64)
    return Run(name, path, told, run.tables(), _yields(run), buckets, traces, tuple(unread))


def _names(paths: Sequence[Path]) -> list[str]:
    """The last part of each path, or as many more as tell them apart."""
    resolved = [path.resolve() for path in paths]
    for number in range(1, max(len(path.parts) for path in resolved)):
        names = ["/".join(path.parts[-number:]) for path in resolved]
        if len(set(names)) == len(names):
            return names
    return [f"{path} ({number})" for number, path in enumerate(resolved, 1)]


def _yields(run: RunFolder) -> tuple[Yield, ...]:
    state = learning.read_state(run.findings / "state.json")
    if state is None:
        return ()
    weights: dict[str, Any] = state.get("weights", {})
    rows = (
        Yield(row, int(tried), int(opened), float(weights[row]) if row in weights else None)
        for row, (tried, opened) in state["rows"].items()
    )
    return tuple(sorted(rows, key=lambda each: (-each.opened, -each.tried, each.row)))


def _buckets(run: RunFolder, told: History, known: Sequence[Path], unread: list[str]) -> tuple[Shown, ...]:
    """The buckets of all findings; nothing is reduced or written. What cannot be read is said in `unread`."""
    members: list[Member] = []
    try:
        members += read_buckets(run.findings / FILE)
        found = findings_in(run.findings)
    except ChcfuzzError as error:
        unread.append(str(error))
        found = []
    for finding in found:
        try:
            members.append(Member(read_traits(finding.folder)))
        except (ChcfuzzError, KeyError, TypeError, ValueError) as error:
            unread.append(f"{finding.folder.name}: {error}")
    seen = _first_seen(told)
    rows = collect.listed(bucketed(members), known_issues(known))
    return tuple(_shown(run.findings, row, seen) for row in rows)


def _first_seen(told: History) -> dict[str, float]:
    """When each finding was there, in seconds of the campaign, by its folder's name."""
    seen: dict[str, float] = {}
    before = 0.0
    for session in told.sessions:
        for line in session.findings:
            seen.setdefault(line["name"], before + line["seconds"])
        before += session.last["seconds"] if session.last else 0.0
    return seen


def _shown(findings: Path, row: ListedBucket, seen: dict[str, float]) -> Shown:
    smallest = row.bucket.representative
    folder = findings / smallest.name
    reduced = smallest.text is not None
    times = [seen[member.traits.name] for member in row.bucket.members if member.traits.name in seen]
    prefix = "reduced-" if reduced else ""
    witnesses: list[tuple[str, str]] = []
    for name in WITNESSES:
        text = _text(folder / f"{prefix}{name}")
        if text and len(witnesses) < _MOST_WITNESSES:
            witnesses.append((f"{prefix}{name}", text))
    system = smallest.text if smallest.text is not None else _text(folder / "mutant.smt2")
    return Shown(row, system[:_MOST_TEXT], reduced, tuple(witnesses), min(times, default=None))


def _text(path: Path) -> str:
    """What is in a file, as much of it as is shown; empty where there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read(_MOST_TEXT + 1)
    except OSError:
        return ""
    return text if len(text) <= _MOST_TEXT else text[:_MOST_TEXT] + "\n; ... and more\n"
