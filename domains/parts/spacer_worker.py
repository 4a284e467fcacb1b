"""The process that runs Spacer on CHC systems, and returns questions about the formulas that it projects."""

from __future__ import annotations

from functools import cache

import msgspec
from chcfuzz.domains.chc.solver_steps.worker import StepsQuery, observed_apart
from chcfuzz.domains.parts.question_text import printed
from chcfuzz.execution.child_process import ChildError
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import HelperProcess, begin
from chcfuzz.solvers.watchdog import Watchdog

MODULE = "chcfuzz.domains.parts.spacer_worker"


class SystemQuery(msgspec.Struct, frozen=True):
    """The text of a CHC system."""

    text: str


class ProjectedQuestions(msgspec.Struct, frozen=True, omit_defaults=True):
    """The texts of questions; `death` if the run, or the process, ended before them."""

    texts: tuple[str, ...] = ()
    death: str = ""


@cache
def _process() -> HelperProcess:
    """Return the process of this one, which ends with it; it runs the installed Z3 with default limits."""
    return HelperProcess(MODULE, Solving())


def projected_questions(text: str) -> ProjectedQuestions:
    """Return questions about the formulas that Spacer projects on a CHC system."""
    return _process().request(SystemQuery(text), ProjectedQuestions)


def main() -> None:
    """Run systems until the parent ends."""
    helper = begin()
    from chcfuzz.domains.chc.solvers import spacer  # noqa: F401  (once, before the forks)
    from chcfuzz.domains.parts.spacer_projections import projected

    watchdog = Watchdog(helper.solving.wall_seconds)
    helper.ready({})
    for query in helper.queries(SystemQuery, lambda: False):
        try:
            run = observed_apart(helper.solving, StepsQuery(query.text, (), has_facts=False))
            found = projected(run, watchdog)
            helper.send(ProjectedQuestions(tuple(map(printed, found))))
        except ChildError as death:
            helper.send(ProjectedQuestions(death=str(death)))


if __name__ == "__main__":
    main()
