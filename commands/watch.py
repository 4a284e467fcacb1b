"""`chcfuzz watch`."""

from __future__ import annotations

import argparse
import time
from collections import Counter as Tally
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

from chcfuzz.campaign.runs import history
from chcfuzz.campaign.runs.history import History, Point
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.commands import json_output
from chcfuzz.commands.subcommand import Uses
from chcfuzz.commands.tables import console
from chcfuzz.execution.flags import positive_float
from chcfuzz.triage.examine.suspicion import kinds_waiting
from chcfuzz.triage.findings.record import FolderName
from chcfuzz.triage.findings.store import finding_folders
from chcfuzz.triage.findings.suspicions import Suspicions
from rich import box
from rich.console import Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

NAME, HELP, USES = "watch", "follow the campaign in a run folder in the terminal", Uses.NONE
EXAMPLES = ("chcfuzz watch run/",)
_BARS, _ASCII_BARS = "▁▂▃▄▅▆▇█", "_.,-=+*#"
_WIDTHS = 8, 48  # of a curve, at least and at most
_BESIDE = 32  # columns beside a curve: its label, its number, and space
_LATEST = 6  # findings


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("run", type=Path, metavar="RUN_DIR", help="a folder that --run-dir has made")
    parser.add_argument(
        "--every", type=positive_float, default=2.0, metavar="S", help="seconds between updates (default: %(default)s)"
    )
    json_output.add_flag(parser)
    parser.add_argument("--once", action="store_true", help="print the state once and exit, as without a terminal")


def run(given: argparse.Namespace) -> int:
    """Show the campaign until its session ends, or until Ctrl-C; the folder is not changed."""
    folder = RunFolder(given.run)
    campaign = history.read(folder)
    if given.json:
        last = campaign.last
        json_output.show({"running": campaign.is_running, **({} if last is None else asdict(last))})
        return 0
    out = console()
    bars = _BARS if out.encoding.lower().startswith("utf") else _ASCII_BARS
    if given.once or not out.is_terminal:
        out.print(shown(folder, campaign, out.width, bars))
        return 0
    try:
        with Live(shown(folder, campaign, out.width, bars), console=out, screen=False, auto_refresh=False) as live:
            while campaign.is_running:
                time.sleep(given.every)
                campaign = history.read(folder)
                live.update(shown(folder, campaign, out.width, bars), refresh=True)
    except KeyboardInterrupt:
        print("chcfuzz: stopped watching; the campaign continues")
    return 0


def shown(folder: RunFolder, campaign: History, width: int, bars: str = _BARS) -> RenderableType:
    """Return the state of a campaign for a terminal with this number of columns."""
    last = campaign.last
    if last is None:
        return Text(f"{folder.path}: started, without statistics yet")
    numbers = Table(box=box.SIMPLE, show_header=False, padding=(0, 1))
    numbers.add_column(style="dim")
    numbers.add_column(justify="right")
    numbers.add_column()
    kinds = Tally(FolderName.parse(path.name).kind for path in finding_folders(folder.findings))
    waiting = Suspicions(folder.findings).names()
    curves = max(_WIDTHS[0], min(_WIDTHS[1], width - _BESIDE))
    for label, value, more in [*_rows(campaign, last, curves), *_on_disk(last, kinds, waiting)]:
        numbers.add_row(label, value, more.translate(str.maketrans(_BARS, bars)))
    state = _state(campaign)
    return Group(Text(f"{folder.path}: {state}", style="bold"), numbers, *_findings(campaign))


def _state(campaign: History) -> str:
    session = campaign.sessions[-1]
    end = "running" if campaign.is_running else f"ended ({session.end['why']})" if session.end else "killed"
    return f"session {session.number}, {end}, {_clock(campaign.last.seconds if campaign.last else 0)} in all"


def _rows(campaign: History, last: Point, width: int) -> list[tuple[str, str, str]]:
    points = campaign.points
    undecided = sum(last.counters.get(name, 0) for name in ("unknown", "limit", "error"))
    answers = (f"{name} {last.counters.get(name, 0):,.0f}" for name in ("sat", "unsat"))
    hangs = f"hang {last.counters.get('hang', 0):,.0f}, died {last.crashes:,}"
    rows = [
        ("solved", f"{last.solved:,}", _curve([b.solved - a.solved for a, b in pairwise(points)], width)),
        ("speed", f"{_rate(points):.1f}", "solved per second, lately"),
        ("traces", f"{last.traces:,}", _curve([point.traces for point in points], width)),
        (last.keys, f"{last.transitions:,}", _curve([point.transitions for point in points], width)),
    ]
    if campaign.trace_age is not None:
        rows.insert(3, ("new trace", _clock(campaign.trace_age), "ago, in time of fuzzing"))
    if last.edges is not None and campaign.all_edges:
        rows.append(("edges", f"{last.edges:,}", f"{last.edges / campaign.all_edges:.1%} of {campaign.all_edges:,}"))
    alone, queried = (last.counters.get(f"reserve_{name}", 0) for name in ("answers", "queried"))
    if alone:
        rows.append(("reserves", f"{queried:,.0f}", f"queries for {alone:,.0f} answers that nothing else decides"))
    return [
        *rows,
        ("corpus", f"{last.units:,}", f"units, {last.corpus_bytes / 2**20:.1f} MiB"),
        ("memory", f"{last.memory_bytes / 2**20:,.0f}", "MiB"),
        ("answers", f"{last.solved:,}", f"{', '.join(answers)}, undecided {undecided:,.0f}, {hangs}"),
    ]


def _on_disk(last: Point, kinds: Mapping[str, int], waiting: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return the findings and suspicions in the folder, with those that `chcfuzz confirm` has examined later."""
    found = ", ".join(f"{kind} {number}" for kind, number in sorted(kinds.items())) or "none"
    counted = f"; {last.counted:,} others were only counted" if last.counted else ""
    return [
        ("findings", f"{sum(kinds.values()):,}", found),
        ("waiting", f"{len(waiting):,}", f"suspicions to confirm{kinds_waiting(waiting)}{counted}"),
    ]


def _rate(points: Sequence[Point]) -> float:
    """Return the number of solved mutants per second over the latest lines."""
    before, last = points[-min(len(points), 6)], points[-1]
    return (last.solved - before.solved) / (last.seconds - before.seconds) if last.seconds > before.seconds else 0.0


def _curve(values: Sequence[float], width: int) -> str:
    """Return the values as at most `width` bars."""
    width = min(width, len(values))
    picked = [values[round(i * (len(values) - 1) / max(1, width - 1))] for i in range(width)]
    most = max(picked, default=0)
    return "".join(_BARS[round(7 * value / most)] if most > 0 else _BARS[0] for value in picked)


def _findings(campaign: History) -> list[RenderableType]:
    """Return the latest findings, one on each line."""
    names = list(dict.fromkeys(line["name"] for session in campaign.sessions for line in session.findings))
    return [Text.from_markup(f"  [red]found[/red] {escape(name)}") for name in names[-_LATEST:]]


def _clock(seconds: float) -> str:
    hours, rest = divmod(int(seconds), 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}"
