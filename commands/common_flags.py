"""Flags that every command has: `--json`, `--quiet`, `--verbose`; and what the last one prints."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.commands import json_output
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.printable import printable
from chcfuzz.solvers import z3_release


@dataclass(frozen=True)
class How:
    """Whether a command prints JSON, and whether it leaves out its progress."""

    json: bool = False
    quiet: bool = False


PLAIN = How()


def leaves(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """Return the parsers of a command's subcommands, or its own parser."""
    for action in parser._actions:  # noqa: SLF001  (argparse offers nothing else)
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            return list(action.choices.values())
    return [parser]


def add(parser: argparse.ArgumentParser) -> None:
    """Add the flags, as far as the command does not have them."""
    present = {name for action in parser._actions for name in action.option_strings}  # noqa: SLF001
    if "--json" not in present:
        json_output.add_flag(parser)
    loudness = parser.add_mutually_exclusive_group()
    loudness.add_argument("-q", "--quiet", action="store_true", help="print results and errors, but no progress")
    loudness.add_argument(
        "-v", "--verbose", action="store_true", help="also print the solver, the time, and where an error was raised"
    )


def add_json_or_file(parser: argparse.ArgumentParser) -> None:
    """Add `--json` of a command that can also write the JSON to a file, next to its text."""
    parser.add_argument(
        "--json",
        nargs="?",
        const=json_output.STANDARD_OUTPUT,
        type=Path,
        metavar="FILE",
        help="print JSON instead of text, or write it to FILE",
    )


@contextmanager
def watched(verbose: bool) -> Iterator[None]:
    """Print the solver and the time of the commands inside, and the origin of an error, with `verbose`."""
    started = time.monotonic()
    try:
        yield
    except ChcfuzzError:
        if verbose:
            traceback.print_exc()
        raise
    finally:
        if verbose:
            _print_end(time.monotonic() - started)


def _print_end(seconds: float) -> None:
    release = z3_release.chosen_release()
    solver = f"Z3 {release.version} in {release.library_folder}" if release else "no Z3 in this process"
    print(printable(f"chcfuzz: {solver}; {seconds:.1f} s"), file=sys.stderr)
