"""The process that runs a finding's neighbours (`messages`, `observer`, `execution.worker_pool`)."""

from __future__ import annotations

import json
import sys

import msgspec
from chcfuzz.execution.worker_pool import begun


def main() -> None:
    """Run the process until its input ends."""
    solving, send = begun()

    from chcfuzz.execution.pipeline import Pipeline, event_source
    from chcfuzz.mutators.recipe import decode
    from chcfuzz.tracing.source import SequenceSource
    from chcfuzz.triage.examine.witness_search import other_solvers
    from chcfuzz.triage.locate.messages import ParameterRow, PlacesQuery, Ready, RunQuery
    from chcfuzz.triage.locate.observer import Observer
    from chcfuzz.triage.reduce.condition import Condition
    from chcfuzz.triage.reduce.judge import Judge

    condition = msgspec.convert(json.loads(sys.stdin.readline()), Condition)
    events = event_source(solving)
    pipeline = Pipeline(solving, events=events)
    judge = Judge(condition, pipeline, solving, other_solvers(solving))
    log = events if isinstance(events, SequenceSource) else None
    observer = Observer(condition, pipeline, solving.rlimit, judge, log)
    registry = pipeline.chains.registry
    parameters = tuple(ParameterRow(row.name, row.default, tuple(row.values)) for row in registry.parameters)
    promises = {row.id: row.promise.value for row in registry.mutations}
    send(msgspec.to_builtins(Ready(parameters, promises)))
    for line in sys.stdin:
        content = json.loads(line)
        if "places" in content:
            send({"places": observer.places(msgspec.convert(content, PlacesQuery).places)})
            continue
        query = msgspec.convert(content, RunQuery)
        recipe = decode(query.unit)
        send({"system": pipeline.mutant(recipe).text})
        if query.judge:
            send({"judgement": msgspec.to_builtins(judge.judge(recipe))})
        send({"run": msgspec.to_builtins(observer.run(recipe, query.is_known), str_keys=True)})


if __name__ == "__main__":
    main()
