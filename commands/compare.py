"""`chcfuzz compare`."""

from __future__ import annotations

import argparse
import csv
import json
import shlex
import string
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chcfuzz.commands import json_output
from chcfuzz.commands.subcommand import Uses
from chcfuzz.commands.tables import console, print_wrapped
from chcfuzz.execution.solving import UsageError
from chcfuzz.grammar.printable import counted, printable
from rich import box
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from chcfuzz.experiments.campaign_groups import CampaignGroup
    from chcfuzz.experiments.comparison import Row
    from chcfuzz.experiments.statistics import Ranks

NAME, HELP, USES = "compare", "compare groups of campaigns, with intervals and tests", Uses.INSTALLED
EXAMPLES = (
    "chcfuzz compare A=default/ B=novelty/",
    "chcfuzz compare A=run-1,run-2,run-3 B=run-4,run-5,run-6 --by executions --csv table.csv --page page.html",
)
PACKAGES = frozenset(("scipy", "jinja2", "markupsafe", "plotly", "pygments"))
_COLUMNS = ("measure", "group", "n", "median", "low", "high", "other", "other_n", "other_median", "other_low")
_HEADINGS = (*_COLUMNS, "other_high", "a12", "p_holm")
_LONGEST_NAME = 12  # characters of a group's name in a table

_LEGEND = """\
Below each median is its 95 % bootstrap interval.
A12: probability that a value of the first group is larger (0.5: no difference)
p: two-sided {test}, corrected by Holm's method{few}"""
_PAIRED = "Wilcoxon signed-rank test of campaigns with the same seed"
_UNPAIRED = "Mann-Whitney test"
_FEW = "\ntoo few: fewer than {} campaigns in a group cannot show a difference"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument(
        "groups",
        nargs="+",
        metavar="NAME=DIR,DIR",
        help="run folders, or folders of `chcfuzz trials`; the first group is compared with each other one",
    )
    parser.add_argument(
        "--by",
        choices=("seconds", "executions"),
        default="seconds",
        help="what campaigns have used at the point of comparison; executions do not depend on the load of the machine "
        "(default: %(default)s)",
    )
    json_output.add_flag(parser)
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the table as CSV")
    parser.add_argument(
        "--latex", type=Path, metavar="FILE", help="write the table, and that of ranks, for LaTeX (booktabs)"
    )
    parser.add_argument(
        "--svg",
        type=Path,
        metavar="DIR",
        help="write a curve and a box plot of each measure, the survival curve of each bucket, and the ranks of groups",
    )
    parser.add_argument(
        "--manifest", type=Path, metavar="FILE", help="write versions, processor, load, seeds and command lines as JSON"
    )
    parser.add_argument("--page", type=Path, metavar="FILE", help="write a page with the table and bands over time")


def run(given: argparse.Namespace) -> int:
    """Print the table, and write the files."""
    try:
        from chcfuzz.experiments import campaign_groups, comparison

        if given.page is not None:
            import_module("chcfuzz.dashboard.comparison_page")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in PACKAGES:
            raise
        raise UsageError(
            f"this needs {error.name}; pip install '.[dashboard,statistics]' in a clone of chcfuzz"
        ) from error

    groups = campaign_groups.read_groups(given.groups)
    for path in (path for group in groups for path in group.unfinished):
        advice = "`chcfuzz trials` runs it again"
        print(f"chcfuzz: the trial {str(path)!r} has not ended, and is left out; {advice}", file=sys.stderr)
    if waiting := [campaign for group in groups for campaign in group.campaigns if campaign.waiting]:
        number = counted(sum(campaign.waiting for campaign in waiting), "suspicion", "is", "are")
        command = "chcfuzz confirm " + shlex.join(str(campaign.path / "findings") for campaign in waiting)
        print(
            printable(f"chcfuzz: {number} not confirmed, and not in the buckets; `{command}` examines them"),
            file=sys.stderr,
        )
    rows = comparison.rows(groups, given.by)
    end = comparison.common_end(groups, given.by)
    ranked = comparison.rankings(groups, given.by)
    _write_files(given, groups, rows, ranked)
    if given.json:
        facts = {"by": given.by, "end": end, "differing": campaign_groups.differing_words(groups)}
        mean_ranks = {
            measure: {"means": one.means, "critical": one.critical, "p": one.p} for measure, one in ranked.items()
        }
        json_output.show({**facts, "rows": [record(row) for row in rows], "ranks": mean_ranks})
        return 0
    labels = labels_of([group.name for group in groups])
    sizes = ", ".join(
        f"{group.name} {len(group.campaigns)}" + (f" ({label})" if label != group.name else "")
        for group, label in zip(groups, labels.values(), strict=True)
    )
    for name, words in campaign_groups.differing_words(groups).items():
        print_wrapped(printable(f"only {labels[name]}: {shlex.join(words) or 'nothing'}"))
    print_wrapped(printable(f"campaigns: {sizes}; compared after {end:,.0f} {given.by}, the end of the shortest one"))
    console().print(table(rows, labels))
    pairs = [campaign_groups.are_paired(groups[0], other) for other in groups[1:]]
    test = _PAIRED if all(pairs) else _UNPAIRED if not any(pairs) else f"{_PAIRED}, or {_UNPAIRED} for other groups"
    few = _FEW.format(campaign_groups.FEWEST) if any(row.p is None for row in rows) else ""
    print(_LEGEND.format(test=test, few=few))
    for line in _rank_lines(ranked, list(labels.values())):
        print(printable(line))
    return 0


def _rank_lines(ranked: Mapping[str, Ranks], labels: Sequence[str]) -> Iterator[str]:
    """Yield the mean ranks of three or more groups, and the difference that is significant."""
    from chcfuzz.experiments.statistics import p_text

    if ranked:
        yield ""
        yield "Mean ranks over the seeds (1: the largest values); Friedman's p; Nemenyi's critical difference at 0.05"
    for measure, one in ranked.items():
        means = ", ".join(f"{label} {mean:.2f}" for label, mean in zip(labels, one.means, strict=True))
        yield f"  {measure}: {means}; p {p_text(one.p)}; critical difference {one.critical:.2f}"


def written(path: Path, flag: str, text: str) -> None:
    """Write a file and print its name; raises `UsageError`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}; name another file with {flag}") from error
    print(path, file=sys.stderr)


def _write_files(
    given: argparse.Namespace, groups: Sequence[CampaignGroup], rows: Sequence[Row], ranked: Mapping[str, Ranks]
) -> None:
    """Write the files that flags name; raises `UsageError`."""
    from chcfuzz.experiments import drawings, paper_files
    from chcfuzz.experiments.campaign_groups import manifest
    from chcfuzz.experiments.comparison import common_end

    if given.csv is not None:
        write_csv(given.csv, rows)
    if given.page is not None:
        from chcfuzz.dashboard import comparison_page

        comparison_page.write(groups, rows, given.by, given.page)
        print(given.page, file=sys.stderr)
    if given.latex is not None:
        text = paper_files.latex(rows, given.by, common_end(groups, given.by))
        if ranked:
            text += "\n" + paper_files.latex_ranks(ranked, [group.name for group in groups])
        written(given.latex, "--latex", text)
    if given.svg is not None:
        for name, text in drawings.drawings(groups, given.by).items():
            written(given.svg / name, "--svg", text)
    if given.manifest is not None:
        written(given.manifest, "--manifest", json.dumps(manifest(groups), indent=1) + "\n")


def labels_of(names: Sequence[str]) -> dict[str, str]:
    """Return a label of each group for the table: its name, or a letter if names are too long for 80 columns."""
    if max(map(len, names)) <= _LONGEST_NAME:
        return {name: name for name in names}
    return dict(zip(names, string.ascii_uppercase, strict=False))


def table(rows: Sequence[Row], labels: Mapping[str, str]) -> Table:
    """Return the comparison as a table: medians with 95 % bootstrap intervals, effect size and p."""
    from chcfuzz.experiments.statistics import interval_text, p_text, value_text

    shown = Table(box=box.SIMPLE, padding=(0, 1, 0, 0))
    shown.add_column("measure", overflow="fold")
    for heading in ("median", "median", "A12", "p"):
        shown.add_column(heading, justify="right", no_wrap=heading != "median")
    for row in rows:
        cells = [
            f"{labels[name]} {value_text(sample.median)}\n{interval_text(interval)}"
            for name, sample, interval in zip(row.names, row.samples, row.intervals, strict=True)
        ]
        texts = (row.measure, *cells, f"{row.comparison.a12:.2f}", p_text(row.p))
        shown.add_row(*(Text("\n".join(map(printable, text.split("\n")))) for text in texts))
    return shown


def record(row: Row) -> dict[str, Any]:
    """Return a row for JSON; null is a median that is never reached."""
    a, b = row.samples
    values: dict[str, Any] = {"measure": row.measure, "a12": row.comparison.a12, "p": row.comparison.p, "p_holm": row.p}
    for side, name, sample, interval in zip("ab", row.names, (a, b), row.intervals, strict=True):
        ends = [None if value == float("inf") else value for value in (sample.median, interval.low, interval.high)]
        values[side] = {
            "group": name,
            "values": sample.values,
            "censored": sample.censored,
            "median": ends[0],
            "interval": ends[1:],
        }
    return values


def write_csv(path: Path, rows: Sequence[Row]) -> None:
    """Write the table; raises `UsageError`."""
    try:
        with open(path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(_HEADINGS)
            for row in rows:
                sides: list[Any] = []
                for name, sample, interval in zip(row.names, row.samples, row.intervals, strict=True):
                    sides += [name, len(sample.values), sample.median, interval.low, interval.high]
                writer.writerow([row.measure, *sides, row.comparison.a12, "" if row.p is None else row.p])
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}; name another file with --csv") from error
    print(path, file=sys.stderr)
