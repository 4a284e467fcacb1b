"""The state that the processes of one campaign share: a folder of files, most of them mapped into memory.

A campaign is one process, the supervisor, which starts libFuzzer workers. With `-fork` or `-jobs`, the workers start
further ones. Workers never shut down cleanly: libFuzzer calls `_Exit`, and a solver crash kills the process. Every
number is therefore in a file from the moment it is counted.

Layout of the folder; each line names the class that reads and writes the file::

    worker-<pid>.counters          `counters.CounterTables`
    worker-<pid>.input             `in_flight.InFlightUnits`
    worker-<pid>.rows, policy.json   `learned_policy`
    worker-<pid>.learned, features.seen   `online_counts`
    worker-<pid>.temperings        `temperings`
    worker-<pid>.tallies, tallies.names   `tallies`
    traces.set, transitions.set, turns.set    `shared.SharedSet`
    traces.sightings, edges.seen, edges.table, claimed.set   `seen`
    seeds-<ground>.set, seeds-at-limit.set, seeds-decided.set   `seen`
    denied/, stuck/                `denylist.Denylist`
    input-<number>                 links to corpora whose paths a shell would cut
    opened/, gathered/, into       `unmerged.UnmergedUnits`
    findings/, first/, full-switches/, internal-errors/, exit-reason, replaces, together, read, first-examined,
    begun, features                `marks`
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from chcfuzz.campaign.session.counters import Counter, CounterTables
from chcfuzz.campaign.session.denylist import Denylist
from chcfuzz.campaign.session.in_flight import InFlightUnits
from chcfuzz.campaign.session.marks import (
    BeginTime,
    ExitReason,
    FindingMarks,
    FirstEvents,
    FullSwitchMarks,
    InternalErrorMarks,
    SharedFlag,
)
from chcfuzz.campaign.session.seen import CorpusClaims, ReachedEdges, SeedCounts, Sightings
from chcfuzz.campaign.session.shared import SharedSet
from chcfuzz.campaign.session.unmerged import UnmergedUnits
from chcfuzz.triage.examine.suspicion import Suspicion

ENVIRONMENT = "CHCFUZZ_SESSION"


class Session:
    """The shared state of a campaign; its processes find the folder through the environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.counters = CounterTables(folder)
        self.in_flight = InFlightUnits(folder)
        self.traces = SharedSet(folder / "traces.set")
        self.transitions = SharedSet(folder / "transitions.set", slots=1 << 18)
        self.turns = SharedSet(folder / "turns.set", slots=1 << 20)  # on roots, see mutators.neighbourhood
        self.sightings = Sightings(folder / "traces.sightings")
        self.edges = ReachedEdges(folder / "edges.seen")
        self.seeds = SeedCounts(folder)
        self.claims = CorpusClaims(folder / "claimed.set")
        self.denylist = Denylist(folder)
        self.unmerged = UnmergedUnits(folder)
        self.findings = FindingMarks(folder / "findings")
        self.first = FirstEvents(folder / "first", self.counters)
        self.full_switches = FullSwitchMarks(folder / "full-switches")
        self.internal_errors = InternalErrorMarks(folder / "internal-errors")
        self.begun = BeginTime(folder / "begun")
        self.exit_reason = ExitReason(folder / "exit-reason")
        self.replaces_workers = SharedFlag(folder / "replaces")  # a worker that exits is replaced
        self.reads_together = SharedFlag(folder / "together")  # several workers read one corpus
        self.has_read = SharedFlag(folder / "read")  # libFuzzer has read the corpus, and mutates units
        self.examines_first = SharedFlag(folder / "first-examined")  # the first suspicion of a kind, now
        self.has_features = SharedFlag(folder / "features")  # a trace opens only if one of its features is new

    def mark_finding(self, kind: str, folder_name: str) -> None:
        """Count a finding of this campaign; marking it twice counts once."""
        self.findings.mark(kind, folder_name)
        self.first.mark("finding")

    def stamped(self, suspicion: Suspicion) -> Suspicion:
        """Return a suspicion that is seen now, with the executions and the seconds until now."""
        executions = int(self.counters.totals()[Counter.EXECUTIONS])
        return replace(suspicion, execution=executions, seconds=self.begun.seconds)

    @classmethod
    def from_environment(cls) -> Session | None:
        """Return the session of the supervisor that started this process, if there is one."""
        folder = os.environ.get(ENVIRONMENT)
        return cls(Path(folder)) if folder else None
