"""`chcfuzz dashboard`."""

from __future__ import annotations

import argparse
import datetime
import sys
from pathlib import Path

from chcfuzz.commands import json_output
from chcfuzz.commands.subcommand import Uses
from chcfuzz.execution.flags import count
from chcfuzz.execution.solving import UsageError

NAME, HELP, USES = "dashboard", "write an HTML page about a run folder, or one that compares several", Uses.INSTALLED
EXAMPLES = (
    "chcfuzz dashboard run/",
    "chcfuzz dashboard run/ --serve",
    "chcfuzz dashboard run/ other-run/ --out compared.html",
)
PORT = 8017
PACKAGES = frozenset(("jinja2", "markupsafe", "plotly", "pygments"))


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN_DIR", help="a folder that --run-dir has made")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the page to write (default: RUN_DIR/dashboard.html)")
    parser.add_argument(
        "--one-file",
        action="store_true",
        help="write a page to send: without it, figures need the file plotly-VERSION.min.js beside the page (5 MB)",
    )
    parser.add_argument(
        "--serve",
        action="store_true",
        help="serve the page on this machine until Ctrl-C; it follows a campaign that is running",
    )
    parser.add_argument(
        "--port", type=count, default=PORT, metavar="N", help="port of --serve; 0: any (default: %(default)s)"
    )
    parser.add_argument(
        "--known", action="append", default=[], type=Path, metavar="FILE", help="more known issues; can be repeated"
    )


def run(given: argparse.Namespace) -> int:
    """Write the page, and print its path."""
    try:
        from chcfuzz.dashboard import campaign_data, page
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in PACKAGES:
            raise
        raise UsageError(f"the page needs {error.name}; pip install '.[dashboard]' in a clone of chcfuzz") from error

    if given.serve:
        return _serve(given)
    into = given.out or given.runs[0] / "dashboard.html"
    page.write(
        campaign_data.read(given.runs, given.known),
        into,
        datetime.datetime.now().astimezone().isoformat(" ", "minutes"),
        given.one_file,
    )
    if given.json:
        json_output.show({"page": str(into)})
    else:
        print(into)
    return 0


def _serve(given: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    from chcfuzz.dashboard.serving import HOST, Pages, server

    pages = Pages(given.runs, given.known)
    pages.page()  # raises for a folder that is not a run folder
    with server(pages, given.port) as serving:
        print(f"http://{HOST}:{serving.server_address[1]}/ until Ctrl-C", flush=True)
        try:
            serving.serve_forever()
        except KeyboardInterrupt:
            print("chcfuzz: stopped serving; campaigns continue", file=sys.stderr)
    return 0
