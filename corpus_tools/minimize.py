"""Minimize a corpus: the cheapest units that have all of its features.

libFuzzer merges the corpus, in processes that may crash on a unit, with only the requested features. It keeps the
smallest units. The table of outcomes then has the features and the cost of each unit, so this module selects the units
that cost the solver the least: every later start and merge pays these costs.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from chcfuzz.campaign.corpus_folder import units_in
from chcfuzz.campaign.worker.outcomes import StoredOutcome, everything
from chcfuzz.corpus_tools.set_cover import cover
from chcfuzz.execution.console import print_error
from chcfuzz.execution.files import see_folder, write_whole
from chcfuzz.execution.flags import WHOLE, share
from chcfuzz.execution.solving import Solving, UsageError
from chcfuzz.mutators.recipe import digest
from chcfuzz.solvers import python
from chcfuzz.solvers.process_group import ProcessGroup, Streams

TRACES, EDGES, BOTH = "traces", "edges", "both"
_STATUS = re.compile(r"chcfuzz \d+:\d\d \|")
_CLASSES = np.array([1, 2, 3, 4, 8, 16, 32, 128], np.uint8)  # libFuzzer's classes of counts, by their least count


@dataclass(frozen=True)
class KeptUnit:
    """A unit that is kept, and the numbers of traces and edges that it adds to cheaper units.

    `cost` is the solver's count of its work; None for a unit that is only known because libFuzzer kept it.
    """

    unit: str
    bytes: int
    cost: int | None
    traces: int
    edges: int


@dataclass(frozen=True)
class Minimized:
    """Result of minimizing a corpus.

    Attributes:
        units: Number of units in the corpus.
        refused: Messages on files that are not units.
        merged: Number of units that libFuzzer kept.
        merged_cost: Cost of these units.
        chosen: The units that are kept.
        undecided: Number of units without features, because the solver did not decide them.
        alike: Number of units whose features cheaper units have.
        silent: Number of the other units: the solver crashed on them, or another unit has the same mutant.
    """

    units: int
    refused: tuple[str, ...]
    merged: int
    merged_cost: int
    chosen: tuple[KeptUnit, ...]
    undecided: int
    alike: int
    silent: int

    @property
    def cost(self) -> int:
        """Cost of the units that are kept."""
        return sum(each.cost or 0 for each in self.chosen)

    def to_json(self, by: str) -> bytes:
        """Return the content of a JSON file with the result."""
        content = {"format": "chcfuzz-minimized 1", "by": by, **asdict(self)}
        return (json.dumps(content, indent=1) + "\n").encode()


def minimize(source: Path, into: Path, solving: Solving, by: str, part: tuple[int, int] = WHOLE) -> Minimized:
    """Copy the cheapest units with all features into a new folder; raises `UsageError`, and then copies nothing.

    With a part I of N, only the units whose digests belong to it count; each unit belongs to one part.
    """
    paths, refused = units_in([source])
    check_new(into)
    every = {digest(path.read_bytes()): path for path in paths}
    units = {name: every[name] for name in share(sorted(every), part)}
    with tempfile.TemporaryDirectory(prefix="chcfuzz-minimize-") as name:
        folder = Path(name)
        merged = _merged(units, folder, solving, by)
        known = {kept.unit: kept for kept in everything(folder / "findings") if kept.unit in units}
    result = _choose(units, known, merged & units.keys(), by, tuple(refused))
    try:
        into.mkdir(parents=True, exist_ok=True)
        for each in result.chosen:
            write_whole(into / each.unit, units[each.unit].read_bytes(), mode=0o644)
    except OSError as error:
        raise UsageError(f"cannot write the corpus {str(into)!r}: {error.strerror}; free some space") from error
    return result


def check_new(into: Path) -> None:
    """Raise `UsageError` unless units can be written to the folder, and it is new or empty."""
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise UsageError(f"{str(into)!r} exists and is not empty; name a new folder")
    see_folder(into)


def _merged(units: Mapping[str, Path], folder: Path, solving: Solving, by: str) -> set[str]:
    """Have libFuzzer merge units, given by their digests, and return the digests of the units that it keeps.

    Afterwards `findings` below the folder has the table of outcomes.
    """
    (folder / "merged").mkdir()
    corpus = folder / "corpus"
    corpus.mkdir()
    for unit, path in units.items():  # libFuzzer's merge cannot handle spaces in paths, nor line breaks in names
        (corpus / unit).symlink_to(path.absolute())
    own = [f"--findings={folder / 'findings'}", f"--features={by}", "--finish-seconds=0.1", "--status-seconds=30"]
    flags = [*own, *solving.arguments, "-merge=1", "-verbosity=0", str(folder / "merged"), f"{corpus}/"]
    command = python.command("-m", "chcfuzz.fuzz_targets.campaign", *flags)
    # Messages on findings are dropped: they are not new, and this findings folder is temporary.
    last_message = ""
    streams = Streams(subprocess.DEVNULL, subprocess.DEVNULL, subprocess.PIPE)
    with ProcessGroup(command, streams, python.environment()) as process:  # as long as the corpus needs
        for raw in process.output:
            line = raw.decode(errors="replace")
            if _STATUS.match(line):
                print_error(line.rpartition(" | ")[0])
            elif line.startswith("chcfuzz: "):
                last_message = line.strip()
        process.wait()
    if code := process.close():
        raise UsageError(f"libFuzzer's merge ended with exit code {code}; its last message was {last_message!r}")
    return {digest(path.read_bytes()) for path in (folder / "merged").iterdir()}


def _choose(
    units: dict[str, Path], known: dict[str, StoredOutcome], merged: set[str], by: str, refused: tuple[str, ...]
) -> Minimized:
    decided = [kept for kept in known.values() if kept.status.is_answered]
    sizes = {unit: path.stat().st_size for unit, path in units.items()}
    ordered = sorted(decided, key=lambda kept: (kept.cost, sizes[kept.unit], kept.unit))
    taken = cover(ordered, lambda kept: features(kept, by))
    chosen = _with_kinds([kept for kept, _ in taken], sizes, by)
    chosen += [KeptUnit(unit, sizes[unit], None, 0, 0) for unit in sorted(merged - known.keys())]
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


def features(kept: StoredOutcome, by: str) -> set[Hashable]:
    """Return a unit's features: its trace as a negative number, and each edge with libFuzzer's class of its count.

    A trace without events is a set of independent features, each of them a negative number.
    """
    found: set[Hashable] = set()
    if by != EDGES:
        is_sequence = kept.trace.length > 0 or not len(kept.trace.keys)
        found.update((-1 - kept.trace.hash,) if is_sequence else (-1 - key for key in kept.trace.keys.tolist()))
    if by != TRACES:
        classes = np.searchsorted(_CLASSES, kept.counts, side="right") - 1
        found.update((kept.edges.astype(np.int64) * len(_CLASSES) + classes).tolist())
    return found


def _with_kinds(taken: Sequence[StoredOutcome], sizes: dict[str, int], by: str) -> list[KeptUnit]:
    """Return the units with the numbers of traces and edges that each adds."""
    traces = dict(_added(taken, TRACES)) if by != EDGES else {}
    edges = dict(_added(taken, EDGES)) if by != TRACES else {}
    return [
        KeptUnit(each.unit, sizes[each.unit], each.cost, traces.get(each.unit, 0), edges.get(each.unit, 0))
        for each in taken
    ]


def _added(taken: Sequence[StoredOutcome], by: str) -> list[tuple[str, int]]:
    return [(kept.unit, new) for kept, new in cover(taken, lambda kept: features(kept, by), lambda *_: True)]
