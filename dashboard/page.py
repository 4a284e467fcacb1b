"""The page about one campaign or several."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from chcfuzz.campaign.runs.history import Point
from chcfuzz.campaign.supervisor.status import describe_stability
from chcfuzz.dashboard import bar_figures, curve_figures, rendering, step_figures, yield_figures
from chcfuzz.dashboard.campaign_data import DashboardRun, Shown
from chcfuzz.dashboard.figure import Figure
from chcfuzz.dashboard.graph import Graph, graph_of
from chcfuzz.dashboard.rendering import clock, number
from chcfuzz.triage.examine.suspicion import kinds_waiting

_MAX_RARE = 40  # transitions in a table
_MAX_ROWS = 400  # of yields
_MAX_STEPS = 30  # transitions that are drawn at first


@dataclass(frozen=True)
class Presentation:
    """When a page was made, as text; links to folders, empty for none; seconds after which a browser reloads it."""

    made: str = ""
    link: Callable[[Path], str] = lambda _folder: ""
    reload: int = 0


PLAIN = Presentation()


def write(runs: Sequence[DashboardRun], into: Path, made: str = "", one_file: bool = False) -> None:
    """Write the page of a run, or one that compares several; raises `UsageError`."""

    def link(target: Path) -> str:
        return quote(os.fsencode(os.path.relpath(target, into.parent))) + "/" if target.is_dir() else ""

    rendering.write(html_of(runs, Presentation(made, link)), into, "--out", one_file)


def html_of(runs: Sequence[DashboardRun], how: Presentation = PLAIN) -> str:
    """Return the page as HTML."""
    graphs = {run.name: graph_of(run.tables, run.build) for run in runs}
    drawn = _sections(runs, graphs)
    return rendering.rendered(
        "page.html",
        runs=runs,
        how=how,
        tiles=[tiles(run) for run in runs],
        sections=drawn,
        specs={figure.id: figure.json for _, _, inside in drawn for figure in inside},
        buckets=_buckets(runs),
        rare={name: graph.rare[:_MAX_RARE] for name, graph in graphs.items()},
        rare_in_all={name: len(graph.rare) for name, graph in graphs.items()},
        rows=[(run, run.yields[:_MAX_ROWS]) for run in runs if run.yields],
        compared=_compared(runs, graphs) if len(runs) > 1 else [],
    )


def _sections(runs: Sequence[DashboardRun], graphs: dict[str, Graph]) -> list[tuple[str, str, list[Figure]]]:
    """Return anchor, heading and figures of each section that has figures."""
    several = len(runs) > 1
    steps: list[Figure] = []
    answers: list[Figure] = []
    yielded: list[Figure] = []
    for index, run in enumerate(runs):
        graph = graphs[run.name]
        here = [step_figures.transitions(graph.largest(_MAX_STEPS))] if graph.steps else []
        if len(graph.edges) > _MAX_STEPS:
            here.append(replace(step_figures.transitions(graph), id="graph-all", title="All of these transitions"))
        by_group = [bar_figures.outcomes(run.tables, by) for by in ("theory", "family")]
        mine = [yield_figures.yields(run.yields)] if run.yields else []
        for group, into in ((here, steps), ([f for f in by_group if f.data], answers), (mine, yielded)):
            into += [_of_run(figure, run, index) for figure in group] if several else group
    answers.sort(key=lambda figure: figure.id.startswith("outcomes-family"))  # neighbours have similar heights
    if len(runs) == 2 and (beside := yield_figures.yields_beside(*runs)) is not None:
        yielded.insert(0, beside)
    sections = [
        ("growth", "Growth", [*curve_figures.growth(runs), curve_figures.speed(runs)]),
        (
            "speed",
            "Time, cost, memory",
            [bar_figures.times(runs), curve_figures.memory(runs), *bar_figures.costs(runs)],
        ),
        ("steps", "Steps of the solver", steps),
        ("mutations", "Mutations and parameters", yielded),
        ("answers", "Answers", answers),
    ]
    return [section for section in sections if section[2]]


def _of_run(figure: Figure, run: DashboardRun, index: int) -> Figure:
    return replace(figure, id=f"{figure.id}-{index}", title=f"{figure.title}: {run.name}")


def tiles(run: DashboardRun) -> list[tuple[str, str, str]]:
    """Return the main numbers of a run: label, number, comment."""
    last = run.history.last
    if last is None:
        return [("state", "started", "without statistics yet")]
    rechecked = int(last.counters.get("rechecked", 0))
    stable = last.counters.get("stable", 0) / rechecked if rechecked else None
    new = sum(not shown.listed.is_known for shown in run.buckets)
    rows = [
        (
            "findings",
            number(max(last.found, sum(len(shown.listed.bucket.members) for shown in run.buckets))),
            _counted(len(run.buckets), "bucket") + f", {new} new",
        ),
        *_waiting(run),
        ("unique traces", number(last.traces), f"{number(last.transitions)} {_transitions([run])}"),
        ("solved", number(last.solved), f"{last.solved / max(last.seconds, 1e-9):.1f} per second"),
        ("time", clock(last.seconds), f"in {_counted(len(run.history.sessions), 'session')}"),
        ("last new trace", clock(run.history.trace_age) or "none", _before(run)),
        *_estimate(run, last),
        ("corpus", number(last.units), f"units, {_bytes(last.corpus_bytes)}"),
        ("stability", describe_stability(stable), f"of {number(rechecked)} executions run again"),
    ]
    if last.edges is not None and run.history.all_edges:
        share = last.edges / run.history.all_edges
        rows.insert(
            2 + bool(run.waiting), ("edges", number(last.edges), f"{share:.1%} of {number(run.history.all_edges)}")
        )
    return rows


def _waiting(run: DashboardRun) -> list[tuple[str, str, str]]:
    """Return the tile with the suspicions that are not confirmed yet, if there are any."""
    kinds = kinds_waiting(run.waiting).removeprefix(": ")
    return [("waiting", number(len(run.waiting)), f"suspicions: {kinds}")] if run.waiting else []


def _transitions(runs: Sequence[DashboardRun]) -> str:
    return "features" if all(run.has_features for run in runs) else "transitions"


def _before(run: DashboardRun) -> str:
    """Return the comment on the time of the last new trace, with that of the last new bucket."""
    end = "ago" if run.history.is_running else "before the end"
    bucket = clock(run.bucket_age)
    return f"{end}; bucket: {bucket}" if bucket else end


def _under_test(headline: str) -> str:
    """Return the solvers that the first line of a campaign names."""
    return headline.partition("; ")[0].partition(", events")[0]


def _estimate(run: DashboardRun, last: Point) -> list[tuple[str, str, str]]:
    """Return the tile with what another hour brings, if the campaign has estimated it."""
    if not last.estimate or last.estimate.get("mutants") == 0:
        return []
    traces, signatures = (last.estimate[name]["next_hour"] for name in ("traces", "signatures"))
    kind = "traces with a new feature" if run.has_features else "traces"
    return [("next hour", f"+{number(traces)}", f"{kind}, {signatures:.1f} signatures (estimate)")]


def _compared(runs: Sequence[DashboardRun], graphs: dict[str, Graph]) -> list[tuple[str, list[str]]]:
    """Return the rows of the table that compares runs."""
    lasts = [run.history.last for run in runs]

    def row(label: str, value: Any) -> tuple[str, list[str]]:
        return label, ["-" if last is None else value(last) for last in lasts]

    def rate(last: Point, amount: float) -> str:
        return f"{amount / max(last.seconds, 1e-9):.1f}"

    rows = [
        ("program", [run.program for run in runs]),
        ("under test", [_under_test(str(run.history.head.get("headline", ""))) for run in runs]),
        row("time", lambda p: clock(p.seconds)),
        row("solved", lambda p: number(p.solved)),
        row("solved per second", lambda p: rate(p, p.solved)),
        row("unique traces", lambda p: number(p.traces)),
        row("traces per minute", lambda p: rate(p, 60 * p.traces)),
        row(_transitions(runs), lambda p: number(p.transitions)),
        row("edges", lambda p: "-" if p.edges is None else number(p.edges)),
        row("findings", lambda p: number(p.found)),
        ("buckets", [number(len(run.buckets)) for run in runs]),
    ]
    if len({run.build for run in runs}) == 1:
        only = [
            len(np.setdiff1d(run.traces, np.concatenate([other.traces for other in runs if other is not run])))
            for run in runs
        ]
        rows.append(("traces in this run only", [number(each) for each in only]))
    pairs = {run.name: {(edge.before, edge.after) for edge in graphs[run.name].all_edges} for run in runs}
    others = {run.name: set().union(*(pairs[other.name] for other in runs if other is not run)) for run in runs}
    if all(pairs[run.name] & others[run.name] for run in runs):  # their solvers share steps
        alone = [number(len(pairs[run.name] - others[run.name])) for run in runs]
        rows.append(("transitions in this run only", alone))
    return rows


def _buckets(runs: Sequence[DashboardRun]) -> list[tuple[Shown, list[str]]]:
    """Return each bucket once, as in the first run that has it, with the names of its runs."""
    found: dict[tuple[str, ...], tuple[Shown, list[str]]] = {}
    for run in runs:
        for shown in run.buckets:
            found.setdefault(shown.listed.bucket.key, (shown, []))[1].append(run.name)
    return sorted(found.values(), key=lambda each: each[0].listed.is_known)


def _counted(amount: int, what: str) -> str:
    return f"{number(amount)} {what}{'' if amount == 1 else 's'}"


def _bytes(size: float) -> str:
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"
