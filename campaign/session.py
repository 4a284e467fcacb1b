"""What the processes of one campaign share: a folder, counters in shared memory, sets of what was seen.

A campaign is one process (the supervisor) that starts libFuzzer workers, and with `-fork` or `-jobs` those start
further ones. Workers die without a word (libFuzzer leaves by `_Exit`, a solver by a signal), so nothing may wait for
a clean end: every number lives in a mapped file from the moment it is counted, and the supervisor adds the files up.

Layout of the folder::

    worker-<pid>.counters   int64 numbers, one for each member of `Counter`
    worker-<pid>.rows       int64 numbers of `learning`
    policy.json             what the policy of `learning` knows
    worker-<pid>.input      what is in work (`in_work`)
    worker-<pid>.tallies    int64 numbers under names (`tallies`), and tallies.names which names these are
    traces.set, transitions.set   hashes seen by any worker, an open-addressed table of uint64
    edges.seen              a byte for each edge of a traced solver, 255 where any worker has reached it
    seeds-<ground>.set      seeds used by any worker, by the ground of their answer
    claimed.set             units of the corpus that a worker has begun with, while several read it
    together                there if several workers read one corpus
    replaces                there if a worker that leaves is replaced
    poison/<sha1>           units that killed a worker, or made Z3 lose memory: not run again in this campaign
    stuck/<sha1>            those of them whose solver ignored its limits
    opened/<pid>/<sha1>     units that opened a trace and are not in the corpus yet; with -fork all of them, since
                            libFuzzer drops those of its last jobs;
    gathered/<sha1>         where they go in the end, and
    into                    the path of the corpus that they are meant for
    ours/<place>-<digest>   one empty file for each error of ours that was kept (`own_errors`)
    findings/<folder name>  one empty file for each finding of this campaign, named `kind-...`
    left                    why the first worker left that cannot go on, in words
"""

from __future__ import annotations

import enum
import hashlib
import os
import shutil
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from chcfuzz.campaign.in_flight import InWork
from chcfuzz.campaign.shared import SharedSet, allocate, mapped
from chcfuzz.execution.files import write_whole
from chcfuzz.execution.seed_answers import Ground, SeedAnswer
from chcfuzz.mutators.recipe import digest
from numpy.typing import NDArray

ENVIRONMENT = "CHCFUZZ_SESSION"
_MOST_WORDS = 4096  # bytes of why a worker left


class Counter(enum.IntEnum):
    """The numbers a worker keeps; times are nanoseconds."""

    EXECUTIONS = 0
    SAT = enum.auto()
    UNSAT = enum.auto()
    UNKNOWN = enum.auto()
    LIMIT = enum.auto()
    HANG = enum.auto()
    ERROR = enum.auto()
    UNSUPPORTED = enum.auto()  # systems that the solver does not read
    REPEATED = enum.auto()  # equal to an earlier execution, or remembered by an import: not solved again
    IDLE = enum.auto()  # steps tried that changed nothing
    REFUSED = enum.auto()  # units that are not what they begin as: text that is no CHC system, a damaged recipe
    RECHECKED = enum.auto()  # executions run again for stability
    STABLE = enum.auto()  # of those, with the same trace
    CUT_TRACES = enum.auto()
    MODELS = enum.auto()  # models checked
    MODELS_UNDECIDED = enum.auto()
    PROOFS = enum.auto()  # derivations checked
    PROOFS_UNDECIDED = enum.auto()
    SECOND_OPINIONS = enum.auto()  # asked for
    SECOND_UNDECIDED = enum.auto()
    CONTRADICTING = enum.auto()  # answers other than what is promised
    CONTRADICTING_SUSPECTED = enum.auto()  # of those, with a suspicion written down or counted
    SUSPICIONS = enum.auto()  # verdicts that look like findings
    ALIKE = enum.auto()  # of those, not even written down: so many alike waited
    OWN_ERRORS = enum.auto()  # exceptions of ours (`own_errors`)
    SOLVER_TIME = enum.auto()
    MUTATE_TIME = enum.auto()  # the custom mutator
    DECODE_TIME = enum.auto()  # bytes to a recipe, its seed parsed
    APPLY_TIME = enum.auto()  # applying the chain
    PRINT_TIME = enum.auto()
    CHECK_TIME = enum.auto()
    TRACE_TIME = enum.auto()
    CONFIRM_TIME = enum.auto()
    WALL_TIME = enum.auto()  # from the worker's first execution to its latest


class Worker:
    """One process's share of a session: its counters, and the unit it has in work."""

    def __init__(self, session: Session) -> None:
        stem = session.folder / f"worker-{os.getpid()}"
        self.counters = mapped(Path(f"{stem}.counters"), np.int64, len(Counter))
        self.unit = InWork(Path(f"{stem}.input"))

    def count(self, counter: Counter, amount: int | bool = 1) -> None:
        """Add to a number; the supervisor sees it at once."""
        self.counters[counter] += amount


class Session:
    """The folder of a campaign; a context that processes of the campaign find through the environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("poison", "stuck", "ours", "findings"):
            (folder / name).mkdir(exist_ok=True)
        allocate(folder / "left", _MOST_WORDS)  # so that it can be said on a full disk too
        self.traces = SharedSet(folder / "traces.set")
        self.transitions = SharedSet(folder / "transitions.set", slots=1 << 18)
        self._poisoned: tuple[int, frozenset[str]] | None = None  # and when the folder was that
        self._claimed = SharedSet(folder / "claimed.set", slots=1 << 18)
        self._seeds = {ground: SharedSet(folder / f"seeds-{ground}.set", slots=1 << 17) for ground in Ground}

    @classmethod
    def from_environment(cls) -> Session | None:
        """The session that the supervisor of this process began, if there is one."""
        folder = os.environ.get(ENVIRONMENT)
        return cls(Path(folder)) if folder else None

    def totals(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Sums over all workers, dead and alive; index with `Counter`."""
        return self.sum_of("counters", len(Counter))

    def sum_of(self, table: str, size: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The sum of a table of `size` numbers that each worker has, dead or alive, in its `worker-<pid>.<table>`."""
        total = np.zeros(size, dtype=np.int64)
        for path in self.folder.glob(f"worker-*.{table}"):
            row = np.fromfile(path, dtype=np.int64)
            if len(row) == size:  # else it is being made
                total += row
        return total

    def workers(self) -> list[int]:
        """The processes that are workers or were, in order, without those whose unit was taken."""
        return sorted(int(path.stem.rpartition("-")[2]) for path in self.folder.glob("worker-*.input"))

    def executed_by(self, workers: Iterable[int]) -> int:
        """How many executions these processes have done."""
        done = 0
        for worker in workers:
            path = self.folder / f"worker-{worker}.counters"
            done += int(np.fromfile(path, dtype=np.int64)[Counter.EXECUTIONS]) if path.exists() else 0
        return done

    def _inputs(self, worker: int | None) -> list[Path]:
        return sorted(self.folder.glob(f"worker-{worker or '*'}.input"))

    def take_units_of_dead_workers(self, worker: int | None = None) -> list[bytes]:
        """The units whose execution killed a worker since the last call, in order of the workers' names; or only what
        killed this one."""
        units = []
        for path in self._inputs(worker):
            unit = InWork.left_by_dead_worker(path)
            if unit is not None:
                path.unlink()
                units.append(unit)
        return units

    def forget_units_in_work(self, worker: int | None = None) -> None:
        """Let nothing be blamed on the workers so far, or on this one: whoever lives is being ended."""
        for path in self._inputs(worker):
            path.unlink(missing_ok=True)

    def say_why_left(self, reason: str) -> None:
        """Say why a worker leaves that cannot go on: what a job of libFuzzer's prints, nobody may see."""
        with open(self.folder / "left", "r+b") as file:
            if not file.read(1).strip(b"\0"):
                file.seek(0)
                file.write(reason.encode()[:_MOST_WORDS])

    @property
    def why_left(self) -> str:
        """Why the first worker left that could not go on; empty where none did."""
        return (self.folder / "left").read_bytes().rstrip(b"\0").decode("utf-8", "replace")

    def edges_seen(self, number: int) -> NDArray[np.uint8]:
        """A byte for each of the solver's edges, 255 where a worker has reached it: shared, and to be written."""
        allocate(self.folder / "edges.seen", number)
        return np.memmap(self.folder / "edges.seen", np.uint8, "r+", shape=(number,)).view(np.ndarray)

    def edges(self) -> tuple[int, int] | None:
        """How many edges have been reached, and how many there are; None where the solver has none to show."""
        try:
            seen = np.fromfile(self.folder / "edges.seen", dtype=np.uint8)
        except FileNotFoundError:
            return None
        return int(np.count_nonzero(seen)), len(seen)

    def poison(self, data: bytes) -> None:
        """Let no worker of this session execute `data` again."""
        (self.folder / "poison" / digest(data)).touch()

    def poisoned(self) -> frozenset[str]:
        """Digests of the units that are not to be executed, as of now."""
        changed = (self.folder / "poison").stat().st_mtime_ns
        if self._poisoned is None or self._poisoned[0] != changed:
            self._poisoned = changed, frozenset(entry.name for entry in (self.folder / "poison").iterdir())
        return self._poisoned[1]

    def replace_workers(self) -> None:
        """Let workers know that another one takes up what they leave."""
        (self.folder / "replaces").touch()

    @property
    def replaces_workers(self) -> bool:
        """Whether another worker takes up what one leaves."""
        return (self.folder / "replaces").exists()

    def let_several_read(self) -> None:
        """Let workers know that they read one corpus together."""
        (self.folder / "together").touch()

    @property
    def is_read_by_several(self) -> bool:
        """Whether several workers read one corpus together."""
        return (self.folder / "together").exists()

    def keep_what_opens(self, corpus: Path) -> None:
        """Let workers keep what they find by `keep_opened`; it is meant for that corpus."""
        (self.folder / "opened").mkdir()
        (self.folder / "into").write_text(str(corpus.absolute()))

    def keep_opened(self, data: bytes) -> None:
        """Keep a unit of this worker that opened a trace until it is in the corpus, if the campaign has one."""
        folder = self.folder / "opened"
        if folder.is_dir():
            mine = folder / str(os.getpid())
            mine.mkdir(exist_ok=True)
            write_whole(mine / digest(data), data)

    def see_opened(self, data: bytes, into: Path) -> None:
        """A unit of `keep_opened` is whole in a corpus now: forgotten, if it is the campaign's own, not a job's."""
        if corpus_of(self.folder) == into.absolute():
            (self.folder / "opened" / str(os.getpid()) / digest(data)).unlink(missing_ok=True)

    def opened(self) -> list[Path]:
        """The units of `keep_opened` that are not forgotten, taken or not."""
        return opened_in(self.folder)

    def take_opened(self) -> Path | None:
        """A new folder with all units of `keep_opened`; None if there are none."""
        units = sorted((self.folder / "opened").glob("*/[!.]*"))
        if not units:
            return None
        into = self.folder / "gathered"
        into.mkdir()
        for unit in units:
            unit.rename(into / unit.name)
        return into

    def forget_opened(self, seconds: float) -> None:
        """Forget those of workers that kept nothing for so long: libFuzzer has merged what they found."""
        for folder in (self.folder / "opened").glob("*"):
            if folder.stat().st_mtime + seconds < time.time():
                shutil.rmtree(folder, ignore_errors=True)

    def claim(self, data: bytes) -> bool:
        """Whether this worker is the first to begin with a unit of the corpus that all of them read."""
        return self._claimed.add([int(digest(data)[:16], 16)]) > 0

    def count_seed(self, seed: str, answer: SeedAnswer | None) -> None:
        """Count a seed by the ground of its answer; saying it twice counts once."""
        if answer is not None:
            self._seeds[answer.ground].add([int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "little")])

    def seeds(self) -> dict[Ground, int]:
        """How many seeds have been used, by the ground of their answer."""
        return {ground: len(counted) for ground, counted in self._seeds.items()}

    def mark_stuck(self, data: bytes) -> None:
        """Say that the solver ignores its limits on `data`; the worker may leave now."""
        (self.folder / "stuck" / digest(data)).touch()

    def was_stuck(self, data: bytes) -> bool:
        """Whether a worker left because of `data`."""
        return (self.folder / "stuck" / digest(data)).exists()

    def is_new_own_error(self, place: str, unit: str, most: int) -> bool:
        """Count an error of ours for its place in the code; whether it is one of the first `most`."""
        folder = self.folder / "ours"
        mine = folder / f"{place}-{unit}"
        if mine.exists() or len(list(folder.glob(f"{place}-*"))) >= most:
            return False
        mine.touch()
        return True

    def mark_finding(self, kind: str, folder_name: str) -> None:
        """Count a finding of this campaign; saying it twice counts once."""
        (self.folder / "findings" / f"{kind}:{folder_name}").touch()

    def findings(self) -> list[str]:
        """The kind of each finding so far."""
        return [kind for kind, _ in self.named_findings()]

    def named_findings(self) -> list[tuple[str, str]]:
        """The kind and the folder's name of each finding so far, in order."""
        names = sorted(entry.name for entry in (self.folder / "findings").iterdir())
        return [(kind, name) for kind, _, name in (entry.partition(":") for entry in names)]


def opened_in(folder: Path) -> list[Path]:
    """What `Session.opened` gives for the session in a folder, whose owner may be dead."""
    return sorted([*(folder / "opened").glob("*/[!.]*"), *(folder / "gathered").glob("[!.]*")])


def corpus_of(folder: Path) -> Path | None:
    """The corpus that such units are meant for; None if there is none any more."""
    try:
        corpus = Path((folder / "into").read_text())
    except OSError:
        return None
    return corpus if corpus.is_dir() else None
