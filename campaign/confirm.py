"""A finding is not called one before a fresh process has seen it too, and something beside the accused agrees.

`python -m chcfuzz.campaign.confirm` is that process. It prints JSON, a line each, so that what was said survives the
death of the process: first the unit's description (`execution.describe`), then the report (`execution.report`) of each
`Run`. `confirm` starts it and judges:

- a wrong answer is confirmed if one of the other runs answers as expected with a model that holds in every clause,
  or, where unsat was expected, if the model of the accused answer fails in a clause;
- a wrong model carries its own witness: values at which a clause is false under it;
- a failed assertion of Z3, or its death, is confirmed by happening again.
"""

from __future__ import annotations

import argparse
import dataclasses
import enum
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chcfuzz.campaign.options import Solving

Report = Mapping[str, Any]

# With these, models are known to be right where default preprocessing spoils them (Z3 issue 7319).
TRANSFORMS_OFF = (
    ("fp.xform.inline_eager", "false"),
    ("fp.xform.inline_linear", "false"),
    ("fp.xform.slice", "false"),
)


class Run(enum.StrEnum):
    """The ways in which a confirmation runs a mutant, in this order."""

    GIVEN = "given"  # with the recipe's parameters
    DEFAULT = "default"  # with Spacer's default parameters
    PLAIN = "plain"  # with default parameters, but the transforms off


@dataclass(frozen=True)
class Confirmation:
    """What the fresh process said. `runs` lacks those that its death prevented.

    `reproduced`: the same verdict came out again. `witness`: in words, what beside the accused answer speaks against
    it; None where nothing does.
    """

    description: Report
    runs: Mapping[str, Report]
    reproduced: bool
    witness: str | None

    @property
    def confirmed(self) -> bool:
        """Whether this may be called a finding."""
        return self.reproduced and self.witness is not None


def confirm(unit: bytes, kind: str, solving: Solving) -> Confirmation | None:
    """Run `unit` in a fresh process and judge whether a verdict of `kind` (or "crash") holds.

    None if that process does not end within ten times the wall clock of an execution.
    """
    with tempfile.TemporaryDirectory(prefix="chcfuzz-confirm-") as folder:
        path = Path(folder) / "unit"
        path.write_bytes(unit)
        command = [sys.executable, "-m", "chcfuzz.campaign.confirm", str(path), *solving.arguments]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=10 * solving.wall_seconds + 60, check=False
            )
        except subprocess.TimeoutExpired:
            return None
    if done.returncode > 0:
        raise RuntimeError(f"the confirming process failed:\n{done.stderr}")
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.endswith("}")]
    description, runs = lines[0], dict(zip(Run, lines[1:], strict=False))
    if done.returncode < 0:
        return Confirmation(description, runs, kind == "crash" and not runs, f"it dies of signal {-done.returncode}")
    return judge(kind, description, runs)


def judge(kind: str, description: Report, runs: Mapping[str, Report]) -> Confirmation:
    """Weigh the reports of all runs; see this module's docstring."""
    reproduced = kind in verdict_kinds(runs[Run.GIVEN])
    witness = _witness(kind, description["expected"], runs) if reproduced else None
    return Confirmation(description, runs, reproduced, witness)


def _witness(kind: str, expected: str, runs: Mapping[str, Report]) -> str | None:
    given = runs[Run.GIVEN]
    if kind != "wrong-answer":
        return str(next(verdict["detail"] for verdict in given["verdicts"] if verdict["kind"] == kind))
    if expected == "unsat":
        return "the model it gives is wrong" if "wrong-model" in verdict_kinds(given) else None
    for run, parameters in ((Run.DEFAULT, "default parameters"), (Run.PLAIN, "inlining and slicing off")):
        if runs[run]["status"] == "sat" and runs[run]["model_holds"]:
            return f"with {parameters} it answers sat, with a model that holds in every clause"
    return None


def verdict_kinds(report: Report) -> list[str]:
    """The kinds of all verdicts of a run."""
    return [verdict["kind"] for verdict in report["verdicts"]]


def main() -> None:
    """The fresh process."""
    flags = argparse.ArgumentParser()
    flags.add_argument("unit", type=Path)
    Solving.add_flags(flags)
    given = flags.parse_args()
    solving = Solving.of(given)
    solving.activate()
    from chcfuzz.campaign.execution import Pipeline, describe, report
    from chcfuzz.mutators.recipe import decode

    pipeline = Pipeline(solving)
    recipe = decode(given.unit.read_bytes())
    mutant = pipeline.mutant(recipe)
    print(json.dumps(describe(recipe, mutant)), flush=True)
    parameters = {Run.GIVEN: mutant.parameters, Run.DEFAULT: (), Run.PLAIN: TRANSFORMS_OFF}
    for run in Run:
        execution = pipeline.execute(dataclasses.replace(mutant, parameters=parameters[run]))
        print(json.dumps(report(execution)), flush=True)


if __name__ == "__main__":
    main()
