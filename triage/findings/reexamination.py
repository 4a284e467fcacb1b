"""`chcfuzz confirm`: what waits in a findings folder is looked into, and its contradictions once more."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from chcfuzz.execution.seed_answers import SeedAnswers
from chcfuzz.execution.solving import Solving
from chcfuzz.triage.examine.confirm import ConfirmError
from chcfuzz.triage.examine.suspicion import Suspicion
from chcfuzz.triage.findings.confirmation_queue import Desk
from chcfuzz.triage.findings.store import FindingStore, kept


@dataclass(frozen=True)
class Told:
    """What came of it: `found` counts findings by kind, `settled` those that are no contradictions any more."""

    found: Tally[str]
    settled: int
    contradictions: int
    waiting: int

    def lines(self) -> list[str]:
        """For people."""
        kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(self.found.items())) or "none"
        again = f"{self.settled} of {self.contradictions} contradictions settled"
        return [f"findings: {kinds}", f"{again}; {self.waiting} suspicions wait"]


def confirm_again(folder: Path, solving: Callable[[Suspicion], Solving], per_bucket: int) -> Told:
    """Look into everything that waits in a folder, what did not come again included, and into its contradictions.

    `solving` says how the solver is to be started for a suspicion. What stays a contradiction stays as it is. Raises
    `FindingsError`, and `ChcfuzzError` for a finding that cannot be read.
    """
    found: Tally[str] = Tally()
    desk = Desk(FindingStore(folder, per_bucket), SeedAnswers(folder), lambda kind, _: found.update([kind]), solving)
    contradictions = [path for path, record in kept(folder) if record["kind"] == "contradiction"]
    settled = sum(_is_settled(desk, path) for path in contradictions)
    for file in sorted((folder / "unconfirmed").glob("*.json")):
        suspicion = Suspicion.read(file.read_bytes())
        if suspicion is not None and desk.suspect(suspicion):
            file.unlink()
            file.with_suffix("").unlink(missing_ok=True)
    for name in desk.box.names():
        desk.look(name)
    return Told(found, settled, len(contradictions), len(desk.box))


def _is_settled(desk: Desk, path: Path) -> bool:
    """Look into a contradiction again; what came of it takes its place, written before the old one goes."""
    suspicion = Suspicion.read((path / "suspicion.json").read_bytes())
    if suspicion is None:
        return False
    try:
        confirmation = desk.examined(suspicion)
    except ConfirmError as error:
        desk.say(f"{path.name} could not be looked into: {error}")
        return False
    if confirmation.end == "contradiction":
        return False
    desk.settle(confirmation)
    desk.store.remove(path.name)
    return True
