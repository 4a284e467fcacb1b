#!/usr/bin/env python3
"""Fuzz SMT solvers against each other: `python fuzz_targets/smt.py corpus-smt/`; see `--help`."""

from __future__ import annotations

from chcfuzz.solvers import python

python.forget_current_folder()  # before anything else is imported
if __name__ == "__main__":
    python.leave_when_interrupted()

# ruff: noqa: E402
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from chcfuzz.campaign.options import Options
from chcfuzz.domains.smt.domain import NAME
from chcfuzz.execution.solving import UsageError
from chcfuzz.fuzz_targets import program
from chcfuzz.solvers.z3_release import Release

SCRIPT = Path(__file__).resolve()


def main(arguments: Sequence[str]) -> int:
    """Run a campaign, or one of its workers; return the exit code."""
    return program.run(SCRIPT, arguments, _prepared, _headline)


def _prepared(options: Options) -> Options:
    """Return the options with the domain of SMT problems."""
    solving = options.solving
    if solving.command is not None:
        raise UsageError("--command is for fuzz_targets/chc_command.py; here --solvers names the solvers")
    if solving.solver is not None:
        raise UsageError("--solver names a class in the place of Spacer; here --solvers names the solvers")
    return replace(options, solving=replace(solving, domain=solving.domain or NAME))


def _headline(options: Options, release: Release) -> str:
    from chcfuzz.domains.smt.campaign_solvers import described

    return f"{described(options.solving, release.version)}; features from their statistics"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
