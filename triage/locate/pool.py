"""The pool of processes that run a finding's neighbours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import HelperProcess, ProcessPool
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.oracles.verdict import Subject
from chcfuzz.tracing.trace import NO_EVENTS, EventSequence
from chcfuzz.triage.locate.messages import (
    LocateReady,
    LocateReply,
    LogQuery,
    ParameterRow,
    PlacesQuery,
    RunQuery,
    Side,
    unpack,
    unpack_numbers,
)
from chcfuzz.triage.reduce.condition import Condition
from chcfuzz.triage.reduce.messages import Judgement
from numpy.typing import NDArray


@dataclass(frozen=True)
class Neighbour:
    """A recipe that differs little from the finding's.

    `is_known`: its system has the finding's right answer, because of the finding's witness or of a promise.
    """

    name: str
    recipe: Recipe
    is_known: bool = True


@dataclass(frozen=True, eq=False)
class Observed:
    """The run of a neighbour.

    Attributes:
        neighbour: The neighbour.
        side: Outcome of the run.
        description: The answer, or another description of the outcome.
        events: The solver's events.
        system: The text of the mutant.
        edges: The edges of a traced build that the run reached.
    """

    neighbour: Neighbour
    side: Side
    description: str
    events: EventSequence
    system: str
    edges: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, np.uint32))


class RunPool(ProcessPool):
    """Pool of processes that run neighbours; leaving the `with` block ends them."""

    def __init__(self, condition: Condition, solving: Solving, jobs: int = 1, fresh: bool = False) -> None:
        """Prepare a pool of `jobs` processes; with `fresh`, each run has a process of its own."""
        self._condition = condition
        alone = fresh or condition.subject is Subject.DEATH
        super().__init__(lambda: HelperProcess("chcfuzz.triage.locate.worker", solving, condition, alone), jobs)

    @property
    def parameters(self) -> tuple[ParameterRow, ...]:
        """Parameters of the solver; empty before the first run."""
        return self.ready(LocateReady).parameters

    @property
    def promises(self) -> Mapping[str, str]:
        """Promise of each mutation by its id; empty before the first run."""
        return self.ready(LocateReady).promises

    def run(self, neighbour: Neighbour) -> Observed:
        """Run a neighbour; raises `HelperError` if the process fails other than by a crash of the solver."""
        return self._observed(neighbour, self._reply(neighbour, judge=False))

    def judge(self, neighbour: Neighbour) -> tuple[Observed, Judgement]:
        """Run a neighbour, and judge whether it shows the finding as a reduction does; raises as `run`."""
        reply = self._reply(neighbour, judge=True)
        observed = self._observed(neighbour, reply)
        if reply.judgement is not None:
            return observed, reply.judgement
        return observed, Judgement(observed.side is Side.FAILING, observed.description)

    def places(self, edges: Sequence[int]) -> Sequence[str | None]:
        """Return the source places of edges of the traced build, None where they are unknown; raises as `run`."""
        reply = self.request(PlacesQuery(tuple(edges)), LocateReply)
        return reply.places or [None] * len(edges)

    def log(self, neighbour: Neighbour) -> bytes:
        """Run a neighbour, and return Spacer's progress log; raises as `run`."""
        return self.request(LogQuery(encode(neighbour.recipe)), LocateReply).log

    def _reply(self, neighbour: Neighbour, judge: bool) -> LocateReply:
        return self.request(RunQuery(encode(neighbour.recipe), neighbour.is_known, judge), LocateReply)

    def _observed(self, neighbour: Neighbour, reply: LocateReply) -> Observed:
        if reply.run is None:
            death = reply.death or ""
            side = Side.FAILING if self._condition.is_shown_by_death(reply.system, death) else Side.NEITHER
            return Observed(neighbour, side, death, NO_EVENTS, reply.system)
        run, edges = reply.run, unpack_numbers(reply.run.edges)
        return Observed(neighbour, run.side, run.description, unpack(run.events), reply.system, edges)
