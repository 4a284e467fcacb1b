"""The process in which one of two solvers runs a corpus (`execution.answering`, `campaign.regress`).

It answers a unit with its mutant, as a unit without a chain (`make`), or with the report of its execution. A mutant is
made once, by the old solver's process: a step of `simplify.*` is another one under another Z3.
"""

from __future__ import annotations

import base64
import json
import sys

import msgspec
from chcfuzz.execution.worker_pool import begun


def main() -> None:
    """The process."""
    solving, tell = begun()
    from chcfuzz.execution.pipeline import Pipeline, report
    from chcfuzz.mutators.recipe import Recipe, decode, encode
    from chcfuzz.solvers.z3_release import active

    pipeline = Pipeline(solving)
    tell({"solver": solving.command or f"z3 {active().version}"})
    for line in sys.stdin:
        asked = json.loads(line)
        mutant = pipeline.mutant(decode(base64.b64decode(asked["unit"])))
        if asked["make"]:
            alone = encode(Recipe(mutant.text, (), mutant.parameters))
            tell({"made": base64.b64encode(alone).decode(), "expected": mutant.expected})
        else:
            execution = pipeline.execute(mutant, second=False)
            tell({"report": msgspec.to_builtins(report(execution)), "seconds": execution.outcome.seconds})


if __name__ == "__main__":
    main()
