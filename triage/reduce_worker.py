"""The process that judges candidates of a reduction, so that a solver that dies of one costs that one.

`python -m chcfuzz.triage.reduce_worker FLAGS` reads JSON, a line each: first the condition, then units. It prints a
line when it is ready, and for each unit one when its mutant is there and one when it is judged. `Worker` is the other
end.
Resource limits end what runs in it; the wall clock behind them is as far away as when the finding was confirmed.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from typing import IO, Any, NoReturn

from chcfuzz.execution.solving import Solving
from chcfuzz.solvers import python
from chcfuzz.triage.confirm import WALL_FACTOR, death, is_death
from chcfuzz.triage.reduce_condition import Condition, ReduceError

Said = dict[str, Any]


class Worker:
    """Starts the process when it is needed, and anew when it has died. One question at a time."""

    def __init__(self, condition: Condition, solving: Solving, fresh: bool) -> None:
        """With `fresh`, each unit has a process to itself."""
        self.defaults: Mapping[str, str] = {}  # of the solver's parameters, once a process has told
        self._condition = condition
        self._solving = solving
        self._fresh = fresh
        self._process: subprocess.Popen[str] | None = None
        self._errors: IO[str] | None = None

    def judged(self, unit: bytes) -> Said:
        """What the process says of a unit: `system`, its mutant's text, and `judged`, or `death` in words.

        Raises `ReduceError` where the process fails for another reason than the solver's death.
        """
        process = self._process or self._started()
        said: Said = {}
        with suppress(BrokenPipeError):  # it has died already, which is seen below
            self._send(process, {"unit": base64.b64encode(unit).decode()})
        while "judged" not in said:
            line = self._line(process)
            if line is None:
                return said | {"death": self._death()}
            said |= line
        if self._fresh:
            self.end()
        return said

    def end(self) -> None:
        """End the process and all that it has started."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._closed()

    def _started(self) -> subprocess.Popen[str]:
        self._errors = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115  (as long as the process)
        pipe = subprocess.PIPE
        command = python.command("-m", "chcfuzz.triage.reduce_worker", *self._solving.arguments)
        how: dict[str, Any] = {"text": True, "errors": "replace", "process_group": 0, "env": python.environment()}
        process: subprocess.Popen[str] = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=self._errors, **how)
        self._process = process
        with suppress(BrokenPipeError):
            self._send(process, self._condition.record())
        ready = self._line(process)
        if ready is None:
            self._failed()
        self.defaults = ready["ready"]
        return process

    @staticmethod
    def _send(process: subprocess.Popen[str], said: Said) -> None:
        assert process.stdin is not None
        process.stdin.write(json.dumps(said) + "\n")
        process.stdin.flush()

    @staticmethod
    def _line(process: subprocess.Popen[str]) -> Said | None:
        """The next line; None at the end, which may come in the middle of one."""
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line.endswith("\n"):
            return None
        found: Said = json.loads(line)
        return found

    def _death(self) -> str:
        assert self._process is not None
        if not is_death(self._process.wait()):
            self._failed()
        return death(self._closed())

    def _failed(self) -> NoReturn:
        assert self._errors is not None
        self._errors.seek(0)
        said = self._errors.read().strip().splitlines()[-1:]
        code = self._closed()
        raise ReduceError(f"a judging process failed: {said[0] if said else f'it ends with exit code {code}'}")

    def _closed(self) -> int:
        process = self._process
        assert process is not None
        assert self._errors is not None
        self._process = None
        self._errors.close()
        with suppress(BrokenPipeError):
            process.communicate()
        return process.wait()


def main() -> None:
    """The process."""
    flags = argparse.ArgumentParser()
    Solving.add_flags(flags)
    given = flags.parse_args()
    solving = replace(Solving.of(given), wall_seconds=WALL_FACTOR * given.wall_seconds)
    solving.activate()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # where a solver prints to goes nowhere near the answers

    def tell(said: Said) -> None:
        print(json.dumps(said), file=answers, flush=True)

    from chcfuzz.execution.pipeline import Pipeline
    from chcfuzz.mutators.recipe import decode
    from chcfuzz.solvers.z3_parameters import fixedpoint_parameters
    from chcfuzz.triage.reduce_judge import Judge
    from chcfuzz.triage.truth import other_solvers

    condition = Condition.of(json.loads(sys.stdin.readline()))
    pipeline = Pipeline(solving)
    judge = Judge(condition, pipeline, solving, other_solvers(solving))
    tell({"ready": {f"fp.{row.name}": row.default for row in fixedpoint_parameters()}})
    for line in sys.stdin:
        recipe = decode(base64.b64decode(json.loads(line)["unit"]))
        tell({"system": pipeline.mutant(recipe).text})
        tell({"judged": asdict(judge.judged(recipe))})


if __name__ == "__main__":
    main()
