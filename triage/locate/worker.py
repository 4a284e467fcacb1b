"""The process that runs a finding's neighbours (`messages`, `observer`, `execution.worker_pool`)."""

from __future__ import annotations

from collections.abc import Iterator

from chcfuzz.execution.worker_pool import begin


def main() -> None:
    """Run the process until its input ends."""
    helper = begin()
    solving = helper.solving

    from chcfuzz.execution.pipeline import Pipeline, event_source
    from chcfuzz.mutators.recipe import decode
    from chcfuzz.oracles.verdict import is_wrong_step
    from chcfuzz.tracing.progress_log import ProgressLog
    from chcfuzz.tracing.source import SequenceSource
    from chcfuzz.triage.locate.messages import LocateReady, LocateReply, LogQuery, ParameterRow, PlacesQuery, Query
    from chcfuzz.triage.locate.observer import Observer
    from chcfuzz.triage.reduce.condition import Condition
    from chcfuzz.triage.reduce.judge import Judge

    condition = helper.receive(Condition)
    events = event_source(solving)
    if isinstance(events, ProgressLog):
        events = ProgressLog()  # reads nothing that Z3 prints, so that a failed assertion reaches the parent
    pipeline = Pipeline(solving, events=events, judges_steps=is_wrong_step(condition.kind))
    judge = Judge(condition, pipeline, solving)
    log = events if isinstance(events, SequenceSource) else None
    observer = Observer(condition, pipeline, solving, judge, log)
    registry = pipeline.chains.registry
    parameters = tuple(ParameterRow(row.name, row.default, tuple(row.values)) for row in registry.parameters)
    promises = {row.id: row.promise.value for row in registry.mutations}
    helper.ready(LocateReady(parameters, promises))
    queries: Iterator[Query] = helper.queries(Query)  # type: ignore[arg-type]  # a union is a type to msgspec
    for query in queries:
        if isinstance(query, PlacesQuery):
            helper.send(LocateReply(places=tuple(observer.places(query.places))))
            continue
        recipe = decode(query.unit)
        if isinstance(query, LogQuery):
            helper.send(LocateReply(log=observer.log(recipe)))
            continue
        helper.send(LocateReply(system=pipeline.mutant(recipe).text))
        if query.judge:
            helper.send(LocateReply(judgement=judge.judge(recipe)))
        helper.send(LocateReply(run=observer.run(recipe, query.is_known)))


if __name__ == "__main__":
    main()
