#!/usr/bin/env python3
"""Fuzz interpolating solvers: `python fuzz_targets/interpolation.py corpus-itp/`; see `--help`."""

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
from chcfuzz.domains.interpolation.domain import NAME
from chcfuzz.domains.interpolation.solvers.engines import is_command
from chcfuzz.domains.interpolation.solvers.engines import names as names_of
from chcfuzz.domains.interpolation.solvers.selection import CVC5
from chcfuzz.domains.smt.solvers.together import solver_of
from chcfuzz.execution.solving import UsageError
from chcfuzz.fuzz_targets import program
from chcfuzz.solvers.z3_release import Release

SCRIPT = Path(__file__).resolve()


def main(arguments: Sequence[str]) -> int:
    """Run a campaign, or one of its workers; return the exit code."""
    return program.run(SCRIPT, arguments, _prepared, _headline)


def _prepared(options: Options) -> Options:
    """Return the options with the domain of interpolation problems."""
    solving = options.solving
    if solving.command is not None:
        raise UsageError("--command is for fuzz_targets/chc_command.py; here --solver names the solver")
    solving = replace(solving, domain=solving.domain or NAME)
    if solving.solver is not None:  # findings record the names of solvers, which run no code of the user's
        names, lines = ((), (solving.solver,)) if is_command(solving.solver) else ((solving.solver,), ())
        solving = replace(solving, solver=None, solvers=names, cross=(*lines, *solving.cross))
    experimental = [name for name in names_of(solving) if solver_of(name) == CVC5]
    if experimental and not options.experimental:
        raise UsageError(f"{experimental[0]}: interpolation is experimental in cvc5; add --experimental")
    return replace(options, solving=solving)


def _headline(options: Options, release: Release) -> str:
    from chcfuzz.domains.interpolation.campaign_solvers import described

    return f"{described(options.solving, release.version)}; features from their interpolants and steps"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
