"""The processes that run a finding's neighbours, and what they have seen."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from chcfuzz.execution.solving import Solving
from chcfuzz.execution.worker_pool import Answering, Panel, Said
from chcfuzz.mutators.recipe import Recipe, encode
from chcfuzz.tracing.trace import NO_EVENTS, EventSequence
from chcfuzz.triage.locate.observer import Side, unpacked, unpacked_numbers
from chcfuzz.triage.reduce.condition import CRASH, Condition
from chcfuzz.triage.reduce.judge import Judged
from numpy.typing import NDArray


@dataclass(frozen=True)
class Neighbour:
    """What is to be run, `name` in words. `is_known`: its system has the finding's right answer, by its witness or by
    a promise.
    """

    name: str
    recipe: Recipe
    is_known: bool = True


@dataclass(frozen=True, eq=False)
class Observed:
    """A neighbour's run: its side, its answer in words, its events, and the edges of a traced build that it reached.

    `system` is the text of its mutant.
    """

    neighbour: Neighbour
    side: Side
    words: str
    events: EventSequence
    system: str
    edges: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, np.uint32))


@dataclass(frozen=True)
class Row:
    """A parameter of the solver: `values` are others than its default."""

    name: str
    default: str
    values: tuple[str, ...]


class LocatePanel(Panel):
    """Runs neighbours in so many processes; they are ended with the `with`. `fresh`: each run has one to itself."""

    def __init__(self, condition: Condition, solving: Solving, jobs: int = 1, fresh: bool = False) -> None:
        self._condition = condition
        first, alone = condition.record(), fresh or condition.kind == CRASH
        super().__init__(lambda: Answering("chcfuzz.triage.locate.worker", solving, first, alone), jobs)

    @property
    def parameters(self) -> tuple[Row, ...]:
        """Of the solver; empty before the first run."""
        told: list[Any] = self.ready.get("parameters", [])
        return tuple(Row(name, default, tuple(values)) for name, default, values in told)

    @property
    def promises(self) -> Mapping[str, str]:
        """What each mutation promises, by its id; empty before the first run."""
        told: Mapping[str, str] = self.ready.get("promises", {})
        return told

    def run(self, neighbour: Neighbour) -> Observed:
        """Run one; raises `AnsweringError` where the process fails for another reason than the solver's death."""
        return self._seen(neighbour, self._said(neighbour, judge=False))

    def judged(self, neighbour: Neighbour) -> tuple[Observed, Judged]:
        """Run one and judge it, as `reduce_judge` does, whether it shows the finding; raises like `run`."""
        said = self._said(neighbour, judge=True)
        seen = self._seen(neighbour, said)
        if "judged" in said:
            return seen, Judged(**said["judged"])
        return seen, Judged(seen.side is Side.FAILING, seen.words)

    def places(self, edges: Sequence[int]) -> list[str | None]:
        """Where edges of the traced build start, in words; None for what cannot be said. Raises like `run`."""
        found: list[str | None] = self.asked({"places": list(edges)}, "places").get("places", [])
        return found or [None] * len(edges)

    def _said(self, neighbour: Neighbour, judge: bool) -> Said:
        unit = base64.b64encode(encode(neighbour.recipe)).decode()
        return self.asked({"unit": unit, "known": neighbour.is_known, "judge": judge}, "observed")

    def _seen(self, neighbour: Neighbour, said: Said) -> Observed:
        system = said.get("system", "")
        if "death" in said:
            same = self._condition.kind == CRASH and bool(system) and said["death"] == self._condition.detail
            return Observed(neighbour, Side.FAILING if same else Side.NEITHER, said["death"], NO_EVENTS, system)
        seen = said["observed"]
        edges = unpacked_numbers(seen["edges"])
        return Observed(neighbour, Side(seen["side"]), seen["words"], unpacked(seen["events"]), system, edges)
