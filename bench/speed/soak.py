"""Run a campaign for an hour or longer under faults, and check that it loses nothing.

python -m bench.speed.soak --into soak                           # an hour on two workers, a hundred kills
python -m bench.speed.soak --into soak --minutes 8 --kills 12    # a short test
python -m bench.speed.soak --into soak --z3-library TRACED_BUILD

The script kills the campaign and its workers (SIGKILL) at moments drawn from --seed, and continues the campaign with
--resume; it fills the disk (a tmpfs, which needs root) once in each half. The corpus holds a million bytes of noise,
and the solver crashes, hangs, gives wrong answers and floods its output (`soak_solver.py`). Results are the run folder,
`soak.json`, `soak.html` with executions, memory and files over time, and the campaign's dashboard. The exit code is 1
if a check fails.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter as Tally
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chcfuzz.campaign.runs import history
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.execution.exit_codes import EXIT_OURS, EXIT_USAGE
from chcfuzz.execution.solving import Solving
from chcfuzz.triage.findings.store import DROPPED, SURPLUS, finding_folders

from bench.campaigns import CORPUS, ROOT, SPACER, parser, write_json

_INTERVAL = 1.0  # seconds between samples
_NOISE, _NOISE_FILE = 1_000_000, 2_000  # bytes in total, and in each file
_DISK = "512m"
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Soak:
    """A campaign under faults, and its measurements. `exits` are (exit code, cause of the end) of each session."""

    into: Path
    workers: int
    seed: int
    flags: tuple[str, ...] = ()
    exits: list[tuple[int, str]] = field(default_factory=list)
    events: list[tuple[float, str]] = field(default_factory=list)
    samples: list[dict[str, float]] = field(default_factory=list)
    found: set[str] = field(default_factory=set)
    start: float = field(default_factory=time.monotonic)
    process: subprocess.Popen[bytes] | None = None
    ended_by: str = ""

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.start

    @property
    def run(self) -> RunFolder:
        return RunFolder(self.into / "disk" / "run")

    def begin(self) -> None:
        """Start the campaign, or resume it."""
        arguments = (
            [f"--resume={self.run.path}"] if self.run.is_begun else [f"--run-dir={self.run.path}", *self._flags()]
        )
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "SOAK_EVENTS": str(self.into / "solver-events"),
            "TMPDIR": str(self.into / "tmp"),
        }
        with open(self.into / "log", "ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(SPACER), *arguments], env=environment, stdout=log, stderr=log, cwd=self.into
            )
        self.ended_by = ""

    def _flags(self) -> list[str]:
        return [
            "--solver=bench.speed.soak_solver:FaultySpacer",
            f"--workers={self.workers}",
            f"-seed={self.seed}",
            "--wall-seconds=3",
            "--finish-seconds=5",
            *self.flags,
            str(CORPUS),
            str(self.into / "noise"),
        ]

    def note(self, event: str) -> None:
        """Record and print an event."""
        self.events.append((self.seconds, event))
        print(f"soak {self.seconds:7.1f} s: {event}", flush=True)

    def kill(self, drawn: random.Random) -> None:
        """Kill the campaign's main process or one of its descendants, each with the same probability."""
        assert self.process is not None
        children = descendants(self.process.pid)
        victims = [self.process.pid, *children]
        victim = victims[drawn.randrange(len(victims))]
        if victim == self.process.pid:
            self.ended_by = "kill"
        self.note("kill parent" if victim == self.process.pid else "kill child")
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)

    def sample(self) -> None:
        """Record findings and sizes; restart the campaign if it has ended."""
        assert self.process is not None
        folders = (self.run.findings, self.run.findings / SURPLUS)
        self.found |= {path.name for folder in folders for path in finding_folders(folder)}
        sizes = sizes_in(self.run.path)
        self.samples.append(
            {
                "seconds": round(self.seconds, 1),
                "memory": sum(map(resident, [self.process.pid, *descendants(self.process.pid)])),
                "files": len(sizes),
                "bytes": sum(sizes),
                "temporary": sum(sizes_in(self.into / "tmp")),
            }
        )
        code = self.process.poll()
        if code is not None:
            self.exits.append((code, self.ended_by))
            self.note(f"session {len(self.exits)} ended with exit code {code}")
            self.free_disk()
            self.begin()

    def fill_disk(self) -> None:
        """Write to the disk until it is full."""
        self.note("fill disk")
        self.ended_by = "disk"
        with open(self.into / "disk" / "filler", "wb", buffering=0) as file, suppress(OSError):
            while file.write(b"\0" * (1 << 20)):
                pass

    def free_disk(self) -> None:
        """Remove the file that filled the disk."""
        (self.into / "disk" / "filler").unlink(missing_ok=True)

    def end(self) -> None:
        """End the campaign with SIGTERM, as a user does."""
        assert self.process is not None
        self.ended_by = "signal"
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(120)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self.exits.append((code, self.ended_by))


def sizes_in(folder: Path) -> list[int]:
    """Return the size of each file; files that are removed meanwhile may be missing."""
    found = []
    for inside, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                found.append(os.stat(os.path.join(inside, name)).st_size)
    return found


def descendants(pid: int) -> list[int]:
    """Return all descendants of a process."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError, IndexError, ValueError):
                stat = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
                if stat[0] != "Z":
                    parents.setdefault(int(stat[1]), []).append(int(entry.name))
    found: list[int] = []
    todo = [pid]
    for each in todo:
        todo += parents.get(each, [])
        found += parents.get(each, [])
    return sorted(found)


def resident(pid: int) -> int:
    """Return the resident memory of a process in bytes."""
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    return 0


def of_soak(into: Path) -> list[int]:
    """Return the remaining processes of the campaign."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            with suppress(OSError):
                if f"{into}/tmp".encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
    return found


def checks(soak: Soak, fills: int) -> list[tuple[bool, str]]:
    """Return the checks at the end: whether each one holds, and a description."""
    recorded = history.read(soak.run)
    last = recorded.last
    counters = last.counters if last else {}
    events = Tally(event for _, event in soak.events)
    lines = [line.split() for line in _lines(soak.into / "solver-events")]
    trouble = {kind: len({line[1] for line in lines if line[0] == kind}) for kind in {line[0] for line in lines}}
    findings = soak.run.findings
    dropped = (findings / DROPPED).read_text().split() if (findings / DROPPED).exists() else []
    kept = {path.name for folder in (findings, findings / SURPLUS) for path in finding_folders(folder)}
    lost = sorted(soak.found - kept - set(dropped))
    without_end = sum(session.end is None for session in recorded.sessions)
    by_disk = sum(session.end is not None and session.end["why"] == "disk" for session in recorded.sessions)
    codes = Tally(code for code, by in soak.exits if by not in ("kill", "disk"))
    crashes = last.crashes if last else 0
    solved = last.solved if last else 0
    hangs = counters.get("hang", 0)
    suspected = counters.get("contradicting", 0)
    return [
        (
            solved > 0,
            f"solved {solved} mutants in {len(recorded.sessions)} sessions",
        ),
        (not lost, f"findings: {len(soak.found)} seen, {len(kept)} present, lost: {', '.join(lost) or 'none'}"),
        (
            without_end <= events["kill parent"] + fills,
            f"{events['kill parent']} kills of the parent, {without_end} sessions without a recorded end",
        ),
        (recorded.damaged <= events["kill parent"] + fills, f"{recorded.damaged} damaged lines of statistics"),
        (set(codes) <= {0, EXIT_OURS}, f"exit codes of sessions that were not killed: {dict(codes)}"),
        (
            all(code in (EXIT_USAGE, -signal.SIGKILL) for code, by in soak.exits if by == "disk"),
            f"{fills} full disks, {by_disk} recorded, exit codes {[c for c, by in soak.exits if by == 'disk']}",
        ),
        (
            not events["kill child"] or (last is not None and last.replaced + len(soak.exits) > 1),
            f"{events['kill child']} kills of children, {last.replaced if last else 0} workers replaced",
        ),
        (
            crashes >= (trouble.get("crash", 0) > 0),
            f"{trouble.get('crash', 0)} systems killed the solver, {crashes} crashes counted",
        ),
        (hangs > 0 or not trouble.get("hang"), f"{trouble.get('hang', 0)} systems hung it, {hangs:.0f} hangs counted"),
        (
            suspected > 0 or not trouble.get("rubbish"),
            f"{trouble.get('rubbish', 0)} systems were answered wrongly, {suspected:.0f} contradictions counted",
        ),
        (True, f"{trouble.get('flood', 0)} systems flooded the output; the log has {_megabytes(soak.into / 'log')} MB"),
        (counters.get("refused", 0) > 0, f"{counters.get('refused', 0):.0f} units refused (noise)"),
        (
            not counters.get("own_errors"),
            f"{counters.get('own_errors', 0):.0f} internal errors",
        ),
        (not of_soak(soak.into), f"processes left behind: {len(of_soak(soak.into))}"),
        (
            not list((soak.into / "tmp").glob("chcfuzz-campaign-*")),
            f"temporary folders left behind: {len(list((soak.into / 'tmp').glob('chcfuzz-campaign-*')))}",
        ),
    ]


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def _megabytes(path: Path) -> int:
    return path.stat().st_size >> 20


def plot(soak: Soak, into: Path) -> None:
    """Plot executions, memory and files over time, with the faults."""
    from plotly import graph_objects as go
    from plotly.subplots import make_subplots

    shown = make_subplots(3, 1, shared_xaxes=True, subplot_titles=("solved", "memory, MiB", "run folder, MiB"))
    points = history.read(soak.run).points
    # The campaign's clock stops between sessions; that of the soak test does not.
    shown.add_trace(go.Scatter(x=[p.seconds for p in points], y=[p.solved for p in points], name="solved"), 1, 1)
    seconds = [sample["seconds"] for sample in soak.samples]
    for row, name in ((2, "memory"), (3, "bytes"), (3, "temporary")):
        values = [sample[name] / 2**20 for sample in soak.samples]
        shown.add_trace(go.Scatter(x=seconds, y=values, name=name), row, 1)
    for at, event in soak.events:
        if event.startswith(("kill parent", "fill")):
            colour = "crimson" if event.startswith("fill") else "grey"
            shown.add_vline(x=at, line_width=1, line_color=colour, opacity=0.5)
    shown.update_layout(height=900, title="Soak test: grey lines are kills of the parent, red ones full disks")
    shown.write_html(into, include_plotlyjs=True)


def mounted(folder: Path) -> bool:
    """Mount a small disk on a new folder; return False if that is not allowed."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={_DISK}", "tmpfs", str(folder)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def main() -> int:
    """Run the soak test; return 1 if a check fails."""
    flags = parser(__doc__)
    flags.add_argument("--into", type=Path, required=True, metavar="DIR", help="a new folder")
    flags.add_argument("--minutes", type=float, default=60.0, metavar="M")
    flags.add_argument("--kills", type=int, default=100, metavar="N")
    flags.add_argument("--workers", type=int, default=2, metavar="N")
    flags.add_argument("--seed", type=int, default=1, metavar="N")
    flags.add_argument("--z3-library", metavar="DIR", help="a traced build, instead of the wheel")
    given = flags.parse_args()
    Solving().activate()
    into = given.into.resolve()
    for folder in (into, into / "tmp", into / "noise"):
        folder.mkdir()
    drawn = random.Random(given.seed)
    for number in range(_NOISE // _NOISE_FILE):  # half are random bytes, half begin like a system
        begins = b"(set-logic HORN)\n(assert (" if number % 2 else b""
        noise = begins + drawn.randbytes(_NOISE_FILE - len(begins))
        (into / "noise" / f"noise-{number}").write_bytes(noise)
    has_disk = mounted(into / "disk")
    print(
        "soak: the run folder is on a separate disk"
        if has_disk
        else "soak: no separate disk (needs root), so it is not filled"
    )
    library = [f"--z3-library={Path(given.z3_library).resolve()}"] if given.z3_library else []
    soak = Soak(into, given.workers, given.seed, tuple(library))
    try:
        return _soak(soak, given, drawn, has_disk)
    finally:
        if soak.process is not None:
            soak.process.kill()  # its workers end with it
            soak.process.wait()
        if has_disk:
            subprocess.run(["cp", "-a", str(into / "disk" / "run"), str(into / "run")], check=False)
            subprocess.run(["umount", "-l", str(into / "disk")], check=False)


def _soak(soak: Soak, given: Any, drawn: random.Random, has_disk: bool) -> int:
    length = 60 * given.minutes
    kills = sorted(drawn.uniform(5, 0.95 * length) for _ in range(given.kills))
    fills = [drawn.uniform(part * length, (part + 0.2) * length) for part in (0.25, 0.7)] if has_disk else []
    number_of_fills = len(fills)
    soak.begin()
    while soak.seconds < length:
        time.sleep(_INTERVAL)
        if fills and soak.seconds > fills[0]:
            fills.pop(0)
            soak.fill_disk()
        if kills and soak.seconds > kills[0]:
            kills.pop(0)
            soak.kill(drawn)
        soak.sample()
    soak.free_disk()
    soak.end()
    time.sleep(2)
    results = checks(soak, number_of_fills)
    for holds, description in results:
        print(f"{'ok  ' if holds else 'FAIL'} {description}")
    content = {
        "exits": soak.exits,
        "events": soak.events,
        "samples": soak.samples,
        "checks": [{"holds": holds, "description": description} for holds, description in results],
    }
    write_json(soak.into / "soak.json", content)
    write_json(given.json, content)
    plot(soak, soak.into / "soak.html")
    page = [str(Path(sys.executable).parent / "chcfuzz"), "dashboard", str(soak.run.path)]
    subprocess.run([*page, "--out", str(soak.into / "dashboard.html")], check=False)
    return 0 if all(holds for holds, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
