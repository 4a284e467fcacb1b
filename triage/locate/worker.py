"""The process that runs a finding's neighbours (`locate_observer`).

When it is ready it tells the solver's parameters, each with its default and other values, and what each mutation
promises (`execution.answering`).
"""

from __future__ import annotations

import base64
import json
import sys
from dataclasses import asdict
from typing import Any

from chcfuzz.execution.worker_pool import begun


def main() -> None:
    """The process."""
    solving, tell = begun()

    from chcfuzz.execution.pipeline import Pipeline, event_source
    from chcfuzz.mutators.recipe import decode
    from chcfuzz.tracing.output import OutputEvents
    from chcfuzz.triage.examine.witness_search import other_solvers
    from chcfuzz.triage.locate.observer import Observer
    from chcfuzz.triage.reduce.condition import Condition
    from chcfuzz.triage.reduce.judge import Judge

    condition = Condition.of(json.loads(sys.stdin.readline()))
    events = event_source(solving)
    pipeline = Pipeline(solving, events=events)
    judge = Judge(condition, pipeline, solving, other_solvers(solving))
    observer = Observer(
        condition, pipeline, solving.rlimit, judge, None if isinstance(events, OutputEvents) else events
    )
    registry = pipeline.chains.registry
    parameters: list[Any] = [[row.name, row.default, list(row.values)] for row in registry.parameters]
    tell({"parameters": parameters, "promises": {row.id: row.promise.value for row in registry.mutations}})
    for line in sys.stdin:
        asked = json.loads(line)
        if "places" in asked:
            tell({"places": observer.places(asked["places"])})
            continue
        recipe = decode(base64.b64decode(asked["unit"]))
        tell({"system": pipeline.mutant(recipe).text})
        if asked["judge"]:
            tell({"judged": asdict(judge.judged(recipe))})
        tell({"observed": observer.observed(recipe, asked["known"])})


if __name__ == "__main__":
    main()
