"""The process that judges candidates of a reduction (`execution.answering`).

It reads the condition first, then units; it answers each with a line when its mutant is there and one when it is
judged.
"""

from __future__ import annotations

import base64
import json
import sys
from dataclasses import asdict

from chcfuzz.execution.worker_pool import begun
from chcfuzz.triage.reduce.condition import Condition


def main() -> None:
    """The process."""
    solving, tell = begun()
    from chcfuzz.execution.pipeline import Pipeline
    from chcfuzz.mutators.recipe import decode
    from chcfuzz.solvers.z3_parameters import fixedpoint_parameters
    from chcfuzz.triage.examine.witness_search import other_solvers
    from chcfuzz.triage.reduce.judge import Judge

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
