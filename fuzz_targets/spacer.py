#!/usr/bin/env python3
"""Fuzz Spacer: `python fuzz_targets/spacer.py corpus/`; see `--help`."""

from __future__ import annotations

from chcfuzz.solvers import python

python.forget_current_folder()  # before anything else is imported
if __name__ == "__main__":
    python.leave_when_interrupted()

# ruff: noqa: E402
import sys
from collections.abc import Sequence
from pathlib import Path

from chcfuzz.campaign.options import Options
from chcfuzz.domains.chc.solvers.verbose_output import shows_transforms
from chcfuzz.execution.solving import UsageError
from chcfuzz.fuzz_targets import program
from chcfuzz.solvers.z3_release import Release

SCRIPT = Path(__file__).resolve()


def main(arguments: Sequence[str]) -> int:
    """Run a campaign, or one of its workers; return the exit code."""
    return program.run(SCRIPT, arguments, _without_command, _headline)


def _without_command(options: Options) -> Options:
    if options.solving.command is not None:
        raise UsageError("--command is for fuzz_targets/chc_command.py; here Spacer is under test, try --cross")
    return options


def _headline(options: Options, release: Release) -> str:
    if release.traced:
        events = f"events of trace sites ({', '.join(options.solving.trace_tags)}) and edges from {release.traced}"
    else:
        transforms = " and rule transforms" if shows_transforms(release) else ", without those of rule transforms"
        events = f"events from Spacer's progress log{transforms}, library in {release.library_folder}"
    return f"Z3 {release.version}, {events}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
