"""`chcfuzz minimize`: the cheapest units of a corpus that show all that it does.

libFuzzer's merge runs the corpus, in processes that may die of a unit, with only those features that are asked for. It
keeps the smallest units that show all of them. What each unit showed, and at what cost, is in the table of outcomes
then; so those are chosen that cost the solver least, which is what every later start and merge pays for.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from chcfuzz.campaign.console import tell
from chcfuzz.campaign.corpus_folder import units_in
from chcfuzz.campaign.outcomes import Kept, everything
from chcfuzz.corpus_tools.set_cover import cover
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.mutators.recipe import digest
from chcfuzz.solvers import python

TRACES, EDGES, BOTH = "traces", "edges", "both"
_STATUS = re.compile(r"chcfuzz \d+:\d\d \|")
_CLASSES = np.array([1, 2, 3, 4, 8, 16, 32, 128], np.uint8)  # libFuzzer's, by the least count of each


@dataclass(frozen=True)
class Chosen:
    """A unit that is kept, and how many features it is the first to show, the cheap ones first.

    `cost` is what the solver counted; None for one of which nothing is known but that libFuzzer kept it.
    """

    unit: str
    bytes: int
    cost: int | None
    traces: int
    edges: int


@dataclass(frozen=True)
class Minimized:
    """What became of a corpus of `units`: `merged` of them libFuzzer kept, at that cost; and `chosen` stay.

    `undecided` show nothing, as the solver came to no answer; `alike` show nothing that a cheaper one does not.
    `silent` are the rest: the solver died of them, or they are the same to it as others.
    """

    units: int
    refused: tuple[str, ...]
    merged: int
    merged_cost: int
    chosen: tuple[Chosen, ...]
    undecided: int
    alike: int
    silent: int

    @property
    def cost(self) -> int:
        return sum(each.cost or 0 for each in self.chosen)

    def lines(self, by: str) -> list[str]:
        """For people: what was kept, what not, and why."""
        brought = [f"{sum(each.traces for each in self.chosen)} traces"] if by != EDGES else []
        brought += [f"{sum(each.edges for each in self.chosen)} edges and counts of them"] if by != TRACES else []
        lines = [
            f"{self.units} units show {' and '.join(brought)}",
            f"kept      {len(self.chosen)} units, {self.cost} resource units: the cheapest that show all of that",
            f"          (libFuzzer's merge, the smallest: {self.merged} units, {self.merged_cost})",
            f"left out  {self.alike} show nothing that a cheaper one does not",
        ]
        if self.undecided:
            lines.append(f"          {self.undecided} show nothing: the solver does not decide them")
        if self.silent:
            lines.append(f"          {self.silent} are the same to the solver as others, or it dies of them")
        if self.refused:
            lines.append(f"          {len(self.refused)} files are no units; the first: {self.refused[0]}")
        return lines

    def record(self, by: str) -> dict[str, Any]:
        """As JSON holds it."""
        return {"format": "chcfuzz-minimized 1", "by": by, **asdict(self)}


def minimize(source: Path, into: Path, solving: Solving, by: str) -> Minimized:
    """Copy those units of a corpus into a new folder; raises `UsageError`, and then leaves none there."""
    paths, refused = units_in([source])
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise UsageError(f"{str(into)!r} is there already, and not empty; name a new folder")
    units = {digest(path.read_bytes()): path for path in paths}
    with tempfile.TemporaryDirectory(prefix="chcfuzz-minimize-") as name:
        folder = Path(name)
        merged = _merged(source, folder, solving, by)
        known = {kept.unit: kept for kept in everything(folder / "findings") if kept.unit in units}
    told = _choose(units, known, merged & units.keys(), by, tuple(refused))
    try:
        into.mkdir(parents=True, exist_ok=True)
        for each in told.chosen:
            write_whole(into / each.unit, units[each.unit].read_bytes(), mode=0o644)
    except OSError as error:
        raise UsageError(f"cannot write the corpus {str(into)!r}: {error.strerror}; make room") from error
    return told


def _merged(source: Path, folder: Path, solving: Solving, by: str) -> set[str]:
    """Have libFuzzer merge a corpus; the digests of what it keeps. What each unit showed is in `findings` then."""
    target = "spacer" if solving.command is None else "chc_command"
    (folder / "merged").mkdir()
    (folder / "corpus").symlink_to(source.absolute())  # libFuzzer's jobs take no path with a space in it
    ours = [f"--findings={folder / 'findings'}", f"--features={by}", "--finish-seconds=0.1", "--status-seconds=30"]
    words = [*ours, *solving.arguments, "-merge=1", "-verbosity=0", str(folder / "merged"), f"{folder / 'corpus'}/"]
    command = python.command("-m", f"chcfuzz.fuzz_targets.{target}", *words)
    # What it says of findings is left out: they were found before, and what looks into them here does not stay.
    said = ""
    with subprocess.Popen(
        command,
        env=python.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if _STATUS.match(line):
                tell(line.rpartition(" | ")[0])
            elif line.startswith("chcfuzz: "):
                said = line.strip()
    if process.returncode:
        raise UsageError(f"libFuzzer's merge ended with exit code {process.returncode}; it said last: {said!r}")
    return {digest(path.read_bytes()) for path in (folder / "merged").iterdir()}


def _choose(
    units: dict[str, Path], known: dict[str, Kept], merged: set[str], by: str, refused: tuple[str, ...]
) -> Minimized:
    decided = [kept for kept in known.values() if kept.status.is_decided]
    sizes = {unit: path.stat().st_size for unit, path in units.items()}
    ordered = sorted(decided, key=lambda kept: (kept.cost, sizes[kept.unit], kept.unit))
    taken = cover(ordered, lambda kept: features(kept, by))
    chosen = _with_kinds([kept for kept, _ in taken], sizes, by)
    chosen += [Chosen(unit, sizes[unit], None, 0, 0) for unit in sorted(merged - known.keys())]
    return Minimized(
        units=len(units),
        refused=refused,
        merged=len(merged),
        merged_cost=sum(known[unit].cost for unit in merged if unit in known),
        chosen=tuple(chosen),
        undecided=len(known) - len(decided),
        alike=len(decided) - len(taken),
        silent=len(units) - len(known) - len(merged - known.keys()),
    )


def features(kept: Kept, by: str) -> set[Hashable]:
    """What a unit shows: its trace, negative as no edge is, and each edge with libFuzzer's class of its count."""
    found: set[Hashable] = set()
    if by != EDGES:
        found.add(-1 - kept.trace.hash)
    if by != TRACES:
        classes = np.searchsorted(_CLASSES, kept.counts, side="right") - 1
        found.update((kept.edges.astype(np.int64) * len(_CLASSES) + classes).tolist())
    return found


def _with_kinds(taken: Sequence[Kept], sizes: dict[str, int], by: str) -> list[Chosen]:
    """The same with how many of the features are traces and how many edges."""
    traces = dict(_news(taken, TRACES)) if by != EDGES else {}
    edges = dict(_news(taken, EDGES)) if by != TRACES else {}
    return [
        Chosen(each.unit, sizes[each.unit], each.cost, traces.get(each.unit, 0), edges.get(each.unit, 0))
        for each in taken
    ]


def _news(taken: Sequence[Kept], by: str) -> list[tuple[str, int]]:
    return [(kept.unit, new) for kept, new in cover(taken, lambda kept: features(kept, by), lambda *_: True)]
