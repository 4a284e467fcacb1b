"""Compare how soon kinds of campaigns on many seeds find the known wrong answers of one release.

python -m bench.power.mixed --out DIR --arm novelty='--portfolio=novelty --scope=all' --arm default=
python -m bench.power.mixed --out DIR --arm default= --arm none='--features=answers --policy=equal --prices=none'
python -m bench.power.mixed --out DIR --arm default= --release 5.4.1.0 --z3-library TRACED    # with edges

The corpus of a campaign is the clean seeds of all rows of tests/quality/rediscovery/known.toml with the release, and
fifty files of `corpus/`. A campaign has one worker, which shares a processor with its confirmation, and ends after
`--minutes`. A known wrong answer is found at the first confirmed wrong answer for a mutant of its seed. Each campaign
is a run folder DIR/ARM/trial-SEED and a line of DIR/trials.jsonl, and DIR/sides.json has the flags; an interrupted run
continues. Arms take turns, and are compared with the first one. Needs `pip install -e '.[statistics]'` and `taskset`.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from typing import Any

from chcfuzz.campaign.runs import history
from chcfuzz.campaign.runs.history import History
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.grammar.reading import parse
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.triage.findings.record import FolderName
from chcfuzz.triage.findings.store import finding_folders

from bench.campaigns import CORPUS, ROOT, SPACER, ResultFile, print_table
from bench.power import power

OTHERS = 50  # files of the corpus


@dataclass(frozen=True)
class Campaign:
    """One campaign that has ended. `found` has its numbers at the first finding of each bug, `end` those at its end."""

    arm: str
    seed: int
    minutes: float
    release: str
    found: Mapping[str, Mapping[str, float]]
    end: Mapping[str, float]
    kinds: Mapping[str, int]

    @property
    def key(self) -> tuple[str, int, float, str]:
        """Equal for campaigns that need not be run again."""
        return self.arm, self.seed, self.minutes, self.release

    def trials(self, bugs: Iterable[str]) -> list[power.Trial]:
        """Return the campaign as a trial for each bug."""
        return [power.Trial(self.arm, bug, self.seed, "finding", 0, self.found.get(bug), self.end) for bug in bugs]


def seeds_into(folder: Path, release: str) -> list[str]:
    """Write the corpus of every campaign into a folder; return the names of the bugs."""
    known: dict[str, Any] = tomllib.loads((power.BUGS / "known.toml").read_text())
    bugs = [name for name, row in known.items() if row["release"] == release]
    if not bugs:
        raise SystemExit(f"no known wrong answer is of {release!r}; known.toml has the releases")
    files = sorted(CORPUS.rglob("*.smt2"))
    others = [files[number * len(files) // OTHERS] for number in range(OTHERS)]
    shutil.rmtree(folder, ignore_errors=True)  # seeds of another release
    folder.mkdir(parents=True)
    for file in (*(power.BUGS / f"{bug}.smt2" for bug in bugs), *others):
        shutil.copyfile(file, folder / file.name)
    return bugs


def command(flags: str, seed: int, folder: Path, given: argparse.Namespace) -> list[str]:
    """Return the command line of a campaign."""
    solver = f"--z3-library={given.z3_library}" if given.z3_library else f"--z3={given.release}"
    limits = [f"-max_total_time={given.minutes * 60:.0f}", "--finish-seconds=1", f"-seed={seed}", "--quiet"]
    words = [sys.executable, str(SPACER), solver, f"--run-dir={folder}", *limits, *shlex.split(flags)]
    return [*words, str(given.out / "seeds")]


def run(arm: str, flags: str, seed: int, processor: int, given: argparse.Namespace) -> Campaign:
    """Run one campaign on one processor, and return its result."""
    folder = given.out / arm / f"trial-{seed:03}"
    shutil.rmtree(folder, ignore_errors=True)  # an interrupted campaign
    folder.parent.mkdir(parents=True, exist_ok=True)
    pinned = ["taskset", "--cpu-list", str(processor), *command(flags, seed, folder, given)]
    done = subprocess.run(pinned, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise SystemExit(f"a campaign of {arm!r} failed with exit code {done.returncode}:\n{done.stderr[-2000:]}")
    past = history.read(RunFolder(folder))
    assert past.last is not None, "a campaign that ended has statistics"
    found = {bug: at(past, seconds) for bug, seconds in first_found(folder, past, given.bugs).items()}
    end = at(past, past.last.seconds)
    return Campaign(arm, seed, given.minutes, given.release, found, end, past.last.findings)


def first_found(folder: Path, past: History, bugs: Iterable[str]) -> dict[str, float]:
    """Return the seconds until the first wrong answer for a mutant of each bug's seed."""
    clauses = {bug: parse.parse((power.BUGS / f"{bug}.smt2").read_text()).clauses for bug in bugs}
    seen = past.first_seen()
    first: dict[str, float] = {}
    for finding in finding_folders(RunFolder(folder).findings):
        seconds = seen.get(finding.name)
        if seconds is None or FolderName.parse(finding.name).kind != VerdictKind.WRONG_ANSWER.value:
            continue
        seed = parse.parse((finding / "seed.smt2").read_text()).clauses
        for bug in (bug for bug, system in clauses.items() if system == seed):
            first[bug] = min(seconds, first.get(bug, seconds))
    return first


def at(past: History, seconds: float) -> dict[str, float]:
    """Return the numbers of a campaign at a time: those of its next line of statistics, at most a hundredth later."""
    point = next(point for point in past.points if point.seconds >= seconds or point is past.last)
    numbers = {"executions": point.executions, "solved": point.solved, "traces": point.traces}
    return {"seconds": seconds, "solver_seconds": point.counters["solver_time"], **numbers}


def measured(arms: Mapping[str, str], given: argparse.Namespace) -> list[Campaign]:
    """Run every campaign that the file does not have yet, one on each processor at a time."""
    file = ResultFile(given.out / "trials.jsonl", Campaign)
    done = {campaign.key: campaign for campaign in file.read()}
    keys = [(arm, seed, given.minutes, given.release) for seed in range(1, given.trials + 1) for arm in arms]
    wanted = [key[:2] for key in keys if key not in done]
    processors: SimpleQueue[int] = SimpleQueue()
    for processor in range(given.jobs):
        processors.put(processor)

    def run_next(job: tuple[str, int]) -> Campaign:
        arm, seed = job
        processor = processors.get()
        try:
            return run(arm, arms[arm], seed, processor, given)
        finally:
            processors.put(processor)

    with ThreadPoolExecutor(given.jobs) as threads:
        for campaign in threads.map(run_next, wanted):
            file.add(campaign)
            done[campaign.key] = campaign
            print(f"{campaign.arm}, seed {campaign.seed}: {sorted(campaign.found)}", file=sys.stderr, flush=True)
    return [done[key] for key in keys]


def arm(text: str) -> tuple[str, str]:
    """Return the name and the flags of an arm."""
    name, equals, flags = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=FLAGS; for the default flags, write {text}=")
    return name, flags


def main() -> None:
    """Run the campaigns, and print a comparison of each arm with the first one."""
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--out", type=Path, required=True, metavar="DIR", help="raw data and run folders")
    flags.add_argument(
        "--arm", type=arm, action="append", required=True, metavar="NAME=FLAGS", help="a kind of campaigns"
    )
    flags.add_argument("--release", default="4.13.4.0", metavar="VERSION", help="whose known wrong answers count")
    flags.add_argument("--z3-library", type=Path, metavar="DIR", help="the solver, in place of the release")
    flags.add_argument("--minutes", type=float, default=15, metavar="N", help="(default: %(default)s)")
    flags.add_argument("--trials", type=int, default=6, metavar="N", help="seeds of libFuzzer (default: %(default)s)")
    flags.add_argument("--jobs", type=int, default=1, metavar="N", help="processors (default: %(default)s)")
    given = flags.parse_args()
    arms = dict(given.arm)
    sides = [power.Subject(name, ROOT, flags) for name, flags in arms.items()]
    given.out.mkdir(parents=True, exist_ok=True)
    power.check_sides(sides, given.out / "sides.json")
    given.bugs = seeds_into(given.out / "seeds", given.release)
    campaigns = measured(arms, given)
    trials = [trial for campaign in campaigns for trial in campaign.trials(given.bugs)]
    first, *others = sides
    for other in others:
        for measure in ("solver_seconds", "seconds", "executions"):
            print(f"\n{measure} to the first confirmed finding:")
            print_table(power.table(trials, (first, other), given.bugs, measure))
    print()
    ends = ("executions", "solved", "traces", "solver_seconds")
    rows: list[list[object]] = [["medians at the end", *ends]]
    rows += [[arm, *(median(c.end[name] for c in campaigns if c.arm == arm) for name in ends)] for arm in arms]
    print_table(rows)


if __name__ == "__main__":
    main()
