"""The history of a campaign in a run folder, over all its sessions."""

from __future__ import annotations

from collections import Counter as Tally
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from chcfuzz.campaign.runs import run_statistics
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.campaign.runs.run_statistics import Line, SessionRead
from chcfuzz.execution.files import ensure_no_link


@dataclass(frozen=True)
class Point:
    """The progress of a campaign. Numbers are sums over all sessions so far; `seconds` excludes the time between them.

    `traces`, `transitions` and `edges` belong to the build under test; transitions and edges are the most that any
    session has reached by then. `edges` is None if the solver does not count edges. Each finding counts
    once, even if a later session makes it again. `counted` suspicions were not stored, because enough similar ones
    waited. Times among `counters` are in seconds. `estimate` is what another hour brings, empty for older sessions.
    """

    session: int
    seconds: float
    executions: int
    solved: int
    traces: int
    transitions: int
    edges: int | None
    findings: Mapping[str, int]
    units: int
    corpus_bytes: int
    memory_bytes: int
    waiting: int
    counted: int
    crashes: int
    replaced: int
    counters: Mapping[str, float]
    estimate: Mapping[str, Any] = field(default_factory=dict)

    @property
    def has_features(self) -> bool:
        """Whether traces are sets of features, which `transitions` counts."""
        return bool(self.estimate.get("has_features"))

    @property
    def keys(self) -> str:
        """The name of the numbers in `transitions`, as the campaign prints it."""
        return "features" if self.has_features else "transitions"

    @property
    def found(self) -> int:
        """Number of findings."""
        return sum(self.findings.values())


@dataclass(frozen=True)
class History:
    """All sessions and their progress. `damaged` lines were ignored; `all_edges` is the number of all edges.

    `is_running`: a campaign ran before or after the lines were read. If not, a session without an end was killed.
    """

    sessions: tuple[SessionRead, ...]
    points: tuple[Point, ...]
    damaged: int
    all_edges: int | None = None
    is_running: bool = False

    @property
    def last(self) -> Point | None:
        """The latest progress."""
        return self.points[-1] if self.points else None

    @property
    def trace_age(self) -> float | None:
        """Seconds between the latest new trace and the latest progress; None without traces."""
        last = self.last
        if last is None or not last.traces:
            return None
        latest = takewhile(lambda point: point.traces == last.traces, reversed(self.points))
        return last.seconds - min(point.seconds for point in latest)  # not the same number under an earlier build

    def first_seen(self) -> dict[str, float]:
        """Return the time of each finding in seconds of the campaign, by folder name."""
        seen: dict[str, float] = {}
        before = 0.0
        for session in self.sessions:
            for line in session.findings:
                seen.setdefault(line["name"], before + line["seconds"])
            before += session.last["seconds"] if session.last else 0.0
        return seen

    def first_suspected(self) -> dict[str, float]:
        """Return the second at which the suspicion of each finding was seen, by folder name, as far as known."""
        lines = (line for session in self.sessions[:1] for line in session.findings)
        return {line["name"]: line["suspected"] for line in lines if isinstance(line.get("suspected"), int | float)}

    def first_executions(self) -> dict[str, int]:
        """Return the execution at which the suspicion of each finding was seen, by folder name, as far as known."""
        lines = (line for session in self.sessions[:1] for line in session.findings)
        return {line["name"]: line["executions"] for line in lines if isinstance(line.get("executions"), int)}

    @property
    def head(self) -> Line:
        """The first line of the latest session; empty before the first session."""
        return self.sessions[-1].head if self.sessions else {}


def read(run: RunFolder) -> History:
    """Return the history of a run folder; raises `UsageError` for any other folder, and `LinkError` for links in it."""
    run.ensure_begun()
    ensure_no_link(*run.folders)
    was_running = run.is_running  # a campaign that ends meanwhile has written its last line, which may not be read here
    sessions, damaged = run_statistics.read(run.statistics)
    points: list[Point] = []
    transitions, edges, all_edges = 0, None, None
    build = None
    found: dict[str, str] = {}  # the kind of each finding by its folder
    for session in sessions:
        before = points[-1] if points else None
        if session.head.get("build") != build:
            build = session.head.get("build")
            transitions, edges = 0, None
        findings = deque(session.findings)
        for line in session.progress:
            while findings and findings[0]["seconds"] <= line["seconds"]:
                finding = findings.popleft()
                found[finding["name"]] = finding["kind"]
            transitions = max(transitions, line["transitions"])
            if "edges" in line:
                edges, all_edges = max(edges or 0, line["edges"]), line["all_edges"]
            points.append(_point(line, before, transitions, edges, Tally(found.values())))
        for finding in findings:  # the session was killed before its next line of progress
            found[finding["name"]] = finding["kind"]
    return History(tuple(sessions), tuple(points), damaged, all_edges, was_running or run.is_running)


def _point(line: Line, before: Point | None, transitions: int, edges: int | None, findings: Mapping[str, int]) -> Point:
    """Return the progress of a line, with the final numbers of earlier sessions added."""
    counters: Tally[str] = Tally(line["counters"])
    if before is not None:
        counters.update(before.counters)
    sums = {
        name: line[name] + (getattr(before, name) if before else 0)
        for name in ("seconds", "executions", "solved", "crashes", "replaced")
    }
    sums["counted"] = line.get("counted", 0) + (before.counted if before else 0)
    now = {name: line[name] for name in ("session", "traces", "units", "corpus_bytes", "memory_bytes", "waiting")}
    more = {"counters": dict(counters), "findings": dict(findings), "estimate": line.get("estimate", {})}
    return Point(**sums, **now, **more, transitions=transitions, edges=edges)
