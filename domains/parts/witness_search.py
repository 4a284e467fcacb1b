"""The search for witnesses of answers: no part answers sat or unsat by itself, so it finds none."""

from __future__ import annotations

from collections.abc import Sequence

from chcfuzz.domains.protocol import WitnessSearch
from chcfuzz.solvers.outcome import Status
from chcfuzz.triage.examine.conclusion import Witness
from chcfuzz.triage.examine.runs import Run


class NoWitnesses(WitnessSearch):
    """Finds no witness: the contract of a part judges its result."""

    def witness(self, _run: Run, _status: Status, _places: Sequence[Run]) -> Witness | None:
        """Return None."""
        return None
