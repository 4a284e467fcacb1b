"""Compare the mutants that kinds of campaigns make, by the faults that these mutants reach and notice.

python -m bench.faults.score --z3-library FOLDER --sorted faults --into DIR --jobs 2
python -m bench.faults.score ... --arm no-traces=--features=answers --arm default=  # the first is compared with others
python -m bench.faults.score ... --apart  # the third that is kept apart: only for tables that are published
python -m bench.faults.score ... --arm 'stock=--domain=bench.faults.stock:STOCK -entropic=1'  # with stock traces

A campaign of `bench.faults.run` looks for one fault next to units that reach it. Here a campaign runs without a fault,
from `SEEDS` systems of corpus/ that its seed of libFuzzer chooses, and may go far from them. A sample of what it made
then runs under each fault that it reaches. FOLDER is a build of `bench.faults.build`, and `--sorted` the folder of
`bench.faults.sorting`: the faults are those that few of its units notice, or none. DIR/scores.jsonl has a line for each
campaign. An interrupted run continues. Takes eight minutes of one processor for a campaign.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import math
import shlex
import shutil
import statistics
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import msgspec
from chcfuzz.execution.solving import UsageError
from chcfuzz.experiments.statistics import CONFIDENCE, Sample, compared, p_text
from chcfuzz.experiments.trials import Runner, Trials
from chcfuzz.mutators.recipe import Recipe
from chcfuzz.oracles.verdict import FINDINGS, Subject
from chcfuzz.solvers.process import die_with_parent
from msgspec import structs
from scipy import stats

from bench.campaigns import (
    CORPUS,
    SPACER,
    ResultFile,
    add_numbers,
    alone,
    arms_of,
    print_table,
    run_as_program,
)
from bench.faults.recording import RECORD, Made
from bench.faults.run import arm_flags, measured_faults, sorted_faults
from bench.faults.sorting import RLIMIT, Bench, Seen, State, runs_with

_SOLVER = "bench.faults.solver:Recorder"
_HANGS = 1  # runs of a fault without an end, of eight seconds each
SEEDS = 20  # systems of corpus/ for each campaign
STATES = (State.RARE, State.STUBBORN)
_BY_WITNESSES = {
    kind.value for kind, facts in FINDINGS.items() if facts.subject in (Subject.MODEL, Subject.OUTPUT)
}  # kinds of findings that only the check of a model or a refutation shows
_ALONE = "--judge-solver-steps=off --second-opinion=0 --limit-factor=1 --finish-seconds=600"
SAMPLING = (
    ("--sample", 600, "mutants of a campaign that are tried"),
    ("--number", 100, "faults in each state"),
    ("--tries", 10, "mutants on which a fault is tried"),
)


class Tries(msgspec.Struct, frozen=True, kw_only=True):
    """The faults whose sites a sample of mutants reaches, each with its number of tries.

    `noticed` has how many of these ended in each kind of finding.
    """

    tried: Mapping[int, int]
    noticed: Mapping[int, Mapping[str, int]]


class Score(Tries, frozen=True, kw_only=True):
    """A campaign: `made` different mutants reached these `sites`, and a sample of them is tried on the faults."""

    arm: str
    seed: int
    executions: int
    solver_work: int
    made: int
    sites: tuple[int, ...]


@dataclass(frozen=True)
class Recorded(Trials):
    """The campaigns of an arm, each with its own seeds and a file of what it solved."""

    arm: str
    corpora: Path
    scoring: tuple[str, ...]

    @property
    def content(self) -> dict[str, object]:
        """The content of the file: the flags of the campaigns, and those that decide their scores."""
        return {**super().content, "words": [*self.words, *self.scoring]}

    def command(self, seed: int) -> list[str]:
        """Return the command line of a campaign."""
        own = [f"--run-dir={self.path(seed)}", f"-seed={seed}", "--quiet", f"--json={self.summary(seed)}"]
        variable = f"{RECORD}={self.record(seed)}"
        return ["env", variable, sys.executable, str(SPACER), *own, *self.words, str(self.corpora / str(seed))]

    def summary(self, seed: int) -> Path:
        """Return the file with the summary of a campaign."""
        return self.path(seed).with_suffix(".json")

    def record(self, seed: int) -> Path:
        """Return the file with what a campaign solved. It goes with its folder, which a new start deletes."""
        return self.path(seed) / "made.jsonl"


def chosen_seeds(seed: int) -> list[Path]:
    """Return the systems from which the campaigns with this seed start."""
    files = sorted(CORPUS.rglob("*.smt2"))
    return sorted(files, key=lambda file: order(f"{seed}:{file.relative_to(CORPUS)}"))[:SEEDS]


def order(text: str) -> str:
    """Return a key that sorts texts as if by chance, always the same."""
    return hashlib.sha256(text.encode()).hexdigest()


def sample_of(made: Iterable[Made], number: int) -> dict[str, Recipe]:
    """Return different mutants with predicates, chosen by a hash of their content, as units by the hash."""
    units = {(each.text, each.parameters): Recipe(each.text, (), each.parameters) for each in made if each.is_system}
    return dict(sorted((order(repr(content)), unit) for content, unit in units.items())[:number])


class Scoring:
    """Tries the mutants of campaigns on the faults of a build, `jobs` faults at a time."""

    def __init__(self, given: argparse.Namespace) -> None:
        """Choose the faults by the flags of a program. Raises `UsageError` without the state of a fault."""
        self.library: Path = given.z3_library.resolve()
        self._sample, self._tries, self._jobs = given.sample, given.tries, given.jobs
        found, faults = sorted_faults(given)
        self._faults = [
            each.fault
            for state in STATES
            for each in measured_faults(found, faults, state, is_apart=given.apart)[: given.number]
        ]
        if not self._faults:
            raise UsageError(f"no fault is sorted in {str(given.sorted)!r}; run bench.faults.sorting first")

    @property
    def words(self) -> list[str]:
        """The flags of campaigns without a fault whose runs are recorded."""
        own = [f"--solver={_SOLVER}", f"--z3-library={self.library}", f"--rlimit={RLIMIT}"]
        return [*own, *shlex.split(_ALONE)]

    def score(self, trials: Recorded, seed: int) -> Score:
        """Return the score of a campaign that has ended."""
        numbers = json.loads(trials.summary(seed).read_text())
        made = ResultFile(trials.record(seed), Made).read()
        tried, noticed = self.tries(made)
        return Score(
            arm=trials.arm,
            seed=seed,
            executions=numbers["executions"],
            solver_work=numbers["solver_work"],
            made=len({(each.text, each.parameters) for each in made}),
            sites=tuple(sorted({fault for each in made for fault in each.first})),
            tried=tried,
            noticed=noticed,
        )

    def tries(self, made: Iterable[Made]) -> tuple[dict[int, int], dict[int, Counter[str]]]:
        """Try a sample of mutants on the faults that they reach, and return the fields of `Tries`."""
        units = sample_of(made, self._sample)
        bench = Bench(units, self.library)
        bench.warm_up()
        reaching: dict[int, dict[str, Seen]] = {}
        for unit, seen, sites in bench.runs(0, list(units)):
            for fault in sites if not seen.finding else ():
                reaching.setdefault(fault, {})[unit] = seen
        return self._run(bench, {fault: reaching[fault] for fault in self._faults if fault in reaching})

    def _run(
        self, bench: Bench, reaching: Mapping[int, Mapping[str, Seen]]
    ) -> tuple[dict[int, int], dict[int, Counter[str]]]:
        tried, noticed = {}, {}
        with ProcessPoolExecutor(self._jobs, initializer=die_with_parent) as pool:
            numbers = map(itertools.repeat, (self._tries, _HANGS))
            runs = pool.map(runs_with, itertools.repeat(bench), reaching, reaching.values(), *numbers)
            for fault, after in zip(reaching, runs, strict=True):
                tried[fault] = len(after)
                if kinds := Counter(seen.finding for seen in after.values() if seen.finding):
                    noticed[fault] = kinds
        return tried, noticed


def measured(trials: Sequence[Recorded], jobs: int, scoring: Scoring, results: ResultFile[Score]) -> list[Score]:
    """Run and score the campaigns without a score, those of one seed after the other; return the scores of all."""
    every = [(each, seed) for seed in trials[0].seeds for each in trials]
    wanted = {(each.arm, seed) for each, seed in every}
    known = {key: each for each in results.read() if (key := (each.arm, each.seed)) in wanted}

    def ended(trial: Trials, seed: int, code: int) -> None:
        if code:
            print(f"{trial.path(seed)} ended with exit code {code}", file=sys.stderr, flush=True)

    for seed in trials[0].seeds:
        missing = [each for each in trials if (each.arm, seed) not in known]
        Runner(jobs, ended).run([(each, seed) for each in missing if not each.is_complete(seed)])
        for each in missing:
            if each.is_complete(seed):
                score = scoring.score(each, seed)
                known[each.arm, seed] = score
                results.add(score)
                shutil.rmtree(each.path(seed))
                noticed = f"{len(score.noticed)} of {len(score.tried)} faults"
                print(f"{len(known)} of {len(every)}: {each.arm} {seed}: {noticed}", file=sys.stderr, flush=True)
    return [known[each.arm, seed] for each, seed in every if (each.arm, seed) in known]


def table(found: Sequence[Score], arms: Sequence[str]) -> list[list[object]]:
    """Return the medians of each arm, and what its campaigns noticed together."""
    kinds = sorted({kind for each in found for kinds in each.noticed.values() for kind in kinds})
    names = ("campaigns", "work", "mutants", "sites", "tried", "noticed", "without witnesses", "ever noticed")
    rows: list[list[object]] = [["medians", *names, *kinds]]
    for arm in arms:
        own = [each for each in found if each.arm == arm]
        if not own:
            continue
        numbers = [
            (e.solver_work, e.made, len(e.sites), len(e.tried), len(e.noticed), len(without_witnesses(e).noticed))
            for e in own
        ]
        ever = {fault for each in own for fault in each.noticed}
        by_kind = [len({f for each in own for f, kinds in each.noticed.items() if kind in kinds}) for kind in kinds]
        rows.append([arm, len(own), *map(statistics.median, zip(*numbers, strict=True)), len(ever), *by_kind])
    return rows


def without_witnesses(score: Score) -> Score:
    """Return the score of a campaign that checks no models and refutations, but knows each decided answer."""
    shown = {
        fault: {kind: number for kind, number in kinds.items() if kind not in _BY_WITNESSES}
        for fault, kinds in score.noticed.items()
    }
    return structs.replace(score, noticed={fault: kinds for fault, kinds in shown.items() if kinds})


def gains_by_witnesses(found: Sequence[Score], arms: Sequence[str]) -> list[list[object]]:
    """Return the tests of the scores of each arm beside those of the same campaigns without witnesses."""
    rows = []
    for arm in arms:
        own = [each for each in found if each.arm == arm]
        unaided = [structs.replace(without_witnesses(each), arm="") for each in own]
        head, *compared_rows = comparisons([*unaided, *own], ["", arm])
        rows += compared_rows
    return [["beside no witnesses", *head[1:]], *rows]


def comparisons(found: Sequence[Score], arms: Sequence[str]) -> list[list[object]]:
    """Return the tests of each arm beside the first: pairs of campaigns with the same seed, and pairs of faults.

    The hazard is the share of tries that notice, and *for the work* it is divided by the resource units of the
    campaign. A fault has the number of campaigns that notice it, among the seeds that both arms have.
    """
    by_campaign = ("sites, ratio", "p", "noticed, ratio", "p", "hazard, ratio", "p", "work, ratio", "p")
    for_the_work = ("hazard for the work, ratio", "p")
    rows: list[list[object]] = [["", *by_campaign, *for_the_work, "faults noticed more often", "less often", "p"]]
    for arm in arms[1:]:
        sides = [{each.seed: each for each in found if each.arm == name} for name in (arms[0], arm)]
        seeds = sorted(sides[0].keys() & sides[1].keys())
        if not seeds:
            continue
        first, second = ([side[seed] for seed in seeds] for side in sides)
        cells: list[object] = [arm]
        for name in ("sites", "noticed"):
            before, after = ([len(getattr(each, name)) for each in side] for side in (first, second))
            cells += [f"{sum(after) / max(sum(before), 1):.3f}", signed_rank(before, after)]
        hazards = [hazard_ratio(*pair) for pair in zip(first, second, strict=True)]
        works = [after.solver_work / before.solver_work for before, after in zip(first, second, strict=True)]
        for ratios in (hazards, works, [hazard / work for hazard, work in zip(hazards, works, strict=True)]):
            cells += ratio_cells(ratios)
        less, more = (Counter(fault for each in side for fault in each.noticed) for side in (first, second))
        faults = sorted(less.keys() | more.keys())
        changes = [sum(sign * (more[fault] - less[fault]) > 0 for fault in faults) for sign in (1, -1)]
        p = signed_rank([less[fault] for fault in faults], [more[fault] for fault in faults])
        rows.append([*cells, *changes, p])
    return rows


def hazard_ratio(first: Tries, second: Tries) -> float:
    """Return how much more often a try notices in the second campaign; nan without noticing tries in both.

    Tries of the same fault are compared, and the faults pooled as Mantel and Haenszel (1959) pool risks.
    """
    noticing = [0.0, 0.0]
    for fault in sorted(first.tried.keys() & second.tried.keys()):
        tries = (first.tried[fault], second.tried[fault])
        for side, (score, other) in enumerate(((first, tries[1]), (second, tries[0]))):
            noticing[side] += sum(score.noticed.get(fault, {}).values()) * other / sum(tries)
    return noticing[1] / noticing[0] if all(noticing) else math.nan


def ratio_cells(ratios: Sequence[float]) -> tuple[str, str]:
    """Return the geometric mean of the ratios of campaigns with its interval by Student's t, and the signed-rank p.

    A pair without a ratio makes both unknown: to leave it out would favour one side.
    """
    logs = [math.log(ratio) for ratio in ratios]
    if len(logs) < 2 or any(map(math.isnan, logs)):
        return "unknown", "unknown"
    if len(set(logs)) == 1:  # without a spread, Student's t gives no interval
        low = high = ratios[0]
    else:
        low, high = map(math.exp, stats.ttest_1samp(logs, 0).confidence_interval(CONFIDENCE))
    return f"{statistics.geometric_mean(ratios):.2f} ({low:.2f} to {high:.2f})", signed_rank([0.0] * len(logs), logs)


def signed_rank(first: Sequence[float], second: Sequence[float]) -> str:
    """Return the p of the signed-rank test of pairs, as text; "unknown" without pairs."""
    if not first:
        return "unknown"
    one, other = (Sample(tuple(values), (False,) * len(values)) for values in (first, second))
    return p_text(compared(one, other, pairs=True).p)


def _given() -> argparse.Namespace:
    flags = arm_flags(__doc__)
    numbers = (
        ("--trials", 4, "campaigns of each kind"),
        ("--mutants", 5000, "executions of a campaign"),
        *SAMPLING,
        ("--jobs", 1, "campaigns, or faults, at a time"),
    )
    add_numbers(flags, numbers)
    return flags.parse_args()


def main() -> None:
    """Run the campaigns, score them, and print the tables."""
    given = _given()
    with alone(given.into):
        _run(given)


def _run(given: argparse.Namespace) -> None:
    arms = arms_of(given.arm)
    scoring, into = Scoring(given), given.into.resolve()
    for seed in range(1, given.trials + 1):
        (folder := into / "seeds" / str(seed)).mkdir(parents=True, exist_ok=True)
        for number, file in enumerate(chosen_seeds(seed)):
            shutil.copyfile(file, folder / f"{number:02}-{file.name}")
    own = [*scoring.words, f"-runs={given.mutants}"]
    scored = tuple(f"--{name}={getattr(given, name)}" for name in ("sample", "number", "tries", "apart"))
    trials = [
        Recorded(into / arm, (*own, *shlex.split(more)), given.trials, arm, into / "seeds", scored)
        for arm, more in arms.items()
    ]
    for each in trials:
        each.prepare()
    scores = measured(trials, given.jobs, scoring, ResultFile(given.into / "scores.jsonl", Score))
    print_table(table(scores, list(arms)))
    if len(arms) > 1:
        print()
        print_table(comparisons(scores, list(arms)))
    print()
    print_table(gains_by_witnesses(scores, list(arms)))
    if missing := len(trials) * given.trials - len(scores):
        raise UsageError(f"{missing} campaigns have failed; their folders are in {str(given.into)!r}; run them again")


if __name__ == "__main__":
    run_as_program(main)
