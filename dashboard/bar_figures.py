"""Figures of shares and costs as bars."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Mapping, Sequence

from chcfuzz.campaign.session.tallies import COST, OUTCOME, Totals
from chcfuzz.dashboard.campaign_data import DashboardRun
from chcfuzz.dashboard.figure import Figure, Json, plain, series

_STATUSES = ("sat", "unsat", "unknown", "limit", "error", "crash", "hang", "unsupported")
_MAX_ROWS = 24  # of bars
_HEIGHT, _AROUND, _ROW = 290, 120, 32  # pixels: of a figure at least, without its bars, and of a bar
_LABELLED = 0.12  # share of a bar in which its percentage fits
_TIMES = (
    ("solver", "solver_time"),
    ("oracles", "check_time"),
    ("mutate", "mutate_time"),
    ("decode", "decode_time"),
    ("apply", "apply_time"),
    ("print", "print_time"),
    ("trace", "trace_time"),
    ("confirm", "confirm_time"),
)


def times(runs: Sequence[DashboardRun]) -> Figure:
    """Return the figure of the shares of the time of workers."""
    bars: list[Json] = []
    names = [run.name for run in runs]
    parts = [_shares(run) for run in runs]
    for number, label in enumerate([*(label for label, _ in _TIMES), "other"]):
        bars.append(_share_bar(label, names, [part[label] for part in parts], series(number)))
    bars[-1]["marker"]["color"] = "var(--quiet)"
    bars[-1]["textfont"]["color"] = "var(--ink)"
    layout = _shares_layout(len(runs))
    note = "Shares of the workers' time. Other is libFuzzer itself, the cache of outcomes, learning, and the rest."
    return Figure("times", "Where time goes", note, bars, layout)


def _shares(run: DashboardRun) -> dict[str, float]:
    last = run.history.last
    counters: Mapping[str, float] = last.counters if last else {}
    wall = counters.get("wall_time", 0.0)
    shares = {label: counters.get(name, 0.0) / wall if wall else 0.0 for label, name in _TIMES}
    return {**shares, "other": max(0.0, 1.0 - sum(shares.values())) if wall else 0.0}


def _share_bar(label: str, names: Sequence[str], shares: Sequence[float], colour: str) -> Json:
    return {
        "type": "bar",
        "orientation": "h",
        "name": plain(label),
        "y": [plain(name) for name in names],
        "x": [round(100 * share, 2) for share in shares],
        "text": [f"{100 * share:.0f} %" if share >= _LABELLED else "" for share in shares],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "constraintext": "none",
        "textfont": {"color": "var(--card)", "size": 12},
        "marker": {"color": colour, "line": {"width": 1, "color": "var(--card)"}},
        "hovertemplate": "%{y}: %{x:.1f} %<extra>" + plain(label) + "</extra>",
    }


def _shares_layout(rows: int) -> Json:
    return {
        "barmode": "stack",
        "xaxis": {"range": [0, 100], "ticksuffix": " %"},
        "yaxis": {"autorange": "reversed", "showgrid": False, "automargin": True},
        "height": max(_HEIGHT, _AROUND + _ROW * rows),
        "showlegend": True,
        "legend": {"traceorder": "normal"},
        "bargap": max(0.25, 1 - _ROW * rows / (_HEIGHT - _AROUND)),  # few bars are not thicker than many
    }


def outcomes(tables: Totals, by: str) -> Figure:
    """Return the figure of the answers by theory, or by the family of the chain's last step."""
    place = 1 if by == "theory" else 2
    counts: dict[str, Tally[str]] = {}
    for name, number in tables.items():
        if name[0] == OUTCOME and len(name) == 4:
            counts.setdefault(name[place], Tally())[name[3]] += number
    groups = sorted(counts, key=lambda group: (-counts[group].total(), group))[:_MAX_ROWS]
    bars = []
    for status in _STATUSES:
        shares = [counts[group][status] / counts[group].total() for group in groups]
        if any(shares):
            bar = _share_bar(status, groups, shares, f"var(--{status})")
            bar["customdata"] = [counts[group][status] for group in groups]
            bar["hovertemplate"] = "%{y}: %{customdata:,} (%{x:.1f} %)<extra>" + status + "</extra>"
            bars.append(bar)
    title = "Answers by theory" if by == "theory" else "Answers by family of the last step"
    note = "A system with several theories counts for the first of Arrays, ADT, BV, LRA, LIA."
    if by != "theory":
        note = "Family of the last mutation; seed: without mutations, parameter: only solver parameters."
    return Figure(f"outcomes-{by}", title, note, bars, _shares_layout(len(groups)))


def costs(runs: Sequence[DashboardRun]) -> list[Figure]:
    """Return a histogram of the costs of executions for each run."""
    found = []
    for number, run in enumerate(runs):
        counts: dict[str, Tally[int]] = {}
        for name, times_ in run.tables.items():
            if name[0] == COST and len(name) == 3 and name[2].isdecimal():
                counts.setdefault(name[1], Tally())[int(name[2])] += times_
        if not counts:
            continue
        bits = range(min(min(tally) for tally in counts.values()), max(max(tally) for tally in counts.values()) + 1)
        labels = [_power(bit) for bit in bits]
        bars = [
            {
                "type": "bar",
                "name": status,
                "x": labels,
                "y": [counts[status][bit] for bit in bits],
                "marker": {"color": f"var(--{status})"},
                "hovertemplate": "%{y:,} executions<extra>" + status + "</extra>",
            }
            for status in _STATUSES
            if status in counts
        ]
        layout = {
            "barmode": "stack",
            "legend": {"traceorder": "normal"},
            "bargap": 0.08,
            "xaxis": {"title": {"text": "resource units, up to"}, "type": "category", "dtick": 2, "tickangle": 0},
            "showlegend": True,
            "hovermode": "x unified",
        }
        title = "Cost of executions" + (f": {run.name}" if len(runs) > 1 else "")
        note = "The solver's own count of its work, in powers of two; expensive units are mutated less often."
        found.append(Figure(f"costs-{number}", title, note, bars, layout))
    return found


def _power(bits: int) -> str:
    number = 1 << bits
    for size, letter in ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "k")):
        if number >= size:
            return f"{number // size}{letter}"
    return str(number)
