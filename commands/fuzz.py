"""`chcfuzz fuzz`: the main program for those who have no clone."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from pathlib import Path

from chcfuzz.campaign.options import parser
from chcfuzz.commands.command import Uses
from chcfuzz.solvers import python

NAME, HELP, USES = "fuzz", "fuzz Spacer, as fuzz_targets/spacer.py does; all flags are its own", Uses.NONE
EXAMPLES = (
    "chcfuzz fuzz --run-dir run/ --workers 2 -max_total_time=3600",
    "chcfuzz fuzz --resume run/",
    "chcfuzz fuzz grown/ corpus/",
)
GROWN = Path("grown")  # where units go, and that of an earlier campaign are, if no corpus is named


def add_flags(parser: argparse.ArgumentParser) -> None:
    """See `Command`: it has none of its own."""


def run(given: argparse.Namespace) -> int:
    """Become the main program, on the project's seeds where no corpus is named."""
    words = list(given.words)
    if not {"--help", "-help=1"} & set(words):
        words += _corpora(words)
    command = python.command("-m", "chcfuzz.fuzz_targets.spacer", *words)
    sys.stdout.flush()
    os.execve(command[0], command, python.environment())


def _corpora(words: list[str]) -> list[str]:
    """What is fuzzed where no corpus is named. Raises `UsageError`."""
    flags, rest = parser().parse_known_args(words)
    if flags.resume is not None or not all(word.startswith("-") for word in rest):
        return []
    if flags.run_dir is not None:
        return [str(seeds())]
    GROWN.mkdir(exist_ok=True)
    return [str(GROWN), str(seeds())]


def seeds() -> Path:
    """The folder of the project's own seeds, in a clone or as they are installed."""
    found = importlib.util.find_spec("chcfuzz.corpus")
    assert found is not None
    assert found.submodule_search_locations is not None
    return Path(next(iter(found.submodule_search_locations)))
