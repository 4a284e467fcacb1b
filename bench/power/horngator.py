"""Run HornGator (ASE 2025) and chcfuzz on the same seeds and releases of Z3, for the same processor time.

python -m bench.power.horngator --peer CHECKOUT --into DIR
python -m bench.power.horngator --peer CHECKOUT --into DIR --release 4.13.4.0 --trials 1 --minutes 1 --seeds imported
python -m bench.power.horngator ... --release 4.13.4.0 --seeds FILE --numbers CHECKOUT/bug_info/spacer/12.txt

CHECKOUT is your clone of its public repository (Rigorous-Software-Engineering/HornGator, measured at 5b29db9); its
programs are copied into DIR, because it writes beside them. Both tools get the files of `--seeds`, and those in its
folders. They should be of CHC-COMP: HornGator reads no other form of clauses, and few files of `corpus/`. A trial ends
when a tool and all that it has started have used the processor time. HornGator ends at each bug, and at each file that
it does not read, and is started again with another random seed; the first ones can be those with which its authors
measured (`--numbers`). It gets no Eldarica, whose answer it would only print. Each system of a campaign in which it
reports a bug is then a seed of a chcfuzz campaign without mutants, so that the findings of both are confirmed and
counted in the same way, by kind and by different signatures. `chcfuzz triage` on the folders groups them by cause.

DIR/trials.jsonl has a line for each trial of a tool. An interrupted run continues: 40 trials of ten minutes take seven
hours of one processor.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import psutil
from chcfuzz.campaign.runs.run_folder import RunFolder
from chcfuzz.execution.flags import positive, positive_float
from chcfuzz.execution.solving import UsageError
from chcfuzz.experiments.statistics import Sample, compared, median_interval, p_text
from chcfuzz.oracles.verdict import VerdictKind
from chcfuzz.solvers import python, z3_release
from chcfuzz.solvers.process_group import ProcessGroup, Streams
from chcfuzz.triage.findings.record import FolderName
from chcfuzz.triage.findings.store import finding_folders

from bench.campaigns import SPACER, ResultFile, alone, check_settings, print_table, run_as_program

PEER, OWN = "horngator", "chcfuzz"
LOG = Path("peer", "log.csv")  # of HornGator, in the folder of a trial
RELEASES = ("4.13.4.0", "5.4.1.0")
_POLL = 0.5  # seconds between two looks at the processor time
_FINISH = 120  # seconds in which chcfuzz confirms what it has found, beyond the processor time
_DECIDED = ("SolverResult.SAT", "SolverResult.UNSAT")
_NO_ELDARICA = "#!/bin/sh\necho unknown\n"
_STEPS_APART = 1_000_003  # between the seeds of two trials


class Trial(msgspec.Struct, frozen=True):
    """A trial of a tool that has ended; `decided` counts mutants, `starts` the processes of the tool."""

    tool: str
    release: str
    seed: int
    processor_seconds: float
    decided: int
    findings: Mapping[str, int]
    signatures: int
    starts: int


@dataclass(frozen=True)
class Setting:
    """Everything that all trials share."""

    peer: Path
    into: Path
    seconds: float
    numbers: Sequence[int]  # the random seed of HornGator's first start, by trial

    @property
    def seeds(self) -> Path:
        """The folder with the seeds of both tools."""
        return self.into / "seeds"

    def folder(self, tool: str, release: str, seed: int) -> Path:
        """Return the folder of a trial."""
        return self.into / f"{tool}-{release}-{seed:02}"


def used(process: int) -> float:
    """Return the processor time of a process, of those that it has waited for, and of those that it has running."""
    try:
        parent = psutil.Process(process)
        family = [parent, *parent.children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0.0
    return sum(_own_time(each) for each in family)


def _own_time(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(times.user + times.system + times.children_user + times.children_system)


def run_until(words: Sequence[str], seconds: float, folder: Path, home: Path | None = None, grace: float = 0) -> float:
    """Run a program until it ends or has used this processor time, and return what it has used.

    Then it has `grace` seconds of the clock after SIGTERM. Its output is in `folder`.
    """
    environment = python.environment() if home is None else {**os.environ, "HOME": str(home), "PYTHONPATH": ""}
    spent, before = 0.0, _time_of_ended()
    with open(folder / "output", "ab") as output:
        streams = Streams(subprocess.DEVNULL, output, output)
        with ProcessGroup(words, streams, environment, folder) as process:
            while not process.has_exited(_POLL):
                spent = max(spent, used(process.pid))
                if spent >= seconds:
                    process.close(grace)
                    return spent
    return max(spent, _time_of_ended() - before)  # it may have ended between two looks


def _time_of_ended() -> float:
    """Return the processor time of the processes that this one has waited for, and of those that they have."""
    times = os.times()
    return times.children_user + times.children_system


def repeated(
    command: Callable[[int], Sequence[str]], seconds: float, folder: Path, home: Path | None = None
) -> Iterator[float]:
    """Run a program, again when it ends, until all its runs have used this processor time.

    `command` returns the words of a run by its number from 0 on. Yields what all have used after each run. Raises
    `UsageError` for a run that used no time: it would be started again without end.
    """
    spent = 0.0
    for number in itertools.count():
        used_now = run_until(command(number), seconds - spent, folder, home)
        if not used_now:
            raise UsageError(f"a program used no processor time; see {str(folder / 'output')!r}")
        spent += used_now
        yield spent
        if spent >= seconds:
            return


@dataclass(frozen=True)
class Peer:
    """HornGator from a clone, with the folder of its seeds and its program of Z3."""

    clone: Path
    seeds: Path
    program: Path

    def run(self, folder: Path, seconds: float, number: int) -> tuple[float, int]:
        """Run it until it has used this processor time; return the time, and the number of starts.

        The first start has the random seed `number`, and each later one the next. `folder` gets a copy of HornGator,
        the file `LOG`, and the systems of each report. Raises `UsageError` if HornGator does not start.
        """
        copy, home = folder / "peer", folder / "home"
        shutil.copytree(self.clone / "horngator", copy / "horngator")
        _make_home(home, self.program)

        def command(start: int) -> list[str]:
            return [sys.executable, "horngator", "-t", "spacer", "-s", str(number + start), str(self.seeds)]

        times = []
        for spent in repeated(command, seconds, copy, home):
            times.append(spent)
            for bug in copy.glob("bug_*"):
                bug.rename(folder / f"reported-{len(times):03}-{bug.name}")
            if not (folder / LOG).exists():
                raise UsageError(f"HornGator does not start; see {str(copy / 'output')!r}")
        return times[-1], len(times)


def first_number(seed: int) -> int:
    """Return the random seed of HornGator's first start in a trial, far from those of other trials."""
    return seed * _STEPS_APART


def read_numbers(file: Path, trials: int) -> list[int]:
    """Return the first random seeds in a file of HornGator's `bug_info`. Raises `UsageError` for fewer than trials."""
    try:
        words = file.read_text(errors="replace").split()
    except OSError as error:
        raise UsageError(f"cannot read {str(file)!r}: {error.strerror}") from error
    if bad := next((word for word in words if not word.isascii() or not word.isdigit()), None):
        raise UsageError(f"{bad!r} in {str(file)!r} is no random seed; each line should be a number")
    if len(words) < trials:
        raise UsageError(f"{str(file)!r} has {len(words)} random seeds for {trials} trials; give fewer --trials")
    return [int(word) for word in words[:trials]]


def _make_home(home: Path, program: Path) -> None:
    """Make the folder where HornGator looks for its solvers."""
    for name in ("z3", "z3_debug"):
        build = home / name / "build"
        build.mkdir(parents=True)
        (build / "z3").symlink_to(program.resolve())
    eldarica = home / "eldarica" / "eld"
    eldarica.parent.mkdir()
    eldarica.write_text(_NO_ELDARICA)
    eldarica.chmod(0o755)


def check_clone(peer: Path) -> None:
    """Raise `UsageError` for a folder without HornGator."""
    if not (peer / "horngator" / "__main__.py").is_file():
        raise UsageError(f"{str(peer)!r} is no clone of HornGator: it lacks horngator/__main__.py")


def decided_in(log: Path) -> int:
    """Return the number of mutants in HornGator's log whose answer is sat or unsat."""
    if not log.exists():
        return 0
    with open(log, newline="", errors="replace") as stream:
        rows = [row for row in csv.reader(stream) if len(row) > 5]
    return sum(row[1] != "init" and row[5] in _DECIDED for row in rows)


def own_trial(setting: Setting, release: str, seed: int) -> Trial:
    """Run chcfuzz once. Raises `UsageError` if the campaign fails."""
    folder = setting.folder(OWN, release, seed)
    run, summary = RunFolder(folder / "run"), folder / "summary.json"
    words = [f"--run-dir={folder / 'run'}", f"--json={summary}", f"-seed={seed}", f"--z3={release}", "--quiet"]
    words += [f"--finish-seconds={_FINISH}", str(setting.seeds)]
    spent = run_until([sys.executable, str(SPACER), *words], setting.seconds, folder, grace=2 * _FINISH)
    if not summary.exists():
        raise UsageError(f"a campaign of chcfuzz ended without a summary; see {str(folder / 'output')!r}")
    numbers = json.loads(summary.read_text())
    kinds, signatures = counted_findings(run.findings)
    undecided = numbers["undecided"] - numbers["seeds"]["none"]  # the summary counts seeds without an answer, too
    return Trial(OWN, release, seed, round(spent, 1), numbers["mutants"] - undecided, kinds, signatures, 1)


def peer_trial(setting: Setting, release: str, seed: int) -> Trial:
    """Run HornGator until its processor time is used, and examine what it reports."""
    program = z3_release.released(release).executable
    if program is None:
        raise UsageError(f"z3-solver {release} has no program; name another --release")
    folder = setting.folder(PEER, release, seed)
    spent, starts = Peer(setting.peer, setting.seeds, program).run(folder, setting.seconds, setting.numbers[seed - 1])
    kinds, signatures = examined(folder, release)
    return Trial(PEER, release, seed, round(spent, 1), decided_in(folder / LOG), kinds, signatures, starts)


def examined(folder: Path, release: str) -> tuple[dict[str, int], int]:
    """Return the findings of a campaign without mutants on the systems of the reports in a folder."""
    reports = sorted(folder.glob("reported-*"))
    if not reports:
        return {}, 0
    findings = folder / "findings"
    words = [f"--findings={findings}", f"--z3={release}", "-runs=1", f"--finish-seconds={_FINISH}", "--quiet"]
    done = subprocess.run(
        [sys.executable, str(SPACER), *words, *map(str, reports)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise UsageError(f"the reports in {str(folder)!r} are not examined: {done.stderr.strip()[-300:]}")
    return counted_findings(findings)


def counted_findings(folder: Path) -> tuple[dict[str, int], int]:
    """Return the number of confirmed findings of each kind, and of different signatures."""
    names = [FolderName.parse(each.name) for each in finding_folders(folder)]
    return dict(sorted(Counter(name.kind for name in names).items())), len({name.signature for name in names})


def table(found: Sequence[Trial]) -> list[list[object]]:
    """Return the medians of both tools for each release; A12 above 0.5 means that chcfuzz decides more mutants."""
    header = ["release", "tool", "trials", "decided", "95 %", "A12", "p", "findings by kind", "signatures"]
    return [
        [*header, "trials with a wrong answer"],
        *(row for release in sorted({each.release for each in found}) for row in _rows(found, release)),
    ]


def _rows(found: Sequence[Trial], release: str) -> Iterator[list[object]]:
    sides = {tool: [each for each in found if (each.tool, each.release) == (tool, release)] for tool in (PEER, OWN)}
    samples = {
        tool: Sample(tuple(float(each.decided) for each in own), (False,) * len(own))
        for tool, own in sides.items()
        if own
    }
    both = compared(samples[OWN], samples[PEER]) if len(samples) > 1 else None
    for tool, sample in samples.items():
        interval, kinds = median_interval(sample), Counter[str]()
        for each in sides[tool]:
            kinds.update(each.findings)
        said = ", ".join(f"{kind} {number}" for kind, number in sorted(kinds.items())) or "none"
        statistics = [f"{both.a12:.2f}", p_text(both.p)] if both is not None and tool == OWN else ["", ""]
        medians = [f"{sample.median:.0f}", f"{interval.low:.0f} to {interval.high:.0f}"]
        signatures = sum(each.signatures for each in sides[tool])
        wrong = sum(VerdictKind.WRONG_ANSWER.value in each.findings for each in sides[tool])
        yield [release, tool, str(len(sides[tool])), *medians, *statistics, said, str(signatures), str(wrong)]


def write_seeds(given: Sequence[Path], into: Path, *, has_results: bool) -> None:
    """Write the numbered seeds of both tools. Raises `UsageError` without seeds, and for others than results have."""
    files = [file for each in given for file in ([each] if each.is_file() else sorted(each.rglob("*.smt2")))]
    if not files:
        raise UsageError(f"no .smt2 file in {', '.join(map(str, given))}; name other --seeds")
    names = [f"{number:05}-{file.name}" for number, file in enumerate(files)]
    if has_results and sorted(each.name for each in into.iterdir()) != names:
        raise UsageError(f"the results are of other seeds, those in {str(into)!r}; name another --into")
    into.mkdir(parents=True, exist_ok=True)
    for name, file in zip(names, files, strict=True):
        shutil.copyfile(file, into / name)


def measured(setting: Setting, releases: Sequence[str], trials: int, results: ResultFile[Trial]) -> list[Trial]:
    """Run the trials without a result, the tools in turn, and return the results of all."""
    known = {(each.tool, each.release, each.seed): each for each in results.read()}
    runs = {PEER: peer_trial, OWN: own_trial}
    every = [(tool, release, seed) for seed in range(1, trials + 1) for release in releases for tool in runs]
    for key in every:
        if key not in known:
            shutil.rmtree(setting.folder(*key), ignore_errors=True)
            setting.folder(*key).mkdir(parents=True)
            known[key] = runs[key[0]](setting, *key[1:])
            results.add(known[key])
            print(f"{len(known)} of {len(every)}: {known[key]}", file=sys.stderr, flush=True)
    return [known[key] for key in every]


def _given() -> argparse.Namespace:
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--peer", type=Path, required=True, metavar="DIR", help="your clone of HornGator")
    flags.add_argument("--into", type=Path, required=True, metavar="DIR", help="folders of trials, and results")
    flags.add_argument("--seeds", type=Path, action="append", metavar="PATH", help="(default: its testfiles)")
    flags.add_argument("--numbers", type=Path, metavar="FILE", help="random seeds of HornGator, one for each trial")
    flags.add_argument("--release", action="append", metavar="VERSION", help=f"(default: {' and '.join(RELEASES)})")
    flags.add_argument("--trials", type=positive, default=10, metavar="N", help="of each tool (default: %(default)s)")
    flags.add_argument(
        "--minutes", type=positive_float, default=10.0, metavar="N", help="of processor time (default: %(default)s)"
    )
    return flags.parse_args()


def main() -> None:
    """Run the trials, and print the table."""
    given = _given()
    check_clone(given.peer)
    with alone(given.into):
        every = range(1, given.trials + 1)
        numbers = read_numbers(given.numbers, given.trials) if given.numbers else list(map(first_number, every))
        setting = Setting(given.peer.resolve(), given.into.resolve(), given.minutes * 60, numbers)
        results = ResultFile(setting.into / "trials.jsonl", Trial)
        has_results = bool(results.read())
        own = f" --numbers={given.numbers.resolve()}" if given.numbers else ""
        check_settings(setting.into, f"--minutes={given.minutes}{own}", has_results=has_results)
        write_seeds(given.seeds or [given.peer / "testfiles"], setting.seeds, has_results=has_results)
        print_table(table(measured(setting, given.release or RELEASES, given.trials, results)))


if __name__ == "__main__":
    run_as_program(main)
