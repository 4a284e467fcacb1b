#!/usr/bin/env python3
"""Fuzz any CHC solver that is a command: `python fuzz_targets/chc_command.py --command "eld -ssol" corpus/`.

This is the same campaign as `spacer.py`'s. The features of an execution come from the output of the command: its
answer, the structure of its model, the class of its error. Z3 checks its models, and Spacer is the second solver.
"""

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
from chcfuzz.domains.chc.roots import BUILT_IN
from chcfuzz.execution.solving import UsageError
from chcfuzz.fuzz_targets import program
from chcfuzz.solvers.command import Command
from chcfuzz.solvers.z3_release import Release

SCRIPT = Path(__file__).resolve()


def main(arguments: Sequence[str]) -> int:
    """Run a campaign, or one of its workers; return the exit code."""
    return program.run(SCRIPT, arguments, _with_command, _headline)


def _with_command(options: Options) -> Options:
    """Return the options without resource limits relative to the seed: a command does not count resources."""
    if options.solving.command is None:
        raise UsageError('--command is missing; name the solver, as in --command "eld -ssol"')
    if options.solving.solver is not None:
        raise UsageError("--solver names a class in the place of Spacer; here --command is under test")
    if options.performance:
        raise UsageError("--performance needs a resource count, which a command does not give")
    options.solving.solver_command()  # reports a missing program before anything begins
    return replace(options, limit_factor=0)


def _headline(options: Options, release: Release) -> str:
    command = options.solving.solver_command()
    assert command is not None
    return f"{command.text}, {_known(command)}; it {_tried(command)}; Z3 {release.version} checks its models"


def _known(command: Command) -> str:
    count = len(command.dialect.options)
    return f"options of {command.dialect.name} ({count})" if count else "no options known"


def _tried(command: Command) -> str:
    """Return its answer to a small system as a predicate. Raises `CommandError` if it does not even start."""
    outcome = command.solve_afresh(BUILT_IN[0])
    model = " with a model" if outcome.model is not None else ""
    reason = f" ({outcome.reason})" if outcome.reason else ""
    return f"answers {outcome.status.value}{model}{reason} where sat is right"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
