"""A finding is not called one before a fresh process has seen it too, and something beside the accused agrees.

`python -m chcfuzz.triage.confirm` is that process. It prints JSON, a line each, so that what was said survives the
death of the process: first the unit's description (`execution.describe`), then the report (`execution.report`) of each
`Run`, then what others say (`_beside`): they come last, so that a death of theirs is not taken for one of the solver's.
`confirm` starts it and judges:

- an unsat is wrong if one of the other runs answers sat with a model that holds in every clause, and cvc5 finds no
  clause false under it; it is not wrong if it has a refutation that our evaluator finds right, whatever was expected;
- a sat is wrong if its model fails in a clause, or if the system has such a refutation; it is not wrong if its model
  holds;
- a wrong model carries its own witness: values at which a clause is false under it; cvc5 must not find it right;
- a failed assertion of Z3, its death, and what it takes are confirmed by happening again.

Where a command is under test, the plain run is Spacer's: what speaks for sat against its unsat is a model of another
solver's, or its own under its default options.
"""

from __future__ import annotations

import argparse
import dataclasses
import enum
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chcfuzz.execution.solving import EXIT_STUCK, Z3_EXITS, Solving
from chcfuzz.oracles.verdict import CROSS, VerdictKind
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.z3_parameters import with_transforms_off

if TYPE_CHECKING:
    from chcfuzz.execution.pipeline import Execution, Pipeline
    from chcfuzz.grammar.system import System

Report = Mapping[str, Any]

# What others say where they could not be asked.
NOBODY: Report = {"second": [], "refutation": "", "evidence": "", "clauses": []}


class Run(enum.StrEnum):
    """The ways in which a confirmation runs a mutant, in this order."""

    GIVEN = "given"  # with the recipe's parameters
    DEFAULT = "default"  # with Spacer's default parameters
    PLAIN = "plain"  # with default parameters, but the transforms off; Spacer's, whoever is under test
    GIVEN_PLAIN = "given-plain"  # with the recipe's parameters, but the transforms off; for a command, given once more


@dataclass(frozen=True)
class Confirmation:
    """What the fresh process said. `runs` lacks those that it died of; of the given one, and `beside` is `NOBODY`.

    `reproduced`: the same verdict came out again. `witness`: in words, what beside the accused answer speaks against
    it; None where nothing does.
    """

    description: Report
    runs: Mapping[str, Report]
    beside: Report
    reproduced: bool
    witness: str | None

    @property
    def confirmed(self) -> bool:
        """Whether this may be called a finding."""
        return self.reproduced and self.witness is not None


def confirm(unit: bytes, kind: str, solving: Solving) -> Confirmation | None:
    """Run `unit` in a fresh process and judge whether a verdict of `kind` (or "crash") holds.

    A process that dies of another run than the given one is started again without that run. None if it does not end
    within ten times the wall clock of an execution, or its solver ignores its limits.
    """
    without: tuple[Run, ...] = ()
    while True:
        done = _fresh_process(unit, kind, solving, without)
        if done is None or done.returncode == EXIT_STUCK:
            return None
        if done.returncode > 0 and done.returncode not in Z3_EXITS:
            raise RuntimeError(f"the confirming process failed:\n{done.stderr}")
        description, *reports = [json.loads(line) for line in done.stdout.splitlines() if line.endswith("}")]
        wanted = [run for run in Run if run not in without]
        runs = dict(zip(wanted, reports, strict=False))
        if len(runs) == len(wanted):
            return judge(kind, description, runs, reports[-1] if done.returncode == 0 else NOBODY)
        if kind == "crash" or not runs:
            code = done.returncode
            dies = f"it dies of signal {-code}" if code < 0 else f"it ends the process with exit code {code}"
            return Confirmation(description, runs, NOBODY, kind == "crash" and not runs, dies)
        without = (*without, wanted[len(runs)])


def _fresh_process(
    unit: bytes, kind: str, solving: Solving, without: Sequence[Run]
) -> subprocess.CompletedProcess[str] | None:
    """How it ended, and what it printed; None if it took too long."""
    with tempfile.TemporaryDirectory(prefix="chcfuzz-confirm-") as folder:
        path = Path(folder) / "unit"
        path.write_bytes(unit)
        command = [sys.executable, "-m", "chcfuzz.triage.confirm", str(path), kind, *solving.arguments]
        command += [f"--without={run}" for run in without]
        try:
            return subprocess.run(
                command, capture_output=True, text=True, timeout=10 * solving.wall_seconds + 60, check=False
            )
        except subprocess.TimeoutExpired:
            return None


def judge(kind: str, description: Report, runs: Mapping[str, Report], beside: Report) -> Confirmation:
    """Weigh the reports of all runs, and what others say; see this module's docstring."""
    reproduced = kind in (*verdict_kinds(runs[Run.GIVEN]), *(verdict["kind"] for verdict in beside["second"]))
    witness = _witness(kind, runs, beside) if reproduced else None
    return Confirmation(description, runs, beside, reproduced, witness)


def _witness(kind: str, runs: Mapping[str, Report], beside: Report) -> str | None:
    given = runs[Run.GIVEN]
    settled = next((v["detail"] for v in beside["second"] if v["oracle"] == CROSS and v["kind"] == kind), None)
    if settled is not None:
        return str(settled)
    if kind == "wrong-answer":
        return _against_sat(given, beside) if given["status"] == "sat" else _against_unsat(runs, beside)
    if kind == "wrong-model" and beside["evidence"] == "unsat":
        return None
    verdicts = (*given["verdicts"], *beside["second"])
    return str(next(verdict["detail"] for verdict in verdicts if verdict["kind"] == kind))


def _against_sat(given: Report, beside: Report) -> str | None:
    if given["model_holds"]:
        return None
    if beside["refutation"]:
        return f"the system has a refutation of {len(beside['refutation'].splitlines())} steps"
    return "the model it gives is wrong" if "wrong-model" in verdict_kinds(given) else None


def _against_unsat(runs: Mapping[str, Report], beside: Report) -> str | None:
    if beside["refutation"] or "sat" in beside["clauses"]:
        return None
    plain = "Spacer" if runs[Run.GIVEN].get("command") else "with inlining and slicing off it"
    others = {Run.DEFAULT: "with default parameters it", Run.PLAIN: plain}
    run = next((run for run in others if run in runs and _has_model(runs[run])), None)
    return f"{others[run]} answers sat, with a model that holds in every clause" if run else None


def _has_model(report: Report) -> bool:
    return bool(report["status"] == "sat" and report["model_holds"])


def verdict_kinds(report: Report) -> list[str]:
    """The kinds of all verdicts of a run."""
    return [verdict["kind"] for verdict in report["verdicts"]]


def main() -> None:
    """The fresh process."""
    flags = argparse.ArgumentParser()
    flags.add_argument("unit", type=Path)
    flags.add_argument("kind")
    flags.add_argument("--without", type=Run, action="append", default=[])
    Solving.add_flags(flags)
    given = flags.parse_args()
    solving = Solving.of(given)
    solving.activate()
    from chcfuzz.execution.pipeline import Pipeline, describe, report
    from chcfuzz.mutators.recipe import Recipe, decode

    pipeline = Pipeline(solving)
    recipe = decode(given.unit.read_bytes())
    mutant = pipeline.mutant(recipe)
    print(json.dumps(describe(recipe, mutant)), flush=True)
    seed_cost = None
    if given.kind == VerdictKind.PERFORMANCE.value:
        seed_cost = pipeline.execute(pipeline.mutant(Recipe(recipe.seed))).outcome.cost
    parameters: dict[Run, tuple[tuple[str, str], ...]] = {
        Run.GIVEN: mutant.parameters,
        Run.DEFAULT: (),
        Run.PLAIN: with_transforms_off(),
        Run.GIVEN_PLAIN: with_transforms_off(mutant.parameters),
    }
    spacer = Pipeline(dataclasses.replace(solving, command=None)) if solving.command else pipeline
    executions = {}
    for run in (run for run in Run if run not in given.without):
        changed = dataclasses.replace(mutant, parameters=parameters[run])
        runner = spacer if run is Run.PLAIN else pipeline
        executions[run] = runner.execute(changed, seed_cost=seed_cost, second=False)
        print(json.dumps(report(executions[run])), flush=True)
        if given.kind == "crash" and not solving.command:
            return  # it lives, so it was no crash; that of a command is an outcome
    print(json.dumps(_beside(pipeline, mutant.system, executions)), flush=True)


def _beside(pipeline: Pipeline, system: System, executions: Mapping[Run, Execution]) -> Report:
    """What speaks for or against the answers beside Spacer.

    `second`: the second opinions of the given run. `refutation`: the text of one that our evaluator finds right, or
    empty. `evidence`: cvc5's answer to the evidence of a wrong model (sat: wrong indeed), or empty. `clauses`: cvc5's
    answers to the clauses, negated, under the model of the first run whose model holds (unsat: the clause holds).
    """
    from chcfuzz.execution.pipeline import as_json
    from chcfuzz.oracles import second_solver
    from chcfuzz.oracles.evidence import model_script
    from chcfuzz.oracles.refutation import print_refutation

    statuses = {execution.outcome.status for execution in executions.values()}
    refutation = pipeline.refutation(system) if Status.UNSAT in statuses else None
    given = executions[Run.GIVEN]
    evidence = next((verdict.evidence for verdict in given.verdicts if verdict.evidence), "")
    held = next((e.outcome.model for e in executions.values() if e.model_verdict is VerdictKind.PASS), None)
    return {
        "second": [as_json(verdict) for verdict in pipeline.second_opinions(given)],
        "refutation": print_refutation(system, refutation) if refutation else "",
        "evidence": "".join(second_solver.answers(evidence)) if evidence else "",
        "clauses": list(second_solver.answers(model_script(system, held))) if held else [],
    }


if __name__ == "__main__":
    main()
