"""The process that judges the steps of a run with the installed Z3, so that no solver judges its own steps.

`python -m chcfuzz.domains.chc.solver_steps.child FILE` reads an observation from a file and prints the reports on its
steps, both in JSON.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from chcfuzz.domains.chc.solver_steps.observation import Observation
from chcfuzz.domains.chc.solver_steps.report import report_of
from chcfuzz.execution.codec import CodecError, converted, from_json, parsed, to_json
from chcfuzz.execution.files import read_plain
from chcfuzz.execution.solver_steps import SolverStepReport
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.grammar.reading.parse import parse
from chcfuzz.solvers import python, z3_release
from chcfuzz.solvers.outcome import Status
from chcfuzz.solvers.process_group import run_program

if TYPE_CHECKING:
    from chcfuzz.domains.chc.solver_steps.spacer_rules import RealRules
    from chcfuzz.domains.chc.solver_steps.steps import SolverStep

_MODULE = "chcfuzz.domains.chc.solver_steps.child"
_FORM = "chcfuzz-observation-1"
_SECONDS = 900.0  # for one run


class JudgeError(ChcfuzzError):
    """The steps of a run could not be judged."""


def judge(observation: Observation) -> tuple[SolverStepReport, ...]:
    """Return the reports on the steps of a run, in their order. Raises `JudgeError` with one line."""
    with tempfile.TemporaryDirectory(prefix="chcfuzz-") as folder:
        file = Path(folder, "observation.json")
        file.write_bytes(to_json(observation, _FORM))
        ended = run_program(python.command("-m", _MODULE, str(file)), _SECONDS, JudgeError, python.environment())
    try:
        return converted(parsed(ended.out), tuple[SolverStepReport, ...])
    except CodecError:
        raise JudgeError((ended.err.strip() or f"the judge exits with code {ended.code}").splitlines()[-1]) from None


def main() -> None:
    """Judge the run in the file that the arguments name."""
    z3_release.activate()
    observation = from_json(read_plain(Path(sys.argv[1])), Observation, _FORM)
    try:
        sys.stdout.buffer.write(to_json(reports(observation)))
    except ChcfuzzError as error:
        raise SystemExit(str(error)) from None


def reports(observation: Observation) -> tuple[SolverStepReport, ...]:
    """Return the report on each step, in their order, by the Z3 of this process; it must be activated.

    Raises `GrammarError` for a text of steps that is not read.
    """
    from chcfuzz.domains.chc.solver_steps.judge import Judge
    from chcfuzz.domains.chc.solver_steps.spacer_output import steps_in
    from chcfuzz.domains.chc.solver_steps.spacer_rules import real_rules
    from chcfuzz.domains.chc.solver_steps.text_format import read_steps

    system = parse(observation.text, "observation")
    rules: RealRules | None
    steps: Iterable[SolverStep]
    if observation.steps is not None:
        rules, steps, status = read_steps(observation.steps, system, observation.name)
    else:
        rules = real_rules(observation.printed, system)
        steps, status = steps_in(observation.log, observation.printed), Status(observation.status)
    if rules is None:
        return ()
    judged = Judge(system, rules).judged(steps, status)
    return tuple(sorted(map(report_of, judged), key=lambda each: each.number))


if __name__ == "__main__":
    main()
