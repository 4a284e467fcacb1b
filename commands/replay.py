"""`chcfuzz replay`."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from chcfuzz.commands.command import Uses
from chcfuzz.commands.inputs import answers_of, recipe_of
from chcfuzz.commands.show import words
from chcfuzz.execution.child_process import DiedError, apart
from chcfuzz.execution.solving import Solving

NAME, HELP, USES = "replay", "run a unit or a finding again and print every verdict", Uses.GIVEN
EXAMPLES = (
    "chcfuzz replay findings/wrong-model-ed2298-7c8717863a1e",
    "chcfuzz replay mutant.smt2 --z3 4.13.4.0 --json",
)


def add_flags(parser: argparse.ArgumentParser) -> None:
    """See `Command`."""
    parser.add_argument("input", type=Path, metavar="INPUT")
    parser.add_argument("--json", action="store_true", help="for machines")
    Solving.add_flags(parser)


def run(given: argparse.Namespace) -> int:
    """Execute it and print what every oracle says."""
    from chcfuzz.execution.pipeline import Pipeline, describe, report

    recipe = recipe_of(given)
    pipeline = Pipeline(given.solving, answers=answers_of(given.input, recipe.seed))
    mutant = pipeline.mutant(recipe)
    described = describe(recipe, mutant)
    reported = _reported(lambda: report(pipeline.execute(mutant)))
    if given.json:
        print(json.dumps({**reported, "expected": described["expected"], "z3": described["z3"]}))
        return 0
    solver = shlex.join(reported["command"]) if reported.get("command") else f"z3 {described['z3']}"
    print("\n".join(words(described)))
    reason = f" ({reported['reason']})" if reported["reason"] else ""
    print(f"{solver} answers {reported['status']}{reason}")
    print(f"trace {reported['trace_hash']}, {reported['events']} events; {reported['cost']} resource units")
    for verdict in reported["verdicts"]:
        detail = f": {verdict['detail']}" if verdict["detail"] else ""
        print(f"oracle {verdict['oracle']}: {verdict['kind']}{detail}")
    return 0


def _reported(execute: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What an execution reports; a solver that dies of it is reported too."""
    try:
        reported: dict[str, Any] = apart(execute)
    except DiedError as death:
        if death.code > 0:
            raise SystemExit(death.code) from death
        verdict = {"oracle": "process", "kind": "crash", "detail": str(death), "evidence": ""}
        nothing = {"model_holds": False, "trace_hash": None, "events": 0, "cost": 0}
        return {"status": "crash", "reason": str(death), "verdicts": [verdict], **nothing}
    return reported
