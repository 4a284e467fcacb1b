"""The process in which one of two solvers runs a corpus (`execution.worker_pool`, `corpus_tools.regress`).

It answers a query with the mutant of a unit, as a unit without a chain, or with the report of its execution. Only the
old solver's process makes mutants: a step of `simplify.*` makes another mutant with another Z3.
"""

from __future__ import annotations

from dataclasses import replace

from chcfuzz.corpus_tools.regress_messages import MadeMutant, Ran, RegressReady, RegressReply, UnitQuery
from chcfuzz.execution.worker_pool import begin


def main() -> None:
    """Answer queries about units until the parent ends."""
    helper = begin()
    from chcfuzz.execution.pipeline import Pipeline, report
    from chcfuzz.mutators.recipe import Recipe, decode, encode
    from chcfuzz.solvers.z3_release import active

    pipeline = Pipeline(helper.solving)
    selection = pipeline.domain.tested(helper.solving, ())
    several = pipeline.domain.solver_key(helper.solving, selection, active().version) if selection else ""
    helper.ready(RegressReady(several or helper.solving.command or f"z3 {active().version}"))
    for query in helper.queries(UnitQuery):
        mutant = pipeline.mutant(decode(query.unit))
        if query.make:
            unit = encode(Recipe(mutant.text, (), mutant.parameters, mutant.roots))
            helper.send(RegressReply(made=MadeMutant(unit, mutant.expected)))
        else:
            execution = pipeline.execute(replace(mutant, expected=query.expected), second=False)
            helper.send(RegressReply(ran=Ran(report(execution), execution.outcome.seconds)))


if __name__ == "__main__":
    main()
