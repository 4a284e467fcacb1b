"""`chcfuzz fuzz`: the campaign program for users without a clone of the repository."""

from __future__ import annotations

import argparse
import os
import sys
from typing import NoReturn

from chcfuzz.campaign.command_line import parser
from chcfuzz.commands.subcommand import Uses
from chcfuzz.solvers import python

NAME, HELP, USES = (
    "fuzz",
    "fuzz Spacer, or the solvers of another --domain, as the fuzz targets do",
    Uses.NONE,
)
EXAMPLES = (
    "chcfuzz fuzz --run-dir run/ --workers 2 -max_total_time=3600",
    "chcfuzz fuzz --resume run/",
    "chcfuzz fuzz grown/ corpus/",
    "chcfuzz fuzz --domain smt corpus-smt/",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the flags are those of the campaign program."""


def run(given: argparse.Namespace) -> int:
    """Replace this process by the campaign program."""
    words = list(given.words)
    if {"--help", "-h"} & set(words):
        print(parser("chcfuzz fuzz").format_help(), "examples:", *(f"  {each}" for each in EXAMPLES), sep="\n")
        return 0
    return _become(words)


def _become(words: list[str]) -> NoReturn:
    """Replace this process by the campaign program with these words."""
    command = python.command("-m", "chcfuzz.fuzz_targets.campaign", *words)
    sys.stdout.flush()
    os.execve(command[0], command, python.environment())
