"""`chcfuzz dashboard`."""

from __future__ import annotations

import argparse
from pathlib import Path

from chcfuzz.commands.command import Uses
from chcfuzz.execution.solving import UsageError

NAME, HELP, USES = "dashboard", "write an HTML page about a run folder, or one that compares several", Uses.INSTALLED
EXAMPLES = (
    "chcfuzz dashboard run/",
    "chcfuzz dashboard run/ other-run/ --out compared.html",
)
PACKAGES = frozenset(("jinja2", "markupsafe", "plotly", "pygments"))


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN_DIR", help="a folder that --run-dir has made")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the page to write (default: RUN_DIR/dashboard.html)")
    parser.add_argument(
        "--known", action="append", default=[], type=Path, metavar="FILE", help="more known issues; can be repeated"
    )


def run(given: argparse.Namespace) -> int:
    """Write the page, and print its path."""
    try:
        from chcfuzz.dashboard import page, runs
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in PACKAGES:
            raise
        raise UsageError(f"the page needs {error.name}; pip install 'chcfuzz[dashboard]'") from error

    into = given.out or given.runs[0] / "dashboard.html"
    page.write(runs.read(given.runs, given.known), into)
    print(into)
    return 0
