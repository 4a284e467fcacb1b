"""The process in which a suspicion is looked into: fresh, so that nothing of a campaign has a part in what it finds.

`python -m chcfuzz.triage.examine.confirm FILE` is that process. It prints JSON, a line each, so that what was said
survives its death: what begins, what came of it, and at last the conclusion. `confirm` starts it. One that dies of
one of its runs is started again without that run, and the death is a suspicion of its own. Resource limits end what
runs in it; the wall clock behind them is so far away that a busy machine does not reach it.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from chcfuzz.execution.files import write_whole
from chcfuzz.execution.solving import EXIT_STUCK, Solving
from chcfuzz.execution.worker_pool import WALL_FACTOR, death, is_death
from chcfuzz.grammar.errors import ChcfuzzError
from chcfuzz.mutators.recipe import decode, encode
from chcfuzz.solvers import python
from chcfuzz.solvers.process import FROM_OUTSIDE
from chcfuzz.triage.examine.signature import Cause, without_numbers
from chcfuzz.triage.examine.suspicion import Suspicion

_MOST_DEATHS = 20  # of one examination, before it is given up
_SECONDS = 7200.0  # behind everything

Report = Mapping[str, Any]
Register = Callable[[subprocess.Popen[str]], None]


class ConfirmError(ChcfuzzError):
    """An examination that failed: an error of ours, or a clock. The suspicion is kept."""


@dataclass(frozen=True)
class Confirmation:
    """What became of a suspicion.

    `conclusion` is `examination.Conclusion` as JSON holds it; `description` the unit as `pipeline.describe` has it, and
    `runs` all reports, the given run first. `deaths` are suspicions about what killed the process on the way.
    """

    suspicion: Suspicion
    conclusion: Report
    description: Report
    runs: Mapping[str, Report]
    deaths: tuple[Suspicion, ...] = ()

    @property
    def end(self) -> str:
        """The value of `examination.End`."""
        return str(self.conclusion["end"])

    @property
    def unit(self) -> bytes:
        """The unit without the parameters that it does not need."""
        return base64.b64decode(self.conclusion["unit"])

    @property
    def cause(self) -> Cause:
        """What it has in common with others."""
        return Cause.of(dict(self.conclusion["cause"]))


def confirm(
    suspicion: Suspicion, solving: Solving, register: Register | None = None, full: Sequence[str] = ()
) -> Confirmation:
    """Look into a suspicion; raises `ConfirmError` where that fails.

    `register` is called with each process that is started, for who wants to end it; `full` names causes of which there
    are enough.
    """
    deaths: list[Suspicion] = []
    without: list[str] = []
    while True:
        flags = [*(f"--without={name}" for name in without), *(f"--full={bucket}" for bucket in full)]
        lines, ended = _process(suspicion, solving, flags, register)
        description = _description(lines)
        runs = {line["run"]: line for line in lines if "run" in line}
        conclusion = next((line["concluded"] for line in lines if "concluded" in line), None)
        if conclusion is not None:
            return Confirmation(suspicion, conclusion, description, runs, tuple(deaths))
        begun = [line for line in lines if "begin" in line]
        over = {line["end"] for line in lines if "end" in line}
        open_run = next((line for line in reversed(begun) if line["begin"] not in over), None)
        if not is_death(ended.returncode) or open_run is None or len(without) == _MOST_DEATHS:
            said = ended.stderr.strip().splitlines()[-1:] or [f"it ends with exit code {ended.returncode}"]
            raise ConfirmError(f"the confirming process failed: {said[0]}")
        if open_run["begin"] == "given":
            return _died(suspicion, ended.returncode, description, solving, register)
        without.append(open_run["begin"])
        if "unit" in open_run and ended.returncode != EXIT_STUCK:
            unit = base64.b64decode(open_run["unit"])
            deaths.append(Suspicion(unit, "crash", solving=suspicion.solving))


def _process(
    suspicion: Suspicion, solving: Solving, flags: Sequence[str], register: Register | None
) -> tuple[list[dict[str, Any]], subprocess.CompletedProcess[str]]:
    """What a process printed, and how it ended; raises `ConfirmError` where somebody else has ended it."""
    with tempfile.TemporaryDirectory(prefix="chcfuzz-confirm-") as folder:
        file = Path(folder) / "suspicion.json"
        write_whole(file, suspicion.written())
        command = python.command("-m", "chcfuzz.triage.examine.confirm", str(file), *solving.arguments, *flags)
        pipe = subprocess.PIPE
        how: dict[str, Any] = {"stdout": pipe, "stderr": pipe, "text": True, "errors": "replace", "process_group": 0}
        with subprocess.Popen(command, env=python.environment(), **how) as process:
            if register is not None:
                register(process)
            try:
                out, err = process.communicate(timeout=_SECONDS)
            except subprocess.TimeoutExpired as error:
                raise ConfirmError(f"no end after {_SECONDS:.0f} s") from error
            finally:
                end(process)
    if -process.returncode in FROM_OUTSIDE:
        raise ConfirmError(f"the confirming process was ended from outside, by signal {-process.returncode}")
    lines = [json.loads(line) for line in out.splitlines() if line.startswith("{") and line.endswith("}")]
    return lines, subprocess.CompletedProcess(command, process.returncode, out, err)


def end(process: subprocess.Popen[str]) -> None:
    """End a confirming process and all that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _died(
    suspicion: Suspicion, code: int, description: Report, solving: Solving, register: Register | None
) -> Confirmation:
    """The fresh process died of the unit itself: a crash, or a solver that does not come back."""
    if code == EXIT_STUCK:
        return _concluded(suspicion, description, "vanished", "the solver ignores its limits on it")
    dies = death(code)
    if suspicion.kind != "crash":
        crash = replace(suspicion, kind="crash", oracle="", seen="", expected=None, detail=dies)
        gone = _concluded(suspicion, description, "vanished", f"the solver dies of it instead: {dies}")
        return replace(gone, deaths=(crash,))
    for pair in decode(suspicion.unit).parameters:
        recipe = decode(suspicion.unit)
        smaller = replace(recipe, parameters=tuple(other for other in recipe.parameters if other != pair))
        again = replace(suspicion, unit=encode(smaller))
        lines, ended = _process(again, solving, [], register)
        if ended.returncode == code and not any("run" in line for line in lines):
            suspicion = again
            description = _description(lines)
    return _concluded(suspicion, description, "confirmed", dies)


def _description(lines: list[dict[str, Any]]) -> Report:
    """The last description: that of the unit without its needless parameters, once it is there."""
    described: list[Report] = [line["described"] for line in lines if "described" in line]
    return described[-1] if described else {}


def _concluded(suspicion: Suspicion, description: Report, end: str, words: str) -> Confirmation:
    """A conclusion that the process could not print itself."""
    names = tuple(name for name, _ in decode(suspicion.unit).parameters)
    cause = Cause(suspicion.kind, default=not names, parameters=names, detail=without_numbers(words))
    conclusion = {
        "end": end,
        "kind": suspicion.kind,
        "words": words,
        "unit": base64.b64encode(suspicion.unit).decode(),
        "cause": cause.record(),
    }
    return Confirmation(suspicion, conclusion, description, {})


def main() -> None:
    """The fresh process."""
    flags = argparse.ArgumentParser()
    flags.add_argument("suspicion", type=Path)
    flags.add_argument("--without", action="append", default=[])
    flags.add_argument("--full", action="append", default=[])
    Solving.add_flags(flags)
    given = flags.parse_args()
    solving = replace(Solving.of(given), wall_seconds=WALL_FACTOR * given.wall_seconds)
    solving.activate()
    from chcfuzz.execution.pipeline import Pipeline, describe
    from chcfuzz.execution.seed_answers import SeedAnswers
    from chcfuzz.triage.examine.examination import Examination
    from chcfuzz.triage.examine.runs import Runs
    from chcfuzz.triage.examine.witness_search import Truth, other_solvers

    suspicion = Suspicion.read(given.suspicion.read_bytes())
    assert suspicion is not None
    recipe = decode(suspicion.unit)
    answers = SeedAnswers()
    if suspicion.seed is not None:
        answers.note(recipe.seed, suspicion.seed)
    pipeline = Pipeline(solving, answers=answers)
    _tell({"described": describe(recipe, pipeline.mutant(recipe))})
    runs = Runs(pipeline, solving.rlimit, frozenset(given.without), _tell)
    truth = Truth(runs, pipeline.watchdog, suspicion.seed, other_solvers(solving))
    concluded = Examination(suspicion, recipe, runs, truth, frozenset(given.full)).examined()
    if concluded.recipe != recipe:
        _tell({"described": describe(concluded.recipe, pipeline.mutant(concluded.recipe))})
    unit = base64.b64encode(encode(concluded.recipe)).decode()
    fields = {**asdict(replace(concluded, recipe=None)), "unit": unit, "cause": concluded.cause.record()}  # type: ignore[arg-type]
    _tell({"concluded": fields})


def _tell(said: dict[str, Any]) -> None:
    print(json.dumps(said, default=lambda value: value.value), flush=True)


if __name__ == "__main__":
    main()
