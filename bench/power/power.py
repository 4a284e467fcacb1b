"""Compare how soon two kinds of campaigns find known wrong answers (tests/quality/rediscovery), with statistics.

python -m bench.power.power --out DIR --a='--portfolio=novelty' --b=''  # two sets of flags, every bug, ten trials
python -m bench.power.power --out DIR --a='' --b='' --b-tree ../other-checkout  # two commits, each with its own .venv
python -m bench.power.power --out DIR --a='...' --b='...' --bug select-of-store --trials 20 --jobs 2

A trial is a campaign of one worker on the clean seed of one bug, under the release that has it. It ends at the first
answer that contradicts the truth (`--until finding`: at the first confirmed finding), or after `--runs` executions:
then it is censored. Times depend on the load of the machine; executions and `solver_work`, the solver's resource count,
do not. Each trial is a line of DIR/trials.jsonl, DIR/sides.json has the flags, and an interrupted run continues.
Takes about ten seconds a trial on a quiet machine. Needs `pip install -e '.[statistics]'`.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chcfuzz.experiments.statistics import Sample, compared, geometric_mean, holm, median_interval, p_text, survival

from bench.campaigns import ROOT, ResultFile, print_table, summary_of

BUGS = ROOT / "tests" / "quality" / "rediscovery"
MEASURES = ("executions", "solver_work", "solver_seconds", "seconds")


@dataclass(frozen=True)
class Subject:
    """One side of the comparison: the project's folder, whose `.venv` runs it, and the flags of its campaigns."""

    name: str
    tree: Path
    flags: str

    @property
    def command(self) -> list[str]:
        """The start of a campaign's command line."""
        python = self.tree / ".venv" / "bin" / "python"
        program = str(python) if python.exists() else sys.executable
        return [program, str(self.tree / "fuzz_targets" / "spacer.py"), *shlex.split(self.flags)]


@dataclass(frozen=True)
class Trial:
    """One campaign that was run. `event` has the measures at the event, or is None where it was censored."""

    subject: str
    bug: str
    seed: int
    until: str
    runs: int
    event: Mapping[str, float] | None
    end: Mapping[str, float]

    @property
    def key(self) -> tuple[str, str, int, str, int]:
        """Equal for trials that need not be run again."""
        return self.subject, self.bug, self.seed, self.until, self.runs


def run(subject: Subject, bug: str, release: str, seed: int, given: argparse.Namespace) -> Trial:
    """Run one campaign to the event or its end."""
    with tempfile.TemporaryDirectory(prefix="chcfuzz-bench-") as folder:
        corpus = Path(folder, "corpus")
        corpus.mkdir()
        (corpus / f"{bug}.smt2").write_bytes((BUGS / f"{bug}.smt2").read_bytes())
        limits = [f"-runs={given.runs}", f"-seed={seed}", f"--stop-at-first={given.until}", "--status-seconds=0.3"]
        if given.until == "contradiction":
            limits.append("--finish-seconds=0.1")  # confirmation would only take time
        command = [*subject.command, f"--z3={release}", f"--findings={folder}/findings", *limits, str(corpus)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    summary = summary_of(done.stdout)
    if done.returncode != 0 or not summary:
        raise SystemExit(f"a campaign on {bug} failed with exit code {done.returncode}:\n{done.stderr[-2000:]}")
    end = {measure: summary[measure] for measure in MEASURES if measure in summary}
    return Trial(subject.name, bug, seed, given.until, given.runs, summary["first"].get(given.until), end)


def check_sides(subjects: Sequence[Subject], file: Path) -> None:
    """Note the checkout and the flags of each side in a file; exit if the file has others for the name of a side."""
    noted: dict[str, list[str]] = json.loads(file.read_text()) if file.exists() else {}
    for side in subjects:
        own = [str(side.tree), side.flags]
        if noted.setdefault(side.name, own) != own:
            tree, flags = noted[side.name]
            raise SystemExit(
                f"{str(file)!r} has other campaigns for {side.name!r} (flags {flags!r}, checkout {tree!r}); "
                "name another --out, or the side differently"
            )
    file.write_text(json.dumps(noted, indent=1) + "\n")


def measured(subjects: Sequence[Subject], bugs: Mapping[str, Any], given: argparse.Namespace) -> list[Trial]:
    """Run every trial that the file does not have yet; sides take turns, so that a busy machine slows both alike."""
    file = ResultFile(given.out / "trials.jsonl", Trial)
    done = {trial.key: trial for trial in file.read()}
    wanted = [
        (subject, bug, seed)
        for seed in range(1, given.trials + 1)
        for bug in bugs
        for subject in subjects
        if (subject.name, bug, seed, given.until, given.runs) not in done
    ]
    with ThreadPoolExecutor(given.jobs) as threads:
        results: Iterator[Trial] = threads.map(
            lambda job: run(job[0], job[1], bugs[job[1]]["release"], job[2], given), wanted
        )
        for number, trial in enumerate(results, 1):
            file.add(trial)
            done[trial.key] = trial
            print(
                f"{number} of {len(wanted)}: {trial.subject}, {trial.bug}, seed {trial.seed}",
                file=sys.stderr,
                flush=True,
            )
    keys = {
        (subject.name, bug, seed, given.until, given.runs)
        for subject in subjects
        for bug in bugs
        for seed in range(1, given.trials + 1)
    }
    return [trial for trial in done.values() if trial.key in keys]


def sample(trials: Iterable[Trial], measure: str) -> Sample:
    """Return the values of one measure, censored ones at the end of their campaign."""
    each = list(trials)
    values = tuple((trial.end if trial.event is None else trial.event)[measure] for trial in each)
    return Sample(values, tuple(trial.event is None for trial in each))


def table(
    trials: Sequence[Trial], subjects: Sequence[Subject], bugs: Iterable[str], measure: str
) -> list[list[object]]:
    """Return the comparison as rows of cells: a line a bug, and the geometric mean of the ratios of medians."""
    a, b = subjects
    pairs = {
        bug: tuple(sample((t for t in trials if (t.bug, t.subject) == (bug, side.name)), measure) for side in subjects)
        for bug in bugs
    }
    comparisons = {bug: compared(*pair) for bug, pair in pairs.items()}
    corrected = dict(zip(comparisons, holm([found.p for found in comparisons.values()]), strict=True))
    rows: list[list[object]] = [
        ["bug", f"median {a.name}", "95 %", "found", f"median {b.name}", "95 %", "found", "A12", "p (Holm)"]
    ]
    ratios = []
    for bug, pair in pairs.items():
        cells: list[object] = []
        for side in pair:
            interval = median_interval(side)
            cells += [
                _number(side.median),
                f"{_number(interval.low)} to {_number(interval.high)}",
                f"{side.events} of {len(side.values)}",
            ]
        rows.append([bug, *cells, f"{comparisons[bug].a12:.2f}", p_text(corrected[bug])])
        ratios.append(_or_end(pair[1]) / _or_end(pair[0]))
    rows.append(["geometric mean of B / A", *[""] * 6, f"{geometric_mean(ratios):.2f}", ""])
    return rows


def _or_end(side: Sample) -> float:
    """Return the median; if it is censored, the median of the ends of trials, which is less than the truth."""
    return side.median if side.median != float("inf") else Sample(side.values, (False,) * len(side.values)).median


def _number(value: float) -> str:
    return "never" if value == float("inf") else f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def main() -> None:
    """Run the trials and print a table for each measure."""
    known = tomllib.loads((BUGS / "known.toml").read_text())
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--out", type=Path, required=True, metavar="DIR", help="raw data and results")
    for side in ("a", "b"):
        flags.add_argument(f"--{side}", default="", metavar="FLAGS", help="flags of this side's campaigns")
        flags.add_argument(f"--{side}-tree", type=Path, default=ROOT, metavar="DIR", help="its checkout, with a .venv")
        flags.add_argument(f"--{side}-name", default=side.upper(), metavar="NAME", help="its name in the results")
    flags.add_argument("--bug", action="append", choices=sorted(known), help="only this one; may be repeated")
    flags.add_argument("--trials", type=int, default=10, metavar="N", help="seeds of libFuzzer (default: %(default)s)")
    flags.add_argument(
        "--runs", type=int, default=600, metavar="N", help="executions of a trial (default: %(default)s)"
    )
    flags.add_argument("--until", choices=("contradiction", "finding"), default="contradiction")
    flags.add_argument("--jobs", type=int, default=1, metavar="N", help="campaigns at a time (default: %(default)s)")
    given = flags.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    subjects = (
        Subject(given.a_name, given.a_tree.resolve(), given.a),
        Subject(given.b_name, given.b_tree.resolve(), given.b),
    )
    check_sides(subjects, given.out / "sides.json")
    bugs = {name: row for name, row in known.items() if name in (given.bug or known)}
    trials = measured(subjects, bugs, given)
    for measure in (name for name in MEASURES if all(name in trial.end for trial in trials)):
        print(f"\n{measure} to the first {given.until}:")
        print_table(table(trials, subjects, bugs, measure))
    curves = {
        side.name: {
            bug: survival(sample((t for t in trials if (t.bug, t.subject) == (bug, side.name)), "executions"))
            for bug in bugs
        }
        for side in subjects
    }
    (given.out / "survival.json").write_text(json.dumps(curves, indent=1) + "\n")


if __name__ == "__main__":
    main()
